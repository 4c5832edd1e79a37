//! The numbers that only matches can judge, each declared once, with name, default, range and the final step
//! size of tuning. Scores are in centipawns.
//!
//! In ordinary builds they are constants. With the feature `tune` they come from a set of values that the
//! search carries, so that two sets can play each other in one process.

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    pub step: i32,
    pub meaning: &'static str,
}

/// The numbers in force. They are constants, so the type has no size.
#[cfg(not(feature = "tune"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tunables;

/// The numbers in force.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunables(&'static TunableValues);

/// A value for each number, by its index in [`TUNABLES`].
#[cfg(feature = "tune")]
pub type TunableValues = [i32; TUNABLES.len()];

#[cfg(not(feature = "tune"))]
impl Tunables {
    pub const DEFAULT: Tunables = Tunables;
}

#[cfg(feature = "tune")]
impl Tunables {
    pub const DEFAULT: Tunables = Tunables(&DEFAULTS);

    /// The values are leaked: a few bytes per tunable and set.
    pub fn new(values: TunableValues) -> Tunables {
        Tunables(Box::leak(Box::new(values)))
    }

    pub fn values(self) -> TunableValues {
        *self.0
    }
}

#[cfg(feature = "tune")]
impl Default for Tunables {
    fn default() -> Tunables {
        Tunables::DEFAULT
    }
}

#[cfg(feature = "tune")]
static DEFAULTS: TunableValues = {
    let mut values = [0; TUNABLES.len()];
    let mut i = 0;
    while i < values.len() {
        values[i] = TUNABLES[i].default;
        i += 1;
    }
    values
};

impl Tunable {
    /// The index of a name in the table.
    pub fn index_of(name: &str) -> Option<usize> {
        TUNABLES.iter().position(|tunable| tunable.name == name)
    }
}

/// A bonus or malus that grows with depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bonus {
    pub by_depth: i32,
    pub offset: i32,
    pub limit: i32,
}

impl Bonus {
    #[inline(always)]
    pub fn at(self, depth: i32) -> i32 {
        (self.by_depth * depth + self.offset).min(self.limit)
    }
}

/// Plain numbers by name, then bonuses, each with growth per depth, offset and limit.
macro_rules! tunables {
    (
        $($name:ident = $default:literal, $min:literal..=$max:literal, $step:literal, $meaning:literal;)*
        @bonuses
        $($bonus:ident =
            ($by_depth:literal, $by_depth_min:literal..=$by_depth_max:literal, $by_depth_step:literal),
            ($offset:literal, $offset_min:literal..=$offset_max:literal, $offset_step:literal),
            ($limit:literal, $limit_min:literal..=$limit_max:literal, $limit_step:literal),
            $of:literal;)*
    ) => {
        #[cfg(not(feature = "tune"))]
        impl Tunables {
            $(
                #[doc = $meaning]
                #[inline(always)]
                pub const fn $name(self) -> i32 {
                    $default
                }
            )*
            $(
                #[doc = $of]
                #[inline(always)]
                pub const fn $bonus(self) -> Bonus {
                    Bonus { by_depth: $by_depth, offset: $offset, limit: $limit }
                }
            )*
        }

        #[cfg(feature = "tune")]
        impl Tunables {
            $(
                #[doc = $meaning]
                #[inline(always)]
                pub const fn $name(self) -> i32 {
                    self.0[Place::$name as usize]
                }
            )*
            $(
                #[doc = $of]
                #[inline(always)]
                pub const fn $bonus(self) -> Bonus {
                    let place = Place::Bonuses as usize + 3 * BonusPlace::$bonus as usize;
                    let [by_depth, offset, limit] = [place, place + 1, place + 2];
                    Bonus {
                        by_depth: self.0[by_depth],
                        offset: self.0[offset],
                        limit: self.0[limit],
                    }
                }
            )*
        }

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        enum Place {
            $($name,)*
            Bonuses,
        }

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        enum BonusPlace {
            $($bonus,)*
        }

        pub const TUNABLES: &[Tunable] = &[
            $(
                Tunable {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                    meaning: $meaning,
                },
            )*
            $(
                Tunable {
                    name: stringify!($bonus),
                    default: $by_depth,
                    min: $by_depth_min,
                    max: $by_depth_max,
                    step: $by_depth_step,
                    meaning: concat!($of, ": by depth"),
                },
                Tunable {
                    name: concat!(stringify!($bonus), "_offset"),
                    default: $offset,
                    min: $offset_min,
                    max: $offset_max,
                    step: $offset_step,
                    meaning: concat!($of, ": added to it"),
                },
                Tunable {
                    name: concat!(stringify!($bonus), "_limit"),
                    default: $limit,
                    min: $limit_min,
                    max: $limit_max,
                    step: $limit_step,
                    meaning: concat!($of, ": the greatest"),
                },
            )*
        ];
    };
}

tunables! {
    // Aspiration windows
    aspiration_depth = 4, 2..=8, 1, "the first iteration with a narrow window";
    aspiration_window = 23, 5..=50, 3, "half of the first window";
    aspiration_score_divisor = 20000, 5000..=60000, 2500, "score squared for one more of it";
    aspiration_growth = 16, 2..=40, 3, "growth of the window at each failure, in 32nds of itself";
    aspiration_limit = 600, 200..=2000, 100, "a wider window is opened fully";
    aspiration_reduction = 3, 0..=5, 1, "the most plies less after fail highs";

    // Scaling of the evaluation
    eval_base = 683, 300..=1100, 40, "without pieces, in 1024ths";
    eval_piece = 16, 0..=40, 3, "more for each piece on the board, in 1024ths";
    eval_fifty = 210, 100..=1000, 20, "plies without progress that would leave nothing of it";

    // Optimism
    optimism = 39, 0..=150, 10, "the most of it";
    optimism_offset = 86, 30..=300, 15, "the score at which half of it is reached";
    optimism_base = 31, 0..=400, 40, "share in the evaluation, in 1024ths";
    optimism_piece = 12, 0..=40, 3, "more for each piece on the board, in 1024ths";

    // Lazy SMP
    helper_full_depth = 6, 1..=12, 1, "the last iteration that every helper takes part in";
    vote_margin = 20, 0..=100, 5, "a vote's weight by the worst score of all threads";

    // Margins beyond which nothing is pruned
    decided_score = 1500, 600..=4000, 150, "only mates are worth more than such a score";

    // Transposition table cutoffs
    tt_confirm_depth = 8, 4..=250, 1, "from it on the next position's entry must agree";
    tt_cutoff_depth = 5, 0..=10, 1, "beyond it also against the expectation";

    // Hindsight
    eval_history_depth = 6, 0..=12, 1, "evaluations teach below it, or without a TT entry";
    hindsight_extension = 2316, 1024..=4096, 150, "the least reduction that is extended after a fall";
    hindsight_reduction = 64, 0..=200, 10, "a rise of the evaluation for a ply less";

    // Reverse futility pruning
    rfp_depth = 9, 4..=14, 1, "the greatest depth";
    rfp_margin = 59, 0..=150, 8, "above beta, by depth";
    rfp_margin_square = 51, 0..=256, 16, "above beta, by depth squared in sixteenths";
    rfp_improving = 51, 0..=200, 10, "above beta, less if improving";
    rfp_unattacked = 20, 0..=120, 6, "above beta, less if nothing of ours is attacked";
    rfp_correction = 675, 0..=2000, 100, "above beta, by the correction's size in 1024ths";

    // Razoring
    razor_depth = 3, 1..=7, 1, "the greatest depth";
    razor_margin = 225, 100..=500, 20, "below alpha, by depth";

    // Null move pruning
    nmp_depth = 2, 1..=5, 1, "the least depth";
    nmp_margin = 124, 0..=400, 20, "above beta";
    nmp_margin_depth = 9, 0..=30, 2, "above beta, less by depth";
    nmp_base = 4796, 2048..=8192, 250, "the reduction, in 1024ths of a ply";
    nmp_depth_factor = 233, 100..=500, 25, "reduction by depth, in 1024ths";
    nmp_excess_factor = 3, 0..=10, 1, "reduction by score above beta, in 1024ths";
    nmp_excess_limit = 1100, 300..=2000, 100, "the greatest score above beta that counts";
    nmp_improving = 840, 0..=2048, 120, "reduction if improving, in 1024ths";
    nmp_verify_depth = 14, 8..=30, 1, "the least depth at which a cutoff is verified";
    nmp_verify_share = 3, 1..=4, 1, "quarters of the verified depth without null moves";

    // ProbCut
    probcut_depth = 4, 3..=8, 1, "the least depth";
    probcut_margin = 220, 100..=400, 20, "above beta";
    probcut_improving = 87, 0..=200, 12, "above beta, less if improving";
    probcut_reduction = 4, 2..=6, 1, "plies less";
    probcut_promise = 325, 80..=900, 40, "what the quiescence search promises for another ply less";
    probcut_raise = 118, 0..=500, 30, "above beta, more for each such ply";

    // Small ProbCut
    small_probcut_margin = 187, 80..=500, 20, "above beta";
    small_probcut_depth = 4, 1..=6, 1, "plies by which the TT entry may be shallower";

    // Internal iterative reductions
    iir_depth = 4, 2..=8, 1, "the least depth";

    // Futility pruning
    futility_depth = 8, 4..=14, 1, "the greatest LMR depth";
    futility_base = 102, 20..=250, 15, "below alpha";
    futility_margin = 104, 30..=180, 10, "below alpha, by LMR depth";
    futility_history = 27, 0..=120, 8, "below alpha, by history in 1024ths";
    futility_slack = 136, 0..=600, 40, "below alpha, for moves that have no scores yet";
    noisy_futility_depth = 8, 3..=14, 1, "losing captures: the greatest depth";
    noisy_futility_base = 46, -100..=200, 20, "losing captures: below alpha";
    noisy_futility_margin = 90, 30..=180, 10, "losing captures: below alpha, by depth";
    noisy_futility_history = 39, 0..=160, 10, "losing captures: below alpha, by history in 1024ths";

    // Late move pruning
    lmp_base = 3, 1..=48, 1, "quiet moves that are searched, beside depth squared";

    // History pruning
    history_pruning_depth = 5, 2..=10, 1, "the greatest LMR depth";
    history_pruning_margin = -2896, -8000..=-500, 250, "a worse history is pruned, by depth";

    // SEE pruning
    see_depth = 9, 4..=14, 1, "the greatest depth";
    see_quiet_margin = -17, -60..=-5, 4, "quiet moves, by LMR depth squared";
    see_noisy_margin = -104, -250..=-30, 12, "noisy moves, by depth";
    see_noisy_history_divisor = 46, 8..=128, 8, "noisy moves, history for a centipawn";
    see_check_margin = -104, -400..=-50, 20, "checks that would be pruned otherwise, by depth";

    // Singular extensions, multi-cut
    singular_depth = 5, 4..=10, 1, "the least depth";
    singular_tt_depth = 3, 1..=6, 1, "plies by which the TT entry may be shallower";
    singular_margin = 12, 4..=48, 3, "below the TT value, by depth in sixteenths";
    singular_margin_exact = 2, 0..=48, 3, "the same, if the TT value is exact";
    singular_margin_tt_pv = 11, 0..=48, 3, "the same, more if the node was on a PV";
    double_extension_margin = 13, 0..=60, 4, "a move that stands out this much more gets two plies";
    triple_extension_margin = 64, 20..=200, 10, "a move that stands out this much more gets three";
    double_extension_limit = 8, 0..=20, 1, "extensions by more than a ply in a line";
    double_extension_pv = 185, 50..=400, 20, "both margins, more at PV nodes";
    double_extension_quiet = 11, 0..=40, 4, "both margins, less for a quiet move";
    double_extension_correction = 123, 0..=512, 32, "both margins, less by the correction";
    singular_node_depth = 14, 0..=20, 1, "two plies for a move: one for its node below this depth";
    multi_cut_reduction = 3, 0..=4, 1, "plies less if the TT value alone reaches beta";
    cut_node_reduction = 2, 0..=4, 1, "plies less at other cut nodes";

    // First move extensions
    first_move_depth = 7, 0..=12, 1, "the greatest depth";
    first_move_margin = 43, -50..=200, 15, "below alpha";

    // Check extensions
    check_extension_depth = 5, 1..=10, 1, "the least depth";
    check_extension_ply = 3, 0..=10, 1, "plies from the root, for checks that lose nothing";
    one_reply_extension_ply = 5, 0..=12, 1, "plies from the root, for checks with a single reply";

    // Late move reductions, in 1024ths of a ply
    lmr_depth = 2, 1..=4, 1, "the least depth";
    lmr_quiet_base = 1009, 0..=2000, 100, "quiet moves";
    lmr_quiet_factor = 217, 100..=500, 20, "quiet moves, by the logarithms of depth and move count";
    lmr_noisy_base = 304, -500..=1200, 100, "noisy moves";
    lmr_noisy_factor = 165, 50..=400, 20, "noisy moves, by the logarithms of depth and move count";
    lmr_not_improving = 675, 0..=2048, 128, "more if not improving";
    lmr_improvement = 333, 0..=1000, 60, "less by the improvement in 128ths";
    lmr_improvement_more = 270, 0..=1024, 60, "the most more by a negative improvement";
    lmr_improvement_less = 1032, 0..=2048, 120, "the most less by an improvement";
    lmr_raised_alpha = 811, 0..=2048, 128, "more if a move raised alpha";
    lmr_tt_fails_low = 658, 0..=2048, 100, "more if the TT value fails low";
    lmr_tt_shallow = 164, 0..=1024, 60, "more if the TT entry is shallower";
    lmr_pv = 479, 0..=2048, 128, "less at PV nodes";
    lmr_pv_width = 512, 0..=1024, 80, "less at PV nodes, by the window's share of the root's";
    lmr_gap = 7, 0..=20, 2, "quiet moves: more by what alpha is above the evaluation";
    lmr_gap_limit = 40, 10..=200, 8, "the most of that that counts, either way";
    lmr_tt_pv = 653, 0..=2048, 100, "less at nodes that were on a PV";
    lmr_tt_pv_fails_high = 545, 0..=2048, 100, "less at those if the TT value is above alpha";
    lmr_tt_pv_deep = 221, 0..=2048, 100, "less at those if the TT entry is deep";
    lmr_cut_node = 1966, 0..=4096, 192, "more at cut nodes";
    lmr_cut_node_no_tt_move = 1212, 0..=4096, 192, "more at cut nodes without a TT move";
    lmr_noisy_tt_move = 1128, 0..=2048, 128, "more for quiet moves if the TT move is noisy";
    lmr_check = 906, 0..=2048, 128, "less for checks";
    lmr_root_forcing = 1024, 0..=2048, 128, "less for noisy moves and checks at the root";
    lmr_cutoffs = 1034, 0..=2048, 128, "more if many nodes of the next ply failed high";
    lmr_cutoffs_all_node = 461, 0..=2048, 100, "the same, more at nodes that are to fail low";
    lmr_cutoff_count = 2, 1..=6, 1, "more cutoffs than this are many";
    lmr_lead = 393, 0..=1500, 70, "more by the lead of the TT move over all others, in 128ths";
    lmr_lead_offset = 185, 0..=500, 30, "the lead from which that counts";
    lmr_lead_limit = 1900, 0..=4096, 200, "the most more by that";
    lmr_history_divisor = 9959, 3000..=16000, 600, "history for one ply less";
    lmr_capture_history_divisor = 7423, 3000..=16000, 600, "capture history for one ply less";
    lmr_correction = 3, 0..=10, 1, "less by the correction's size";
    lmr_deeper_margin = 52, 10..=120, 6, "above the best score, for one ply more in the re-search";
    lmr_shallower_margin = 13, 0..=40, 3, "above the best score, for one ply less below it";

    // Raised alpha
    raised_alpha_min_depth = 2, 1..=8, 1, "greater depths are reduced";
    raised_alpha_max_depth = 15, 1..=20, 1, "smaller ones";
    raised_alpha_reduction = 1, 0..=3, 1, "plies less for the moves after it";

    // Full-depth searches, in 1024ths of a ply
    full_depth_tt_move = 1600, 0..=6000, 250, "the reduction, less for the TT move";
    full_depth_one_less = 2800, 1000..=20000, 250, "the least reduction for one ply less";
    full_depth_two_less = 4800, 2000..=20000, 350, "the least reduction for two";

    // Quiescence search
    qs_futility = 135, 50..=350, 20, "a capture's gain beyond its victim";
    qs_moves = 3, 1..=8, 1, "more moves must give check or recapture";
    qs_good_see = -22, -150..=50, 12, "what a capture that is tried wins at least";
    qs_see = -84, -200..=50, 12, "the least that it wins, with a share of the gap";
    qs_see_correction = 706, 0..=2048, 120, "less by the correction's size in 1024ths";
    qs_see_history_divisor = 95, 20..=400, 12, "capture history for a centipawn less";
    qs_capture_bonus = 89, 0..=400, 25, "capture history for a fail high";
    qs_see_gap_divisor = 7, 3..=30, 1, "that share's divisor";

    // Histories
    low_ply_share = 800, 200..=2000, 80, "low-ply history: of the butterfly bonus, in 1024ths";
    pawn_bonus_share = 875, 200..=2000, 80, "of the butterfly bonus, in 1024ths";
    pawn_malus_share = 774, 200..=2000, 80, "of the butterfly malus, in 1024ths";
    malus_fade = 64, 0..=200, 12, "malus of later moves: less by their place";
    refuted_moves = 3, 0..=8, 1, "by a TT cutoff: so many moves of the node before";
    refuted_tt_malus = 525, 0..=2000, 100, "by a TT cutoff";
    tt_last_move_count = 8, 0..=300, 1, "greater numbers of the last move: rewarded by the TT too";
    last_move_base = 706, 0..=2048, 80, "the last move of a node that fails low, in 1024ths";
    last_move_count = 132, 0..=400, 16, "the same, by its number";
    last_move_count_limit = 1716, 400..=4000, 150, "the same, the most by its number";
    last_move_tt_move = 898, 0..=3000, 120, "the same, if it is the TT move";
    last_noisy_bonus = 60, 0..=300, 15, "the same for a noisy move, by depth";
    last_noisy_bonus_limit = 757, 0..=3000, 120, "the greatest";
    last_move_worse = 904, 0..=3000, 120, "the same, if the score is below it";
    last_move_better = 1749, 0..=5000, 200, "the same, if the score is above it";
    last_move_margin = 95, 20..=250, 12, "by which scores are above or below";
    eval_history_rate = 15, 0..=40, 2, "the last move's bonus by the fall of the evaluation";
    eval_history_bonus_limit = 750, 0..=2000, 64, "the greatest";
    eval_history_malus_limit = 244, 0..=2000, 40, "the greatest";

    // Correction histories
    correction_rate = 7, 1..=12, 1, "bonus by error and depth";
    correction_limit = 3999, 1024..=8192, 512, "the greatest bonus";
    correction_pawn = 853, 256..=3072, 100, "weight of the pawn structure, in 1024ths";
    correction_minor = 617, 0..=3072, 100, "weight of the minor pieces, in 1024ths";
    correction_non_pawn = 1260, 256..=3072, 100, "weight of each side's pieces, in 1024ths";
    correction_continuation = 760, 256..=3072, 100, "weight of the last moves, in 1024ths";

    // Move ordering
    order_butterfly = 825, 256..=3072, 100, "weight of the butterfly history, in 1024ths";
    order_low_ply = 3000, 0..=8000, 250, "weight of the low-ply history at the root, in 1024ths";
    order_pawn = 765, 256..=3072, 100, "weight of the pawn history, in 1024ths";
    order_continuation_1 = 1360, 256..=3072, 100, "weight of the last move, in 1024ths";
    order_continuation_2 = 920, 256..=3072, 100, "weight of the move before, in 1024ths";
    order_continuation_far = 608, 0..=3072, 100, "weight of the plies 4 and 6 back, in 1024ths";
    good_noisy_divisor = 100, 40..=250, 12, "score of a good capture for a centipawn to lose";
    good_quiet = -6400, -200000..=0, 800, "quiet moves with less come after the bad captures";
    mvv = 30, 8..=64, 4, "capture history for a centipawn of the victim";
    threat_score = 23, 0..=40, 3, "history for a centipawn of a piece that leaves danger";
    check_score = 12319, 0..=24000, 1000, "history for a check";
    pawn_shield_score = 4596, 0..=16000, 800, "less for a pawn that leaves its king";
    offense_score = 3502, 0..=16000, 600, "more for a safe move that attacks something";
    check_see = -69, -300..=0, 20, "a check that loses more is no good one";

    // Time management, in hundredths where no unit is given
    time_moves = 22, 12..=60, 2, "moves that the rest of the time is planned for";
    time_max_moves = 40, 20..=80, 4, "moves to the next time control that are planned for";
    time_increment = 85, 40..=100, 5, "share of the increment";
    time_ponder = 125, 100..=160, 5, "with pondering";
    time_hard = 400, 200..=800, 40, "the hard limit by the soft one";
    time_limit = 45, 20..=90, 5, "the most of the rest for one move";
    time_limit_last = 85, 50..=95, 5, "the same for the last move before a time control";
    time_reserve = 50, 1..=300, 15, "milliseconds that the system may take";
    time_reserve_increments = 100, 0..=400, 30, "the same, more by the increment";
    time_delay = 30, 0..=200, 5, "milliseconds kept with an increment of a few";
    time_stability_base = 150, 100..=220, 10, "soft limit: factor of a new best move";
    time_stability_step = 10, 0..=25, 2, "soft limit: less for each iteration with the same one";
    time_stability_limit = 8, 4..=16, 1, "soft limit: the most iterations that count";
    time_trend_rate = 3, 1..=12, 1, "soft limit: more by the fall of the score";
    time_trend_gain = 22, 0..=60, 5, "soft limit: the most less for a risen score";
    time_trend_loss = 50, 20..=150, 8, "soft limit: the most more for a fallen score";
    time_trend_memory = 3, 1..=7, 1, "weight of the scores before, beside the newest one";
    time_effort_base = 170, 120..=250, 10, "soft limit: factor of no effort on the best move";
    time_factor_min = 20, 10..=60, 5, "soft limit: the least factor of all together";
    time_factor_max = 250, 150..=400, 20, "soft limit: the greatest factor of all together";

    @bonuses
    butterfly_bonus = (267, 60..=500, 20), (-123, -400..=200, 25), (2374, 800..=5000, 200), "the best quiet move";
    butterfly_malus = (200, 60..=500, 20), (-86, -400..=200, 25), (1731, 800..=5000, 200), "quiet moves tried before it";
    continuation_bonus = (145, 40..=400, 15), (-64, -400..=200, 25), (1338, 600..=4000, 120), "the best quiet move";
    continuation_malus = (273, 60..=600, 25), (-67, -400..=200, 25), (1051, 600..=4000, 120), "quiet moves tried before it";
    capture_bonus = (121, 40..=400, 15), (-84, -400..=200, 25), (1272, 600..=4000, 120), "the best noisy move";
    capture_malus = (229, 40..=500, 20), (-56, -400..=200, 25), (1574, 600..=4000, 120), "noisy moves tried before the best one";
    refuted_malus = (92, 0..=300, 12), (-49, -300..=200, 20), (1040, 300..=3000, 100), "the first quiet move of the node before";
    research_bonus = (226, 0..=500, 20), (-93, -300..=200, 20), (1608, 400..=4000, 150), "a move whose reduced search failed high";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        let names: HashSet<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES {
            let Tunable { default, min, max, step, .. } = *tunable;
            assert!((min..=max).contains(&default) && step >= 1, "{tunable:?}");
            assert!(step <= max - min, "{tunable:?}");
        }
    }

    #[test]
    #[cfg(feature = "tune")]
    fn each_name_reads_its_own_value() {
        let usual = Tunables::DEFAULT;
        let mut values = usual.values();
        values[Tunable::index_of("rfp_margin").unwrap()] += 1;
        let changed = Tunables::new(values);
        assert_eq!(changed.rfp_margin(), usual.rfp_margin() + 1);
        assert_eq!(changed.rfp_depth(), usual.rfp_depth());
        assert_eq!(Tunable::index_of("Rfp_margin"), None);
    }
}
