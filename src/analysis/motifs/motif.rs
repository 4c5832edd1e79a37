//! All motifs. The README defines them.

use engine::board::{Move, PieceType, Square, SquareSet};

/// Why an attacked piece is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guard {
    None,
    /// It has fewer defenders than attackers.
    Weak,
    /// The attacker is worth less.
    Worthless {
        by: PieceType,
    },
}

/// Squares are those after the move, except that of a captured piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motif {
    Mate { moves: usize, pattern: Option<&'static str> },
    MateThreat { mate: Move },
    BackRank { taken: Square },
    Fork { by: Square, targets: SquareSet },
    Trapped { piece: Square },
    DoubleCheck,
    DiscoveredCheck { by: Square },
    DiscoveredAttack { by: Square, target: Square },
    Skewer { by: Square, front: Square, behind: Square },
    Pin { by: Square, pinned: Square, behind: Square },
    PinUsed { by: Square, pinned: Square, behind: Square, cannot_take: bool },
    RemovedDefender { defender: Square, target: Square },
    Overload { guard: Square, first: Square, second: Square },
    Deflection { guard: Square, target: Square },
    Attraction { to: Square },
    Zwischenzug { then: Square },
    Hanging { taken: Square, guard: Guard },
    Sacrifice,
    Promotion { to: PieceType },
    Stalemate,
    Perpetual,
    Attack { target: Square },
    Trade { kind: PieceType },
    PassedPawn { is_new: bool },
    Parry { mate: Move },
    Safety { piece: Square, guards: bool },
    Castling,
    Capture { taken: Square },
    Check,
    Blockade { pawn: Square },
    File { is_open: bool },
    Development,
    KingWalk,
    DoubledPawns { file: Square },
    Support { piece: Square },
    Way { piece: Square },
}

impl Motif {
    /// Whether it is worth telling beside another motif.
    pub fn adds_to(&self, main: &Motif) -> bool {
        match main {
            Motif::Mate { .. } => matches!(
                self,
                Motif::DoubleCheck
                    | Motif::DiscoveredCheck { .. }
                    | Motif::PinUsed { .. }
                    | Motif::RemovedDefender { .. }
                    | Motif::Overload { .. }
                    | Motif::Deflection { .. }
                    | Motif::Attraction { .. }
            ),
            Motif::DoubleCheck if matches!(self, Motif::DiscoveredCheck { .. }) => false,
            // One idea by two names.
            Motif::RemovedDefender { .. } if matches!(self, Motif::Overload { .. }) => false,
            _ => self.is_strong(),
        }
    }

    /// Whether it explains why a line wins.
    pub fn is_strong(&self) -> bool {
        !self.is_quiet()
            && !matches!(
                self,
                Motif::Trapped { .. }
                    | Motif::Hanging { .. }
                    | Motif::Sacrifice
                    | Motif::Attack { .. }
                    | Motif::Trade { .. }
                    | Motif::PassedPawn { .. }
            )
    }

    /// Whether it gives no reason why a move is good.
    pub fn is_idle(&self) -> bool {
        match self {
            Motif::Parry { .. }
            | Motif::Safety { .. }
            | Motif::Castling
            | Motif::Blockade { .. }
            | Motif::File { .. }
            | Motif::Development
            | Motif::DoubledPawns { .. }
            | Motif::KingWalk => false,
            // These can occur without winning anything.
            Motif::Pin { .. } | Motif::PinUsed { .. } | Motif::Skewer { .. } => true,
            _ => self.is_quiet(),
        }
    }

    /// The squares of the pieces that it attacks or lets another piece attack.
    pub fn attacked(&self) -> SquareSet {
        match *self {
            Motif::Fork { targets, .. } => targets,
            Motif::Attack { target } | Motif::DiscoveredAttack { target, .. } => {
                SquareSet::one(target)
            }
            _ => SquareSet::NONE,
        }
    }

    /// The square of the piece that the move itself captures.
    pub fn taken(&self) -> Option<Square> {
        match *self {
            Motif::Hanging { taken, .. } | Motif::Capture { taken } => Some(taken),
            _ => None,
        }
    }

    /// Whether it is used only where no other motif is found.
    pub fn is_quiet(&self) -> bool {
        self.name().is_none()
    }
}

/// A motif, and whether the line shows what it wins.
pub type Seen = (Motif, bool);

/// A motif of the move at `ply`, and whether the line shows what it wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub ply: usize,
    pub motif: Motif,
    pub pays: bool,
}
