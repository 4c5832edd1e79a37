//! The words for a motif, as the end of "lets 20... Qf2 …": "fork the king and the rook on d1".

use super::geometry::{kind_at, value_at};
use super::line::Line;
use super::motif::{Found, Guard, Motif};
use engine::board::{PieceType, Position, Square, SquareSet};

/// The piece on a square, or the square alone.
pub fn named(position: &Position, square: Square) -> String {
    match kind_at(position, square) {
        Some(PieceType::King) => "the king".to_string(),
        Some(kind) => format!("the {} on {square}", kind.name()),
        None => square.to_string(),
    }
}

/// "a, b and c".
pub fn list(names: &[String]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => names.concat(),
    }
}

/// The pieces of a set, the greatest first.
fn all(position: &Position, squares: SquareSet) -> String {
    let mut squares: Vec<Square> = squares.into_iter().collect();
    squares.sort_by_key(|&square| -value_at(position, square));
    list(&squares.iter().map(|&square| named(position, square)).collect::<Vec<_>>())
}

pub fn phrase(line: &Line, found: &Found) -> String {
    let [before, after] = [0, 1].map(|more| &line.positions[found.ply + more]);
    let mv = line.moves[found.ply];
    let was = |square| named(before, square);
    let is = |square| named(after, square);
    match found.motif {
        Motif::Mate { moves, .. } => format!("force mate in {moves}"),
        Motif::MateThreat { mate } => format!("threaten {}", after.after_null().san(mate)),
        Motif::BackRank { taken } => {
            format!("take {}, since a recapture allows mate on the back rank", was(taken))
        }
        Motif::DoubleCheck => "give double check".to_string(),
        Motif::DiscoveredCheck { by } => format!("uncover a check by {}", is(by)),
        Motif::DiscoveredAttack { by, target } => {
            format!("uncover an attack by {} on {}", is(by), is(target))
        }
        Motif::Fork { targets, .. } => format!("fork {}", all(after, targets)),
        Motif::Skewer { front, behind, .. } => format!("skewer {} and {}", is(front), is(behind)),
        Motif::Pin { pinned, behind, .. } => format!("pin {} to {}", is(pinned), is(behind)),
        Motif::PinUsed { pinned, behind, .. } => {
            format!("use the pin of {} to {}", is(pinned), is(behind))
        }
        Motif::Trapped { piece } => format!("trap {}", is(piece)),
        Motif::RemovedDefender { target, .. } => format!("remove the defender of {}", is(target)),
        Motif::Overload { guard, first, second } => {
            format!("overload {}, the guard of {first} and {}", is(guard), is(second))
        }
        Motif::Deflection { guard, target } => {
            format!("draw {} away from {}", is(guard), is(target))
        }
        Motif::Attraction { to } => {
            let drawn =
                kind_at(&line.positions[found.ply + 2], to).map_or("piece", PieceType::name);
            format!("draw the {drawn} to {to}")
        }
        Motif::Zwischenzug { then } => format!("come in between before {} is taken", was(then)),
        Motif::Hanging { taken, guard } => match guard {
            Guard::None => format!("take the undefended {}", was(taken).replacen("the ", "", 1)),
            Guard::Weak => format!("win {}", was(taken)),
            Guard::Worthless { by } => format!("take {} with a {}", was(taken), by.name()),
        },
        Motif::Sacrifice => format!("sacrifice {}", is(mv.to())),
        Motif::Promotion { to } => format!("promote to a {}", to.name()),
        Motif::Stalemate => "force stalemate".to_string(),
        Motif::Perpetual => "give perpetual check".to_string(),
        Motif::Trade { kind } => format!("trade {}s", kind.name()),
        Motif::PassedPawn { is_new: true } => format!("make {} a passed pawn", is(mv.to())),
        Motif::PassedPawn { is_new: false } => format!("bring the passed pawn to {}", mv.to()),
        Motif::Attack { target } => format!("attack {}", is(target)),
        Motif::Parry { mate } => format!("stop {}", before.after_null().san(mate)),
        Motif::Safety { piece, .. } if piece == mv.to() => {
            format!("bring {} to safety", was(mv.from()))
        }
        Motif::Safety { piece, guards: true } => format!("defend {}", is(piece)),
        Motif::Safety { piece, guards: false } => format!("save {}", is(piece)),
        Motif::Capture { taken } => format!("take {}", was(taken)),
        Motif::Castling => "bring the king out of the middle".to_string(),
        Motif::Check => "give check".to_string(),
        Motif::Blockade { pawn } => format!("block the way of {}", is(pawn)),
        Motif::File { is_open } => {
            let how = if is_open { "open" } else { "half-open" };
            format!("take the {how} {}-file", mv.to().file_letter())
        }
        Motif::Development => format!("develop {}", was(mv.from())),
        Motif::KingWalk => "bring the king towards the middle".to_string(),
        Motif::DoubledPawns { file } => {
            format!("double pawns on the {}-file", file.file_letter())
        }
        Motif::Support { piece } => format!("support {}", is(piece)),
        Motif::Way { piece } => format!("open the way for {}", is(piece)),
    }
}

impl Motif {
    /// The motif as a hint. Motifs that any move may have give none.
    pub fn name(&self) -> Option<&'static str> {
        Some(match self {
            Motif::Mate { .. } => "mate",
            Motif::MateThreat { .. } => "a threat of mate",
            Motif::BackRank { .. } => "a weak back rank",
            Motif::Fork { .. } => "a fork",
            Motif::Trapped { .. } => "a piece to trap",
            Motif::DoubleCheck => "a double check",
            Motif::DiscoveredCheck { .. } => "a discovered check",
            Motif::DiscoveredAttack { .. } => "a discovered attack",
            Motif::Skewer { .. } => "a skewer",
            Motif::Pin { .. } => "a pin",
            Motif::PinUsed { .. } => "a pinned piece",
            Motif::RemovedDefender { .. } => "a defender to remove",
            Motif::Overload { .. } => "an overloaded piece",
            Motif::Deflection { .. } => "a piece to draw away",
            Motif::Attraction { .. } => "a piece to draw in",
            Motif::Zwischenzug { .. } => "a move in between",
            Motif::Hanging { .. } => "a hanging piece",
            Motif::Sacrifice => "a sacrifice",
            Motif::Promotion { .. } => "a promotion",
            Motif::Stalemate => "stalemate",
            Motif::Perpetual => "perpetual check",
            Motif::Attack { .. } => "a piece to attack",
            Motif::Trade { .. } => "a trade",
            Motif::PassedPawn { .. } => "a passed pawn",
            _ => return None,
        })
    }
}
