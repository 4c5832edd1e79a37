//! The numbers that only matches can judge: each is declared once, here, with its default, its
//! range and the step of tuning at its end. Scores are in centipawns.
//!
//! In ordinary builds they are constants. A build with the feature `tune` reads them from a set of
//! values that the search carries, so that two sets can play each other in one process.

/// A number of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    pub step: i32,
    pub meaning: &'static str,
}

/// The numbers in force: constants, so it has no size.
#[cfg(not(feature = "tune"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tunables;

/// The numbers in force.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunables(&'static TunableValues);

/// A value for each number, by its place in [`TUNABLES`].
#[cfg(feature = "tune")]
pub type TunableValues = [i32; TUNABLES.len()];

#[cfg(not(feature = "tune"))]
impl Tunables {
    pub const DEFAULT: Tunables = Tunables;
}

#[cfg(feature = "tune")]
impl Tunables {
    pub const DEFAULT: Tunables = Tunables(&DEFAULTS);

    /// The values are kept to the end of the process, 400 bytes a set.
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
    /// The place of a name in the table.
    pub fn index_of(name: &str) -> Option<usize> {
        TUNABLES.iter().position(|tunable| tunable.name == name)
    }
}

macro_rules! tunables {
    ($($name:ident = $default:literal, $min:literal..=$max:literal, $step:literal, $meaning:literal;)*) => {
        #[cfg(not(feature = "tune"))]
        impl Tunables {
            $(
                #[doc = $meaning]
                #[inline(always)]
                pub const fn $name(self) -> i32 {
                    $default
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
        }

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        enum Place {
            $($name,)*
        }

        pub const TUNABLES: &[Tunable] = &[$(
            Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                meaning: $meaning,
            },
        )*];
    };
}

tunables! {
    // Aspiration windows
    aspiration_depth = 4, 2..=8, 1, "the first iteration with a narrow window";
    aspiration_window = 14, 5..=50, 3, "half of the first window";
    aspiration_growth = 3, 1..=8, 1, "growth of the window at each failure, in quarters of itself";
    aspiration_limit = 600, 200..=2000, 100, "a wider window is opened fully";
    aspiration_reduction = 3, 0..=5, 1, "the most plies less after fail highs";

    // Lazy SMP
    helper_full_depth = 6, 1..=12, 1, "the last iteration that every helper takes part in";
    vote_margin = 20, 0..=100, 5, "a vote's weight by the worst score of all threads";

    // Margins prune nothing beyond it
    decided_score = 1500, 600..=4000, 150, "only mates are worth more than such a score";

    // Reverse futility pruning
    rfp_depth = 9, 4..=14, 1, "the greatest depth";
    rfp_margin = 80, 30..=150, 8, "above beta, by depth";

    // Razoring
    razor_depth = 3, 1..=7, 1, "the greatest depth";
    razor_margin = 250, 100..=500, 20, "below alpha, by depth";

    // Null move pruning
    nmp_depth = 2, 1..=5, 1, "the least depth";
    nmp_base = 4, 2..=7, 1, "the reduction";
    nmp_depth_divisor = 4, 2..=8, 1, "depth for one ply more of reduction";
    nmp_eval_divisor = 200, 80..=400, 20, "score above beta for one ply more of reduction";
    nmp_eval_limit = 3, 1..=7, 1, "the most plies of reduction by score";
    nmp_verify_depth = 14, 8..=30, 1, "the least depth at which a cutoff is verified";
    nmp_verify_share = 3, 1..=4, 1, "quarters of the verified depth that go without null moves";

    // Internal iterative reductions
    iir_depth = 4, 2..=8, 1, "the least depth";

    // Futility pruning
    futility_depth = 8, 4..=14, 1, "the greatest LMR depth";
    futility_base = 100, 20..=250, 15, "below alpha";
    futility_margin = 90, 30..=180, 10, "below alpha, by LMR depth";

    // Late move pruning
    lmp_base = 4, 1..=12, 1, "quiet moves that are searched, beside depth squared";

    // History pruning
    history_pruning_depth = 5, 2..=10, 1, "the greatest LMR depth";
    history_pruning_margin = -4000, -8000..=-1000, 400, "a worse history is pruned, by depth";

    // SEE pruning
    see_depth = 9, 4..=14, 1, "the greatest depth";
    see_quiet_margin = -25, -60..=-5, 4, "quiet moves, by LMR depth squared";
    see_noisy_margin = -100, -250..=-30, 12, "noisy moves, by depth";
    see_check_margin = -200, -400..=-50, 20, "checks that would be pruned otherwise, by depth";

    // Singular extensions, multi-cut
    singular_depth = 7, 4..=10, 1, "the least depth";
    singular_tt_depth = 3, 1..=6, 1, "plies by which the TT entry may be shallower";
    singular_margin = 16, 4..=48, 3, "below the TT value, by depth in sixteenths";
    double_extension_margin = 20, 0..=60, 5, "a move that stands out this much more gets two plies";
    multi_cut_reduction = 2, 0..=4, 1, "plies less if the TT value alone reaches beta";
    cut_node_reduction = 1, 0..=3, 1, "plies less at other cut nodes";

    // Check extensions
    check_extension_depth = 5, 1..=10, 1, "the least depth";
    check_extension_ply = 3, 0..=10, 1, "plies from the root, for checks that lose nothing";
    one_reply_extension_ply = 5, 0..=12, 1, "plies from the root, for checks with a single reply";

    // Late move reductions, in 1024ths of a ply
    lmr_depth = 2, 1..=4, 1, "the least depth";
    lmr_quiet_base = 800, 0..=2000, 100, "quiet moves";
    lmr_quiet_factor = 240, 100..=500, 20, "quiet moves, by the logarithms of depth and move count";
    lmr_noisy_base = 200, -500..=1200, 100, "noisy moves";
    lmr_noisy_factor = 160, 50..=400, 20, "noisy moves, by the logarithms of depth and move count";
    lmr_not_improving = 1024, 0..=2048, 128, "more if not improving";
    lmr_cut_node = 2048, 0..=4096, 192, "more at cut nodes";
    lmr_pv = 1024, 0..=2048, 128, "less at PV nodes";
    lmr_noisy_tt_move = 1024, 0..=2048, 128, "more for quiet moves if the TT move is noisy";
    lmr_check = 1024, 0..=2048, 128, "less for checks";
    lmr_root_forcing = 1024, 0..=2048, 128, "less for noisy moves and checks at the root";
    lmr_cutoffs = 1024, 0..=2048, 128, "more if many nodes of the next ply failed high";
    lmr_cutoff_count = 3, 1..=6, 1, "more cutoffs than this are many";
    lmr_history_divisor = 8000, 3000..=16000, 600, "history for one ply less";
    lmr_deeper_margin = 40, 10..=100, 6, "above the best score, for one ply more in the re-search";

    // Quiescence search
    qs_futility = 150, 50..=350, 20, "a capture's gain beyond its victim";

    // Histories
    history_bonus = 160, 60..=320, 16, "bonus and malus, by depth";
    history_bonus_offset = -80, -300..=200, 25, "bonus and malus";
    history_bonus_limit = 1600, 800..=3200, 120, "the greatest bonus and malus";
    far_continuation = 512, 0..=1024, 64, "weight of the plies 4 and 6 back, in 1024ths";

    // Correction histories
    correction_rate = 4, 1..=12, 1, "bonus by error and depth";
    correction_limit = 4096, 1024..=8192, 512, "the greatest bonus";
    correction_divisor = 256, 64..=768, 32, "entries for a centipawn";

    // Move ordering
    mvv = 32, 8..=64, 4, "capture history for a centipawn of the victim";
    threat_score = 20, 0..=40, 3, "history for a centipawn of a piece that leaves danger";
    check_score = 12000, 0..=24000, 1000, "history for a check";
    check_see = -75, -300..=0, 20, "a check that loses more is no good one";

    // Time management, in hundredths where no unit is given
    time_moves = 24, 12..=60, 2, "moves that the rest of the time is planned for";
    time_max_moves = 40, 20..=80, 4, "moves to the next time control that are planned for";
    time_increment = 75, 40..=100, 5, "share of the increment";
    time_ponder = 125, 100..=160, 5, "with pondering";
    time_hard = 400, 200..=800, 40, "the hard limit by the soft one";
    time_limit = 50, 20..=90, 5, "the most of the rest for one move";
    time_limit_last = 90, 50..=95, 5, "the same for the last move before a time control";
    time_stability_base = 150, 100..=220, 10, "soft limit: factor of a new best move";
    time_stability_step = 10, 0..=25, 2, "soft limit: less for each iteration with the same one";
    time_stability_limit = 8, 4..=16, 1, "soft limit: the most iterations that count";
    time_trend_gain = 20, 0..=60, 5, "soft limit: the most less for a risen score";
    time_trend_loss = 60, 20..=150, 8, "soft limit: the most more for a fallen score";
    time_trend_memory = 3, 1..=7, 1, "weight of the scores before, beside the newest one";
    time_effort_base = 170, 120..=250, 10, "soft limit: factor of no effort on the best move";
    time_factor_min = 20, 10..=60, 5, "soft limit: the least factor of all together";
    time_factor_max = 250, 150..=400, 20, "soft limit: the greatest factor of all together";
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
        assert_eq!(Tunables::DEFAULT.rfp_margin(), 80);
        let mut values = Tunables::DEFAULT.values();
        values[Tunable::index_of("rfp_margin").unwrap()] = 81;
        let changed = Tunables::new(values);
        assert_eq!([changed.rfp_margin(), changed.rfp_depth()], [81, 9]);
        assert_eq!(Tunable::index_of("Rfp_margin"), None);
    }
}
