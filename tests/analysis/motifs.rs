//! Motifs in lichess's puzzles: recall of the tags, and independent proofs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use engine::board::{self, Position, Square};
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, EnPassantMode, Position as _, Rank, Role, attacks,
};
use zebu::analysis::Story;
use zebu::analysis::motifs::{Guard, Line, Motif, find};

use crate::data::data;

/// A puzzle's line, whose first move is the opponent's mistake, and its themes.
struct Puzzle {
    id: String,
    line: Line,
    themes: Vec<String>,
}

/// Empty without the data.
fn puzzles() -> Vec<Puzzle> {
    let Some(file) = data("puzzles.csv") else { return Vec::new() };
    let text = fs::read_to_string(file).expect("a file");
    let puzzle = |row: &str| {
        let [id, fen, moves, _, themes] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}: it has no five fields")
        };
        let start = fen.parse::<board::Fen>().expect("a FEN").position;
        let mut position = start;
        let moves = moves.split(' ').map(|word| {
            let mv = position.parse_uci(word).expect("a legal move");
            position = position.after(mv);
            mv
        });
        let line = Line::new(&start, &moves.collect::<Vec<_>>(), 1);
        let themes = themes.split(' ').map(str::to_string).collect();
        Puzzle { id: id.to_string(), line, themes }
    };
    text.lines().skip(1).map(puzzle).collect()
}

/// The themes of lichess that correspond to a motif.
fn themes(motif: &Motif) -> Vec<String> {
    let names: &[&str] = match motif {
        Motif::Mate { moves, pattern } => {
            let in_moves = format!("mateIn{}", moves.min(&5));
            let pattern =
                pattern.filter(|&name| name == "back-rank").map(|_| "backRankMate".into());
            return ["mate".to_string(), in_moves].into_iter().chain(pattern).collect();
        }
        Motif::DoubleCheck => &["doubleCheck", "discoveredAttack"],
        Motif::DiscoveredCheck { .. } => &["discoveredCheck", "discoveredAttack"],
        Motif::DiscoveredAttack { .. } => &["discoveredAttack"],
        Motif::Fork { .. } => &["fork"],
        Motif::Skewer { .. } => &["skewer"],
        Motif::Pin { .. } | Motif::PinUsed { .. } => &["pin"],
        Motif::Trapped { .. } => &["trappedPiece"],
        Motif::RemovedDefender { .. } => &["capturingDefender"],
        Motif::Overload { .. } | Motif::Deflection { .. } => &["deflection"],
        Motif::Attraction { .. } => &["attraction"],
        Motif::Zwischenzug { .. } => &["intermezzo"],
        Motif::Hanging { .. } => &["hangingPiece"],
        Motif::Sacrifice => &["sacrifice"],
        Motif::Promotion { .. } => &["promotion", "advancedPawn"],
        Motif::PassedPawn { .. } => &["advancedPawn"],
        _ => &[],
    };
    names.iter().map(|name| name.to_string()).collect()
}

/// How often a theme is tagged, is found, and both.
#[derive(Default)]
struct Row([usize; 3]);

impl Row {
    fn figures(&self) -> String {
        let [tagged, found, both] = self.0;
        let part = |of: usize| both as f64 / of.max(1) as f64;
        format!("{tagged:5} {:7.2} {:10.2}", part(tagged), part(found))
    }
}

/// For each theme of at least 30 puzzles: how often it is found in the solution's moves, and how often the
/// sentence on the preceding mistake names it. For a mistake that allows mate, the sentence names the mate.
#[test]
#[ignore = "a figure: with --nocapture it prints a table"]
fn recall() {
    let mut table: BTreeMap<String, [Row; 2]> = BTreeMap::new();
    for Puzzle { line, themes: tags, .. } in puzzles() {
        let is_mate = tags.iter().any(|tag| tag == "mate");
        for (column, motifs) in [find(&line), Story::new(line, None, true).told].iter().enumerate()
        {
            let names: BTreeSet<_> = motifs.iter().flat_map(|found| themes(&found.motif)).collect();
            let tagged: BTreeSet<_> = tags.iter().cloned().collect();
            for theme in names.union(&tagged) {
                let is_of_mate = theme.starts_with("mate") || theme == "backRankMate";
                if column == 0 || !is_mate || is_of_mate {
                    let is = [tagged.contains(theme), names.contains(theme)];
                    let counts = &mut table.entry(theme.clone()).or_default()[column].0;
                    let all = [is[0], is[1], is[0] && is[1]];
                    (0..3).for_each(|i| counts[i] += usize::from(all[i]));
                }
            }
        }
    }
    println!("theme              solution recall  precision   mistake recall  precision");
    for (theme, rows) in
        table.iter().filter(|(_, [solution, _])| solution.0[0] >= 30 && solution.0[1] > 0)
    {
        println!("{theme:18} {}   {}", rows[0].figures(), rows[1].figures());
    }
}

/// Every motif found is proved by shakmaty's rules and attacks.
#[test]
fn motifs_are_proved() {
    let (mut proved, mut wrong) = (0, Vec::new());
    for puzzle in puzzles() {
        for found in find(&puzzle.line) {
            let proof = Proof::of(&puzzle.line, found.ply);
            if !proof.holds(&found.motif) {
                wrong.push(format!("{} {found:?}", puzzle.id));
            }
            proved += 1;
        }
    }
    println!("{proved} motifs are so");
    assert!(wrong.is_empty(), "{} of {proved} are not so:\n{}", wrong.len(), wrong.join("\n"));
}

fn theirs(position: &Position) -> Chess {
    let fen: Fen = position.fen().to_string().parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960).expect("a legal position")
}

fn sq(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(u32::from(square.index()))
}

const fn worth(role: Role) -> i32 {
    [0, 1, 3, 3, 5, 9, 1000][role as usize]
}

/// What the side to move wins on a square, by the best of all captures there.
fn wins(position: &Chess, on: shakmaty::Square) -> i32 {
    let captures = position.capture_moves().into_iter().filter(|mv| mv.to() == on);
    let values = captures.map(|mv| {
        let taken =
            mv.capture().map_or(0, worth) + mv.promotion().map_or(0, |role| worth(role) - 1);
        taken - wins(&position.clone().play(mv).expect("a legal move"), on)
    });
    values.max().unwrap_or(0).max(0)
}

fn mates(position: &Chess) -> Vec<Chess> {
    let after =
        position.legal_moves().into_iter().map(|mv| position.clone().play(mv).expect("legal"));
    after.filter(Chess::is_checkmate).collect()
}

/// The mated king has no square except those on its first rank, where the checking piece is too.
fn is_back_rank(position: &Chess) -> bool {
    let king = position.board().king_of(position.turn()).expect("a king");
    let own = position.us();
    let home = Bitboard::from_rank(position.turn().fold_wb(Rank::First, Rank::Eighth));
    home.contains(king)
        && !(position.checkers() & home).is_empty()
        && (attacks::king_attacks(king) & !home & !own).is_empty()
}

/// A move with the positions around it, in shakmaty's terms.
struct Proof<'a> {
    line: &'a Line,
    ply: usize,
    before: Chess,
    after: Chess,
    /// After the reply.
    then: Option<Chess>,
}

impl Proof<'_> {
    fn of(line: &Line, ply: usize) -> Proof<'_> {
        let then = line.positions.get(ply + 2).map(theirs);
        let [before, after] = [ply, ply + 1].map(|at| theirs(&line.positions[at]));
        Proof { line, ply, before, after, then }
    }

    fn squares(&self, ply: usize) -> Option<(shakmaty::Square, shakmaty::Square)> {
        self.line.moves.get(self.ply + ply).map(|mv| (sq(mv.from()), sq(mv.to())))
    }

    fn holds(&self, motif: &Motif) -> bool {
        let (before, after) = (&self.before, &self.after);
        let (old, board) = (before.board(), after.board());
        let hero = before.turn();
        let (from, mut to) = self.squares(0).expect("a move");
        if old.color_at(to) == Some(hero) {
            to = board.king_of(hero).expect("a king");
        }
        let (reply, next) = (self.squares(1), self.squares(2));
        let sees = |board: &Board, one, other| board.attacks_from(one).contains(other);
        let role = |board: &Board, square| board.role_at(square).map_or(0, worth);
        let enemy = |square| board.color_at(square) == Some(!hero);
        let again = || after.clone().swap_turn().ok();
        let without = || before.clone().swap_turn().ok();
        // The king, or a piece that is won if the attacker moves again and captures it.
        let prey = |square| {
            role(board, square) == 1000 || {
                let mut again = after.to_setup(EnPassantMode::Legal);
                let mut taker = again.board.remove_piece_at(to).expect("a piece");
                let promotes = taker.role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
                if promotes {
                    taker.role = Role::Queen;
                }
                again.board.set_piece_at(square, taker);
                again.castling_rights = Bitboard::EMPTY;
                again.ep_square = None;
                let again = again.position::<Chess>(CastlingMode::Chess960).expect("legal");
                let won = role(board, square) + if promotes { 8 } else { 0 };
                enemy(square) && won > wins(&again, square)
            }
        };
        let aligned = |one, front, behind| {
            let free = |a, b| (attacks::between(a, b) & board.occupied()).is_empty();
            attacks::between(one, behind).contains(front)
                && free(one, front)
                && free(front, behind)
                && sees(board, one, front)
                && enemy(front)
                && enemy(behind)
        };
        let takes_next = |on| next.is_some_and(|(_, to)| to == on);
        match *motif {
            Motif::Mate { moves, pattern } => {
                let end = theirs(self.line.end());
                let name = match pattern {
                    Some("back-rank") => is_back_rank(&end),
                    Some("smothered") => {
                        let king = end.board().king_of(end.turn()).expect("a king");
                        (attacks::king_attacks(king) & !end.us()).is_empty()
                    }
                    _ => true,
                };
                let forced = moves != 2
                    || after
                        .legal_moves()
                        .into_iter()
                        .all(|mv| !mates(&after.clone().play(mv).expect("legal")).is_empty());
                end.is_checkmate()
                    && self.ply + 2 * moves == self.line.moves.len() + 1
                    && name
                    && forced
            }
            Motif::MateThreat { .. } => again().is_some_and(|again| !mates(&again).is_empty()),
            Motif::BackRank { taken } => {
                let captures = after.capture_moves().into_iter().filter(|mv| mv.to() == sq(taken));
                let then = captures.map(|mv| after.clone().play(mv).expect("legal"));
                let mut all = then.map(|then| mates(&then).iter().any(is_back_rank)).peekable();
                all.peek().is_some() && all.all(|is_mated| is_mated)
            }
            Motif::Fork { by, targets } => {
                let targets: Vec<_> = targets.into_iter().map(sq).collect();
                sq(by) == to
                    && targets.len() > 1
                    && wins(after, to) == 0
                    && targets.iter().all(|&target| sees(board, to, target) && prey(target))
                    && !after.capture_moves().into_iter().any(|mv| {
                        let is_target = mv.from().is_some_and(|by| targets.contains(&by));
                        let then = || wins(&after.clone().play(mv).expect("legal"), to);
                        mv.to() == to && is_target && role(board, to) >= then()
                    })
            }
            Motif::Attack { target } => {
                sees(board, to, sq(target)) && enemy(sq(target)) && wins(after, to) == 0
            }
            Motif::Trapped { piece } => after.legal_moves().into_iter().all(|mv| {
                let at = if mv.from() == Some(sq(piece)) { mv.to() } else { sq(piece) };
                let taken = mv.capture().map_or(0, worth);
                wins(&after.clone().play(mv).expect("legal"), at) > taken
            }),
            Motif::DoubleCheck => after.checkers().count() == 2,
            Motif::DiscoveredCheck { by } => after.checkers().contains(sq(by)) && sq(by) != to,
            Motif::DiscoveredAttack { by, target } => {
                let [by, target] = [by, target].map(sq);
                by != to && enemy(target) && sees(board, by, target) && !sees(old, by, target)
            }
            Motif::Skewer { by, front, behind } => {
                let [by, front, behind] = [by, front, behind].map(sq);
                aligned(by, front, behind)
                    && role(board, front) >= role(board, behind)
                    && role(board, front) > role(board, by)
                    && wins(after, by) == 0
            }
            Motif::Pin { by, pinned, behind } => {
                let [by, pinned, behind] = [by, pinned, behind].map(sq);
                aligned(by, pinned, behind)
                    && role(board, behind) > role(board, pinned)
                    && wins(after, by) == 0
            }
            Motif::PinUsed { by, pinned, behind, cannot_take } => {
                let [by, pinned, behind] = [by, pinned, behind].map(sq);
                let legal = after
                    .legal_moves()
                    .into_iter()
                    .any(|mv| mv.from() == Some(pinned) && mv.to() == to);
                aligned(by, pinned, behind)
                    && role(board, behind) == 1000
                    && if cannot_take {
                        sees(board, pinned, to) && !legal
                    } else {
                        sees(board, to, pinned)
                    }
            }
            Motif::RemovedDefender { defender, target } => {
                sq(defender) == to
                    && enemy_of(old, to, hero)
                    && sees(old, to, sq(target))
                    && takes_next(sq(target))
            }
            Motif::Overload { guard, first, second } => {
                let guards = [first, second].iter().all(|&it| sees(board, sq(guard), sq(it)));
                guards && reply == Some((sq(guard), sq(first))) && takes_next(sq(second))
            }
            Motif::Deflection { guard, target } => {
                let then = self.then.as_ref().expect("a reply");
                let gone = reply.is_some_and(|(from, to)| {
                    from == sq(guard) && !sees(then.board(), to, sq(target))
                });
                sees(board, sq(guard), sq(target)) && gone && takes_next(sq(target))
            }
            Motif::Attraction { to: drawn } => {
                let then = self.then.as_ref().expect("a reply");
                let great = then.board().role_at(to).is_some_and(|role| worth(role) >= 5);
                sq(drawn) == to && great && reply.is_some_and(|(_, at)| at == to)
            }
            Motif::Zwischenzug { then } => {
                let legal = before.capture_moves().into_iter().any(|mv| mv.to() == sq(then));
                legal && to != sq(then) && takes_next(sq(then))
            }
            Motif::Hanging { taken, guard } => {
                let retakes = after.capture_moves().into_iter().any(|mv| mv.to() == to);
                let is_less = role(old, from) < role(old, to);
                let is_so = match guard {
                    Guard::None => !retakes,
                    Guard::Weak => retakes && !is_less,
                    Guard::Worthless { .. } => retakes && is_less,
                };
                sq(taken) == to && is_so && wins(before, to) > 0
            }
            Motif::Sacrifice => wins(after, to) >= 2 && reply.is_some_and(|(_, at)| at == to),
            Motif::Promotion { .. } => role(old, from) == 1 && role(board, to) > 1,
            Motif::Stalemate => theirs(self.line.end()).is_stalemate(),
            Motif::Perpetual => after.is_check(),
            Motif::Trade { .. } => {
                old.role_at(from) == old.role_at(to) && reply.is_some_and(|(_, at)| at == to)
            }
            Motif::PassedPawn { .. } => {
                let pawns = board.by_piece(Role::Pawn.of(!hero)).into_iter();
                let ahead = |pawn: shakmaty::Square| {
                    hero.fold_wb(pawn.rank() > to.rank(), pawn.rank() < to.rank())
                };
                role(board, to) == 1
                    && pawns
                        .into_iter()
                        .all(|pawn| !ahead(pawn) || pawn.file().distance(to.file()) > 1)
            }
            Motif::Parry { .. } => {
                !mates(&without().expect("no check")).is_empty() && mates(after).is_empty()
            }
            Motif::Safety { piece, .. } => {
                let was = if sq(piece) == to { from } else { sq(piece) };
                wins(&without().expect("no check"), was) > 0 && wins(after, sq(piece)) == 0
            }
            Motif::Castling => role(board, to) == 1000 && role(old, from) == 1000,
            Motif::Capture { taken } => enemy_of(old, sq(taken), hero) || from.file() != to.file(),
            Motif::Check => after.is_check(),
            Motif::Support { piece } => sees(board, to, sq(piece)) && !sees(old, from, sq(piece)),
            Motif::DoubledPawns { file } => {
                let pawns =
                    self.then.as_ref().expect("a reply").board().by_piece(Role::Pawn.of(!hero));
                (pawns & Bitboard::from_file(sq(file).file())).count() > 1
            }
            Motif::File { is_open } => {
                let pawns = board.pawns() & Bitboard::from_file(to.file());
                role(board, to) == 5
                    && (pawns & board.by_color(hero)).is_empty()
                    && pawns.is_empty() == is_open
            }
            Motif::Blockade { pawn } => board.piece_at(sq(pawn)) == Some(Role::Pawn.of(!hero)),
            Motif::Development => role(board, to) == 3,
            Motif::KingWalk => role(board, to) == 1000,
            Motif::Way { piece } => {
                let seen = |board: &Board| board.attacks_from(sq(piece)).count();
                seen(board) + 1 > seen(old)
            }
        }
    }
}

fn enemy_of(board: &Board, square: shakmaty::Square, hero: shakmaty::Color) -> bool {
    board.color_at(square) == Some(!hero)
}
