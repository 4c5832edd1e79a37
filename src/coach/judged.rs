//! The statistics of one reviewed game: the loss of each move, and the groups that it belongs to.

use std::borrow::Cow;

use serde::Serialize;

use crate::analysis::motifs::{self, Line};
use crate::analysis::{GameAnalysis, Phase, opening};
use crate::game::read_clk;
use crate::library::{Head, rating};
use engine::board::{Color, PieceType, Position};
use engine::notation::{GameResult, Tags};

/// A group of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    Phase,
    Opening,
    Allowed,
    Missed,
    Left,
    Spent,
    Clock,
    Situation,
    Piece,
    Endgame,
    Opponent,
    Month,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Group {
    pub aspect: Aspect,
    pub name: Cow<'static, str>,
}

impl Group {
    pub fn new(aspect: Aspect, name: impl Into<Cow<'static, str>>) -> Group {
        Group { aspect, name: name.into() }
    }

    /// Groups of what happens now and then. All moves of a game count in them, most of them without a loss.
    pub fn counts_all_moves(&self) -> bool {
        matches!(self.aspect, Aspect::Allowed | Aspect::Missed | Aspect::Clock)
    }

    /// Whether a person can work on it, unlike stronger opponents or last May.
    pub fn can_be_weakness(&self) -> bool {
        !matches!(self.aspect, Aspect::Opponent | Aspect::Month)
    }
}

/// A move, or at the end of a game the move that was not made in time.
pub struct JudgedMove {
    pub is_mine: bool,
    pub ply: usize,
    /// In points of expected result.
    pub loss: f64,
    pub groups: Vec<Group>,
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

pub struct JudgedGame {
    pub id: u64,
    pub moves: Vec<JudgedMove>,
    /// The person's, and the opponent's.
    pub swings: [Swing; 2],
    /// The month, if the file has it, and the ratings of person and opponent.
    pub month: Option<String>,
    pub ratings: [Option<u32>; 2],
}

impl JudgedGame {
    pub fn of(analysis: &GameAnalysis, head: &Head, me: Color) -> JudgedGame {
        let GameAnalysis { game, positions, analyses, moves, .. } = analysis;
        let of_game = groups_of_game(analysis, head, me);
        let clocks = Clocks::of(analysis);
        let judged = moves.iter().enumerate().map(|(ply, judged)| {
            let (position, mv) = (&positions[ply], game.moves[ply].mv);
            let mut groups = of_game.clone();
            if ply >= OPENING_PLIES {
                groups.retain(|group| group.aspect != Aspect::Opening);
            }
            groups.push(Group::new(Aspect::Phase, phase_name(Phase::of(position, ply))));
            groups.extend(endgame(position, ply).map(|name| Group::new(Aspect::Endgame, name)));
            let piece = position.piece_at(mv.from()).map_or("piece", |piece| piece.kind().name());
            groups.push(Group::new(Aspect::Piece, format!("the {piece}")));
            let chance = analyses[ply].white_score.win_percent(judged.color);
            groups.push(Group::new(Aspect::Situation, situation(chance)));
            groups.extend(clocks.groups(ply));
            if analysis.judgement(ply).is_some() {
                groups.extend(motifs_of(analysis, ply));
            }
            JudgedMove { is_mine: judged.color == me, ply, loss: judged.loss / 100.0, groups }
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
        JudgedGame { id, moves, swings, month, ratings }
    }
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
        groups: vec![Group::new(Aspect::Clock, "running out of time")],
    })
}

/// The ply from which a game counts as late.
const LATE: usize = 60;

/// The plies of an opening.
const OPENING_PLIES: usize = 24;

fn groups_of_game(analysis: &GameAnalysis, head: &Head, me: Color) -> Vec<Group> {
    let mut groups = Vec::new();
    if let Some(name) = opening_family(&analysis.positions) {
        groups.push(Group::new(Aspect::Opening, format!("{name}, as {me}")));
    }
    let tags = &analysis.game.tags;
    if let [Some(mine), Some(theirs)] = [me, !me].map(|side| rating(tags, side)) {
        let name = match i64::from(theirs) - i64::from(mine) {
            ..-100 => "rated 100 or more below me",
            -100..=100 => "rated about as I am",
            _ => "rated 100 or more above me",
        };
        groups.push(Group::new(Aspect::Opponent, name));
    }
    groups.extend(month(head).map(|month| Group::new(Aspect::Month, month)));
    groups
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

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "the opening",
        Phase::Middlegame => "the middlegame",
        Phase::Endgame => "the endgame",
    }
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
        70.0.. => "ahead",
        30.0..70.0 => "about equal",
        _ => "behind",
    }
}

/// The motifs of the best move if it was missed, and those that the move played allows.
fn motifs_of(analysis: &GameAnalysis, ply: usize) -> impl Iterator<Item = Group> {
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

/// Seconds, and the group of the moves with less of them left: in games that began with twice as many.
const TIMES_LEFT: [(f64, &str); 4] = [
    (10.0, "under 10 seconds left"),
    (30.0, "under 30 seconds left"),
    (60.0, "under a minute left"),
    (180.0, "under 3 minutes left"),
];

/// The seconds left after each move, those at the start as far as they are seen, and the increment.
struct Clocks {
    left: Vec<Option<f64>>,
    start: f64,
    increment: f64,
}

impl Clocks {
    fn of(analysis: &GameAnalysis) -> Clocks {
        let clock = |comments: &Vec<String>| {
            comments.iter().find_map(|comment| read_clk(comment)).map(|left| left.as_secs_f64())
        };
        let left: Vec<Option<f64>> =
            analysis.game.moves.iter().map(|played| clock(&played.comments)).collect();
        let start = left.iter().flatten().copied().fold(0.0, f64::max);
        Clocks { left, start, increment: increment(&analysis.game.tags) }
    }

    fn groups(&self, ply: usize) -> impl Iterator<Item = Group> {
        let before = ply.checked_sub(2).and_then(|own| self.left[own]);
        let after = self.left[ply];
        let spent = before.zip(after).map(|(before, after)| before + self.increment - after);
        // A habit does not begin at a threshold: whoever is short of time at 30 seconds is so at 10.
        let left = before.into_iter().flat_map(|seconds| {
            let limits = TIMES_LEFT.into_iter().filter(|(most, _)| *most <= self.start / 2.0);
            let names = limits.filter(move |(most, _)| seconds < *most).map(|(_, name)| name);
            let enough = names.clone().next().is_none().then_some("enough time left");
            names.chain(enough)
        });
        let left = left.map(|name| Group::new(Aspect::Left, name));
        let spent = spent.filter(|&seconds| seconds > -1.0).map(|seconds| {
            Group::new(
                Aspect::Spent,
                match seconds {
                    ..2.0 => "under 2 seconds on the move",
                    2.0..5.0 => "2 to 5 seconds on the move",
                    5.0..15.0 => "5 to 15 seconds on the move",
                    15.0..60.0 => "15 to 60 seconds on the move",
                    _ => "more than a minute on the move",
                },
            )
        });
        left.chain(spent)
    }
}

/// The increment of a time control like 300+3, in seconds.
fn increment(tags: &Tags) -> f64 {
    let control = tags.get("TimeControl").unwrap_or_default();
    control.split_once('+').and_then(|(_, increment)| increment.parse().ok()).unwrap_or(0.0)
}
