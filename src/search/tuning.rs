//! The numbers that only matches can judge, together in one place. Scores are in centipawns.

/// Half of the first aspiration window, and by how much of itself it grows at each failure, in
/// quarters.
pub const WINDOW: i32 = 14;
pub const WINDOW_GROWTH: i32 = 3;

/// To this depth all threads go together; from there on helpers leave out every other.
pub const SHARED_DEPTH: u32 = 6;

/// Beyond this a game is decided, and only a mate can still be worth more than what is known: margins
/// prune nothing there.
pub const DECIDED: i32 = 1500;

/// Reverse futility: a node this much above beta for each ply is given up, to this depth.
pub const REVERSE_FUTILITY: i32 = 80;
pub const REVERSE_FUTILITY_DEPTH: i32 = 9;

/// Razoring: a node this much below alpha for each ply is left to the quiescence search.
pub const RAZOR: i32 = 250;
pub const RAZOR_DEPTH: i32 = 3;

/// Null move: plies less, and a ply less for so many more by which the node is above beta.
pub const NULL_LESS: i32 = 4;
pub const NULL_EXCESS: i32 = 200;
/// From this depth on, a null move's cut is verified.
pub const NULL_VERIFY_DEPTH: i32 = 14;

/// A node without a move from the table is searched a ply less from this depth on.
pub const INTERNAL_DEPTH: i32 = 4;

/// Futility: a quiet move cannot help a node so far below alpha, for each ply.
pub const FUTILITY_BASE: i32 = 100;
pub const FUTILITY: i32 = 90;
pub const FUTILITY_DEPTH: i32 = 8;

/// Late quiet moves are not looked at after so many, plus the depth squared.
pub const LATE_MOVES: i32 = 4;

/// Quiet moves with a history worse than this, for each ply, are not looked at.
pub const HISTORY_PRUNE: i32 = -4000;
pub const HISTORY_PRUNE_DEPTH: i32 = 5;

/// Moves that lose more than this in exchanges are not looked at: for quiet moves for each square
/// of a ply, for noisy ones and for checks that would else be left out for each ply.
pub const QUIET_EXCHANGE: i32 = -25;
pub const NOISY_EXCHANGE: i32 = -100;
pub const CHECK_EXCHANGE: i32 = -200;
pub const EXCHANGE_DEPTH: i32 = 9;

/// Singular extension: from which depth on, and by how much more a move must stand out to be
/// extended twice.
pub const SINGULAR_DEPTH: i32 = 7;
pub const SINGULAR_TWICE: i32 = 20;

/// Extensions of checks that cost nothing, and of those with one answer: how far from the root, and
/// from which depth on.
pub const CHECK_PLIES: usize = 3;
pub const ANSWER_PLIES: usize = 5;
pub const FORCING_DEPTH: i32 = 5;

/// A reduction's history term: this much history is a ply.
pub const REDUCTION_HISTORY: i32 = 8000;

/// A reduced move that did better than expected by so much is searched deeper.
pub const DEEPER: i32 = 40;

/// Futility in the quiescence search: what a capture may bring beyond its victim.
pub const QUIET_FUTILITY: i32 = 150;

/// How a history grows: by so much for each ply of depth, to at most so much at a time.
pub const BONUS: i32 = 160;
pub const BONUS_OFFSET: i32 = -80;
pub const MOST_BONUS: i32 = 1600;

/// A reduction in 1024ths of a ply: a base and a factor for the product of the logarithms of depth
/// and number of the move.
pub const QUIET_REDUCTION: (i32, i32) = (800, 240);
pub const NOISY_REDUCTION: (i32, i32) = (200, 160);

/// Quiet moves: leaving a square where a lesser piece could take counts like so much history for
/// each centipawn of the piece, a check that loses no more than this like so much.
pub const DANGER_RANK: i32 = 20;
pub const CHECK_RANK: i32 = 12_000;
pub const SAFE_CHECK: i32 = -75;
