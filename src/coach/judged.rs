//! The statistics of one reviewed game: the loss of each move, and the groups that it belongs to.

use std::borrow::Cow;

use serde::Serialize;

use crate::analysis::motifs::{self, Line};
use crate::analysis::{GameAnalysis, Phase, opening};
use crate::game::read_clk;
use crate::library::{Head, rating};
use engine::board::{Color, Move, PieceType, Position};
use engine::notation::{GameResult, Tags};

/// What the moves of a group have in common. The order is that of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    Color,
    Phase,
    Opening,
    Endgame,
    Castling,
    Situation,
    Left,
    Spent,
    Tilt,
    Opponent,
    Allowed,
    Missed,
    Clock,
}

/// A group of moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Group {
    pub aspect: Aspect,
    pub name: Cow<'static, str>,
}

impl Group {
    pub fn new(aspect: Aspect, name: impl Into<Cow<'static, str>>) -> Group {
        Group { aspect, name: name.into() }
    }

    /// Whether it is a way to lose, which any move may come to, and not a situation that a move is in.
    pub fn is_way_to_lose(&self) -> bool {
        matches!(self.aspect, Aspect::Allowed | Aspect::Missed | Aspect::Clock)
    }
}

/// Coarse classes of a position before a move, one of each kind. What a move loses there depends on them,
/// whoever makes it.
pub type Nature = [u8; NATURES];
pub const NATURES: usize = 6;

/// The kinds of classes that make a position hard to play; the others are its score and the clock.
pub const HARD: std::ops::Range<usize> = 1..5;

/// The kind that says how far the game has come.
pub const STAGE: usize = 1;

/// A move, or at the end of a game the move that was not made in time.
#[derive(Clone)]
pub struct JudgedMove {
    pub is_mine: bool,
    pub ply: usize,
    /// In points of expected result.
    pub loss: f64,
    pub nature: Nature,
    /// Its situations.
    pub groups: Vec<Group>,
    /// The ways in which it loses, which share the loss.
    pub ways: Vec<Group>,
    /// The time that it took, as a multiple of the game's median.
    pub thought: Option<f64>,
    /// The share of the time that was left before it, and the seconds that it took.
    pub left: Option<f64>,
    pub spent: Option<f64>,
}

impl JudgedMove {
    pub fn is_of(&self, group: &Group) -> bool {
        self.groups.contains(group) || self.ways.contains(group)
    }
}

/// A side's best and worst chance in a game, and its result, in points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Swing {
    pub best: f64,
    pub worst: f64,
    /// Whether the game was about level at a late stage.
    pub is_level: bool,
    pub result: Option<f64>,
}

/// A move of the person in the opening of a game.
#[derive(Clone)]
pub struct Played {
    pub position: Position,
    pub mv: Move,
    pub loss: f64,
    pub best: Vec<Move>,
}

#[derive(Clone)]
pub struct JudgedGame {
    pub id: u64,
    pub moves: Vec<JudgedMove>,
    /// The person's, and the opponent's.
    pub swings: [Swing; 2],
    /// The month, if the file has it, and the ratings of person and opponent.
    pub month: Option<String>,
    pub ratings: [Option<u32>; 2],
    /// My moves in the opening of a game from the usual start.
    pub opening: Vec<Played>,
}

impl JudgedGame {
    pub fn of(analysis: &GameAnalysis, head: &Head, me: Color) -> JudgedGame {
        let GameAnalysis { game, analyses, moves, .. } = analysis;
        let of_game = GroupsOfGame::of(analysis, me);
        let clocks = Clocks::of(analysis);
        let judged = moves.iter().enumerate().map(|(ply, judged)| {
            let chance = analyses[ply].white_score.win_percent(judged.color);
            let mut groups = of_game.groups(analysis, ply);
            groups.push(Group::new(Aspect::Situation, situation(chance)));
            groups.extend(clocks.groups(ply));
            if is_sore(analysis, ply) {
                groups.push(Group::new(Aspect::Tilt, "after a mistake of your own"));
            }
            let ways = match analysis.judgement(ply) {
                Some(_) => ways(analysis, ply).collect(),
                None => Vec::new(),
            };
            JudgedMove {
                is_mine: judged.color == me,
                ply,
                loss: judged.loss / 100.0,
                nature: nature(analysis, ply, clocks.share(ply)),
                groups,
                ways,
                thought: clocks.thought(ply),
                left: clocks.share(ply),
                spent: clocks.spent[ply],
            }
        });
        let swing = |side: Color| {
            let chances = analyses.iter().map(|found| found.white_score.win_percent(side) / 100.0);
            let result = match game.result {
                GameResult::Won(winner) => Some(f64::from(u8::from(winner == side))),
                GameResult::Drawn => Some(0.5),
                GameResult::Unknown => None,
            };
            let best = chances.clone().fold(0.0, f64::max);
            let is_level = chances.clone().skip(LATE).any(|chance| (0.4..0.6).contains(&chance));
            Swing { best, worst: chances.fold(1.0, f64::min), is_level, result }
        };
        let swings = [me, !me].map(swing);
        let ratings = [me, !me].map(|side| rating(&game.tags, side));
        let (id, month) = (game.number as u64, month(head));
        let moves = judged.chain(flag_fall(analysis, me)).collect();
        let opening = played_in_opening(analysis, me);
        JudgedGame { id, moves, swings, month, ratings, opening }
    }
}

fn played_in_opening(analysis: &GameAnalysis, me: Color) -> Vec<Played> {
    let GameAnalysis { game, positions, analyses, moves, .. } = analysis;
    let is_usual = game.start.key() == Position::start().key();
    let plies = (0..moves.len().min(PLIES)).filter(|&ply| is_usual && moves[ply].color == me);
    let played = |ply: usize| Played {
        position: positions[ply],
        mv: game.moves[ply].mv,
        loss: moves[ply].loss / 100.0,
        best: analyses[ply].pv.clone(),
    };
    plies.map(played).collect()
}

/// The loss of all that a side stood to score when its time ran out.
fn flag_fall(analysis: &GameAnalysis, me: Color) -> Option<JudgedMove> {
    let GameAnalysis { game, positions, analyses, .. } = analysis;
    let ply = game.moves.len();
    let (side, last) = (positions[ply].side(), analyses.get(ply)?);
    // "Time forfeit" and "Ann won on time".
    let termination = game.tags.get("Termination")?.to_ascii_lowercase();
    let is_on_time = termination.contains("time") && game.result == GameResult::Won(!side);
    is_on_time.then(|| JudgedMove {
        is_mine: side == me,
        ply,
        loss: last.white_score.win_percent(side) / 100.0,
        nature: nature(analysis, ply, Some(0.0)),
        groups: Vec::new(),
        ways: vec![Group::new(Aspect::Clock, "running out of time")],
        thought: None,
        left: None,
        spent: None,
    })
}

/// The ply from which a game counts as late.
const LATE: usize = 60;

/// The plies of an opening, those of a game's first part, and the ply from which a game is long.
const PLIES: usize = 24;
const EARLY: usize = 24;
const LONG: usize = 80;

/// How many of one's own moves a mistake is remembered, and the loss of one, in percent.
const SORE: usize = 5;
const MISTAKE: f64 = 10.0;

/// What all moves of a game have in common, by side.
struct GroupsOfGame {
    opening: Option<String>,
    opponents: [Option<Group>; 2],
    /// From this ply on the kings have castled to opposite sides.
    opposite: Option<usize>,
}

impl GroupsOfGame {
    fn of(analysis: &GameAnalysis, me: Color) -> GroupsOfGame {
        let GameAnalysis { game, positions, .. } = analysis;
        let ratings = Color::BOTH.map(|side| rating(&game.tags, side).map(i64::from));
        let opponent = |side: Color| {
            let [mine, theirs] = [side, !side].map(|side| ratings[side.index()]);
            let name = match theirs? - mine? {
                ..-75 => "rated well below you",
                -75..=75 => return None,
                _ => "rated well above you",
            };
            Some(Group::new(Aspect::Opponent, name))
        };
        let mut wings = [None; 2];
        let mut castled =
            game.moves.iter().enumerate().filter(|(_, played)| played.mv.is_castling());
        let opposite = castled.find_map(|(ply, played)| {
            let is_short = played.mv.to().file() > played.mv.from().file();
            wings[positions[ply].side().index()] = Some(is_short);
            let both = wings[0].zip(wings[1]);
            both.is_some_and(|(one, other)| one != other).then_some(ply + 1)
        });
        let opening = opening_family(positions).map(|name| format!("{name} as {me}"));
        GroupsOfGame { opening, opponents: Color::BOTH.map(opponent), opposite }
    }

    /// The situations of a move that its position and its place in the game make.
    fn groups(&self, analysis: &GameAnalysis, ply: usize) -> Vec<Group> {
        let position = &analysis.positions[ply];
        let side = position.side();
        let has_queen = position.pieces().any(|(_, piece)| piece.is(PieceType::Queen));
        let mut groups = vec![Group::new(
            Aspect::Color,
            if side == Color::White { "playing White" } else { "playing Black" },
        )];
        let mut add = |is_so: bool, aspect, name: &'static str| {
            groups.extend(is_so.then(|| Group::new(aspect, name)));
        };
        add(ply < EARLY, Aspect::Phase, "the first twelve moves");
        add(ply >= LONG, Aspect::Phase, "late in long games");
        add(!has_queen, Aspect::Phase, "without queens");
        let is_opposite = self.opposite.is_some_and(|since| ply >= since) && has_queen;
        add(is_opposite, Aspect::Castling, "with castling to opposite sides");
        add(Phase::of(position, ply) == Phase::Endgame, Aspect::Phase, "the endgame");
        groups.extend(endgame(position, ply).map(|name| Group::new(Aspect::Endgame, name)));
        let opening = self.opening.clone().filter(|_| ply < PLIES);
        // Both sides play an opening, so that it is compared with who plays against it.
        groups.extend(opening.map(|name| Group::new(Aspect::Opening, name)));
        groups.extend(self.opponents[side.index()].clone());
        groups
    }
}

/// Whether a side has erred in one of its last moves.
fn is_sore(analysis: &GameAnalysis, ply: usize) -> bool {
    let before = (1..=SORE).filter_map(|back| ply.checked_sub(2 * back));
    before.into_iter().any(|own| analysis.moves[own].loss >= MISTAKE)
}

/// The class of a number: how many of the limits it reaches.
fn class<T: PartialOrd>(value: T, limits: &[T]) -> u8 {
    limits.iter().filter(|&limit| value >= *limit).count() as u8
}

fn nature(analysis: &GameAnalysis, ply: usize, left: Option<f64>) -> Nature {
    let GameAnalysis { game, positions, analyses, moves, .. } = analysis;
    let (position, found) = (&positions[ply], &analyses[ply]);
    let side = position.side();
    let chance = found.white_score.win_percent(side);
    let pieces = position.pieces().filter(|(_, piece)| !piece.is(PieceType::Pawn)).count();
    let stage = if ply < 16 { 0 } else { 1 + class(pieces, &[4, 6, 9, 12]) };
    let legal = position.legal_moves().len();
    let best = found.pv.first().map(|&mv| motifs::taken(position, mv)).unwrap_or_default();
    let last = ply.checked_sub(1).map(|last| game.moves[last].mv);
    let takes_back = best > 0 && last.is_some_and(|last| found.pv[0].to() == last.to());
    let choice = match best {
        _ if legal <= 3 => 0,
        _ if position.in_check() => 1,
        1.. if takes_back => 2,
        1.. => 3,
        _ => 4 + class(legal, &[15, 28, 38]),
    };
    let given = ply.checked_sub(1).and_then(|last| moves.get(last)).map_or(0.0, |last| last.loss);
    // A score that the material on the board does not have is still to be won or lost.
    let material = f64::from(motifs::balance(position, side));
    let scored = (chance / (100.0 - chance)).ln() / 0.00368;
    let clock = left.map_or(0, |left| 1 + class(1.0 - left, &[0.5, 0.75, 0.9]));
    [
        class(chance, &[4.0, 10.0, 20.0, 32.0, 44.0, 56.0, 68.0, 80.0, 90.0, 96.0]),
        stage,
        choice,
        class(given, &[1.0, 3.0, 7.0, 15.0]),
        class((scored - material).abs(), &[60.0, 120.0, 220.0, 400.0]),
        clock,
    ]
}

fn month(head: &Head) -> Option<String> {
    let month = head.date.get(..7)?;
    let is_known = !month.starts_with('0') && !month.ends_with("00");
    is_known.then(|| month.replace('.', "-"))
}

/// The name of an opening without its code and its variation.
pub fn opening_family(positions: &[Position]) -> Option<&'static str> {
    let (_, name) = opening(positions)?.split_once(' ')?;
    name.split([':', ',']).next()
}

/// The type of an endgame, by its pieces.
fn endgame(position: &Position, ply: usize) -> Option<&'static str> {
    if Phase::of(position, ply) != Phase::Endgame {
        return None;
    }
    let has =
        |kinds: &[PieceType]| position.pieces().any(|(_, piece)| kinds.contains(&piece.kind()));
    let minors = has(&[PieceType::Knight, PieceType::Bishop]);
    Some(match (has(&[PieceType::Queen]), has(&[PieceType::Rook]), minors) {
        (false, false, false) => "pawn endings",
        (false, true, false) => "rook endings",
        (true, false, false) => "queen endings",
        (false, false, true) => "endings of knights and bishops",
        (false, true, true) => "endings of rooks with knights or bishops",
        (true, ..) => "endings of queens with other pieces",
    })
}

fn situation(chance: f64) -> &'static str {
    match chance {
        70.0.. => "when ahead",
        30.0..70.0 => "in level positions",
        _ => "when behind",
    }
}

/// The motif of the best move, which was missed, and the one that the move played allows.
fn ways(analysis: &GameAnalysis, ply: usize) -> impl Iterator<Item = Group> {
    let (position, mv) = (&analysis.positions[ply], analysis.game.moves[ply].mv);
    let [before, after] = [0, 1].map(|more| &analysis.analyses[ply + more]);
    let missed = main_motif(&Line::new(position, &before.pv, 0));
    let allowed = main_motif(&Line::new(position, &[&[mv], &after.pv[..]].concat(), 1));
    let missed = missed.map(|name| Group::new(Aspect::Missed, name));
    missed.into_iter().chain(allowed.map(|name| Group::new(Aspect::Allowed, name)))
}

/// The motif of the hero's first move in a line, if it explains why the line is good.
pub fn main_motif(line: &Line) -> Option<&'static str> {
    let found = motifs::find(line).into_iter();
    let first =
        found.filter(|found| found.ply == line.first && (found.pays || found.motif.is_strong()));
    first.min_by_key(|found| !found.pays)?.motif.name()
}

/// Shares of the time at the start, and the groups of moves with less left.
const SHARES_LEFT: [(f64, &str); 2] = [
    (0.1, "with under a tenth of your time left"),
    (0.25, "with under a quarter of your time left"),
];

/// Seconds, and the groups of moves with less left, in games that began with few minutes.
const SECONDS_LEFT: [(f64, &str); 2] =
    [(10.0, "with under 10 seconds left"), (30.0, "with under 30 seconds left")];
const FEW_MINUTES: f64 = 480.0;

/// The seconds left after each move, those at the start as far as they are seen, the seconds that each move
/// took, and their median once the opening is over.
struct Clocks {
    left: Vec<Option<f64>>,
    start: f64,
    spent: Vec<Option<f64>>,
    median: f64,
}

impl Clocks {
    fn of(analysis: &GameAnalysis) -> Clocks {
        let clock = |comments: &Vec<String>| {
            comments.iter().find_map(|comment| read_clk(comment)).map(|left| left.as_secs_f64())
        };
        let left: Vec<Option<f64>> =
            analysis.game.moves.iter().map(|played| clock(&played.comments)).collect();
        let start = left.iter().flatten().copied().fold(0.0, f64::max);
        let increment = increment(&analysis.game.tags);
        let spent = |ply: usize| {
            let seconds = left[ply.checked_sub(2)?]? + increment - left[ply]?;
            (seconds > -1.0).then_some(seconds.max(0.0))
        };
        let spent: Vec<Option<f64>> = (0..left.len()).map(spent).collect();
        let mut known: Vec<f64> = spent.iter().skip(PLIES / 2).flatten().copied().collect();
        known.sort_by(f64::total_cmp);
        let median = known.get(known.len() / 2).copied().unwrap_or_default();
        Clocks { left, start, spent, median }
    }

    fn before(&self, ply: usize) -> Option<f64> {
        self.left[ply.checked_sub(2)?]
    }

    /// What is left before a move, as a share of the time at the start.
    fn share(&self, ply: usize) -> Option<f64> {
        self.before(ply).filter(|_| self.start > 0.0).map(|left| left / self.start)
    }

    fn thought(&self, ply: usize) -> Option<f64> {
        self.spent[ply].filter(|_| self.median > 0.0).map(|spent| spent / self.median)
    }

    /// A habit does not begin at a limit: whoever is short of time at 30 seconds is so at 10.
    fn groups(&self, ply: usize) -> impl Iterator<Item = Group> {
        let share = self.share(ply).unwrap_or(1.0);
        let seconds = self.before(ply).filter(|_| self.start < FEW_MINUTES).unwrap_or(f64::MAX);
        let limits = move |(most, _): &(f64, &str)| *most <= self.start / 2.0;
        let shares = SHARES_LEFT.into_iter().filter(move |(most, _)| share < *most);
        let seconds =
            SECONDS_LEFT.into_iter().filter(limits).filter(move |(most, _)| seconds < *most);
        shares.chain(seconds).map(|(_, name)| Group::new(Aspect::Left, name))
    }
}

/// The increment of a time control like 300+3, in seconds.
fn increment(tags: &Tags) -> f64 {
    let control = tags.get("TimeControl").unwrap_or_default();
    control.split_once('+').and_then(|(_, increment)| increment.parse().ok()).unwrap_or(0.0)
}
