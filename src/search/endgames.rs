//! Elementary endings against a bare king, judged without a search. Only reports use this.

use std::sync::OnceLock;

use crate::board::{Color, Ending, PieceType, Position, Square};

/// How a position ends with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownResult {
    Win(Color),
    Draw,
}
use KnownResult::{Draw, Win};

/// The longest elementary mate, with bishop and knight, takes 66 plies: with more than the rest on
/// the counter, the fifty-move rule may come first.
const FRESH: u16 = 100 - 66;

impl KnownResult {
    /// The result, if the game is over or this is an elementary ending.
    pub fn of(position: &Position) -> Option<KnownResult> {
        match position.ending() {
            Some(Ending::Checkmate { winner }) => return Some(Win(winner)),
            Some(_) => return Some(Draw),
            None => {}
        }
        let has_bare_king = |color: Color| {
            position.pieces().all(|(_, piece)| piece.color() != color || piece.is(PieceType::King))
        };
        let weak = [Color::White, Color::Black].into_iter().find(|&color| has_bare_king(color))?;
        let material = Material::of(position, !weak);
        if let Some(pawn) = material.lone_pawn() {
            if !wins_with_pawn(position, !weak, pawn) {
                return Some(Draw);
            }
            return (position.halfmoves() <= FRESH).then_some(Win(!weak));
        }
        if !material.mates() {
            // Two knights.
            return (material.pawns == 0).then_some(Draw);
        }
        if position.halfmoves() > FRESH || material.heavy == 0 && is_chased(position, weak) {
            return None;
        }
        let after = |mv| KnownResult::of(&position.after(mv));
        let mut moves = position.legal_moves().into_iter();
        if position.side() == weak {
            // All hangs on what the king takes at once.
            let taken: Vec<_> =
                moves.filter(|&mv| position.captured(mv).is_some()).map(after).collect();
            let worst = [Some(Draw), None].into_iter().find(|worst| taken.contains(worst));
            worst.unwrap_or(Some(Win(!weak)))
        } else {
            moves.any(|mv| after(mv) == Some(Win(!weak))).then_some(Win(!weak))
        }
    }
}

/// Whether the bare king is near a piece that its own king is far from: it may win it for good.
fn is_chased(position: &Position, weak: Color) -> bool {
    let [own, bare] = [!weak, weak].map(|color| usize::from(position.king(color).index()));
    position.pieces().filter(|(_, piece)| piece.color() != weak).any(|(square, piece)| {
        let square = usize::from(square.index());
        let reach = if piece.is(PieceType::Knight) { 3 } else { 2 };
        distance(square, bare) <= reach && distance(square, own) > 2
    })
}

/// What stands beside the king.
#[derive(Default)]
struct Material {
    pawns: usize,
    last_pawn: Option<Square>,
    knights: usize,
    /// On dark and on light squares.
    bishops: [usize; 2],
    heavy: usize,
}

impl Material {
    fn of(position: &Position, color: Color) -> Material {
        let mut material = Material::default();
        for (square, piece) in position.pieces().filter(|(_, piece)| piece.color() == color) {
            match piece.kind() {
                PieceType::King => {}
                PieceType::Pawn => {
                    material.pawns += 1;
                    material.last_pawn = Some(square);
                }
                PieceType::Knight => material.knights += 1,
                PieceType::Bishop => material.bishops[usize::from(square.is_light())] += 1,
                PieceType::Rook | PieceType::Queen => material.heavy += 1,
            }
        }
        material
    }

    fn lone_pawn(&self) -> Option<Square> {
        let pieces = self.knights + self.bishops[0] + self.bishops[1] + self.heavy;
        self.last_pawn.filter(|_| self.pawns == 1 && pieces == 0)
    }

    /// Whether these mate a bare king by force.
    fn mates(&self) -> bool {
        let [dark, light] = self.bishops;
        self.heavy > 0
            || dark > 0 && light > 0
            || dark + light > 0 && self.knights > 0
            || self.knights > 2
    }
}

fn wins_with_pawn(position: &Position, strong: Color, pawn: Square) -> bool {
    // A file is worked out when it is first asked for: that takes some milliseconds.
    static WINS: [OnceLock<PawnWins>; 4] = [const { OnceLock::new() }; 4];
    // White's pawn, on the files a to d.
    let flip = if strong == Color::White { 0 } else { 0o70 };
    let mirror = if pawn.file() < 4 { 0 } else { 0o07 };
    let view = |square: Square| usize::from(square.index()) ^ flip ^ mirror;
    let [king, bare] = [strong, !strong].map(|color| view(position.king(color)));
    let place = Place { pawn: view(pawn), king, bare, to_move: position.side() == strong };
    let file = place.pawn & 7;
    WINS[file].get_or_init(|| PawnWins::of_file(file)).0[place.index()]
}

/// King and pawn against king, the pawn White's; squares count from a1 along the ranks.
#[derive(Clone, Copy)]
struct Place {
    pawn: usize,
    king: usize,
    bare: usize,
    /// Whether White moves.
    to_move: bool,
}

impl Place {
    /// The file is the table's.
    fn index(self) -> usize {
        (((self.pawn >> 3) << 6 | self.king) << 6 | self.bare) << 1 | usize::from(self.to_move)
    }
}

/// The places with the pawn on a file that White wins, by their index.
struct PawnWins(Vec<bool>);

impl PawnWins {
    /// From the seventh rank down, for each rank until no place is new.
    fn of_file(file: usize) -> PawnWins {
        let mut wins = PawnWins(vec![false; 1 << 16]);
        for rank in (1..7).rev() {
            let pawn = rank << 3 | file;
            let mut grows = true;
            while grows {
                grows = false;
                for kings in 0..1 << 13 {
                    let [king, bare] = [7, 1].map(|shift| kings >> shift & 63);
                    let place = Place { pawn, king, bare, to_move: kings & 1 == 1 };
                    if !wins.0[place.index()] && wins.is_won(place) {
                        wins.0[place.index()] = true;
                        grows = true;
                    }
                }
            }
        }
        wins
    }

    /// Whether White promotes safely, or moves to a place that is won; or Black has moves and only
    /// such ones.
    fn is_won(&self, place: Place) -> bool {
        let Place { pawn, king, bare, to_move } = place;
        let won = |place: Place| self.0[place.index()];
        if king == bare || king == pawn || bare == pawn || distance(king, bare) == 1 {
            return false;
        }
        if !to_move {
            let mut flights = neighbours(bare)
                .filter(|&to| distance(to, king) > 1 && !attacks(pawn, to))
                .peekable();
            return flights.peek().is_some()
                && flights.all(|to| to != pawn && won(Place { bare: to, to_move: true, ..place }));
        }
        if attacks(pawn, bare) {
            return false;
        }
        let free = |square| square != king && square != bare;
        let step = pawn + 8;
        let promotes =
            step >= 0o70 && free(step) && (distance(bare, step) > 1 || distance(king, step) == 1);
        let push = |to| free(step) && free(to) && won(Place { pawn: to, to_move: false, ..place });
        promotes
            || step < 0o70 && push(step)
            || pawn < 0o20 && push(step + 8)
            || neighbours(king)
                .filter(|&to| to != pawn && distance(to, bare) > 1)
                .any(|to| won(Place { king: to, to_move: false, ..place }))
    }
}

/// In moves of a king.
fn distance(a: usize, b: usize) -> usize {
    (a & 7).abs_diff(b & 7).max((a >> 3).abs_diff(b >> 3))
}

fn neighbours(square: usize) -> impl Iterator<Item = usize> {
    const STEPS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
    let to = move |step| usize::try_from(square as i32 + step).ok();
    STEPS.into_iter().filter_map(to).filter(move |&to| to < 64 && distance(to, square) == 1)
}

fn attacks(pawn: usize, square: usize) -> bool {
    square >> 3 == (pawn >> 3) + 1 && (square & 7).abs_diff(pawn & 7) == 1
}
