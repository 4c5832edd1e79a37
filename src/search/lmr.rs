//! Late move reductions.

use super::node::{Node, NodeType};
use super::tunables::Tunables;
use crate::board::Move;

/// A ply, in the unit of reductions.
pub const PLY: i32 = 1024;

/// A move of the move loop.
pub struct LoopMove {
    pub mv: Move,
    pub is_quiet: bool,
    /// A noisy move that loses by SEE.
    pub is_bad_noisy: bool,
    pub history: i32,
    /// How many moves were searched or pruned, this one included.
    pub count: i32,
    /// The reduction by depth and move count alone, in 1024ths of a ply.
    pub base_reduction: i32,
}

/// What the moves before have shown.
pub struct SoFar {
    /// A move beats the first alpha.
    pub raises_alpha: bool,
    /// How many nodes of the next ply failed high.
    pub cutoffs: u32,
    /// How far the TT move's score is above that of a search without it.
    pub tt_move_lead: Option<i32>,
}

/// The reduction by depth and move count: a base and a factor for the product of their logarithms.
#[inline(always)]
pub fn base_reduction(tunables: Tunables, is_quiet: bool, depth: i32, count: i32) -> i32 {
    let (base, factor) = if is_quiet {
        (tunables.lmr_quiet_base(), tunables.lmr_quiet_factor())
    } else {
        (tunables.lmr_noisy_base(), tunables.lmr_noisy_factor())
    };
    let [depth, count] = [depth, count].map(|n| LOG2[n.clamp(0, 63) as usize]);
    base + factor * ((depth * count) >> 10) / PLY
}

/// The depth at which a move would be searched after its base reduction: what margins of the move
/// loop are measured by.
#[inline(always)]
pub fn lmr_depth(depth: i32, base_reduction: i32) -> i32 {
    (depth - base_reduction / PLY).max(0)
}

impl Node<'_> {
    /// The reduction of a move in 1024ths of a ply.
    #[inline(always)]
    pub fn reduction<T: NodeType>(
        &self,
        tunables: Tunables,
        mv: &LoopMove,
        gives_check: bool,
        so_far: &SoFar,
    ) -> i32 {
        let value = self.tt.value.map(|(value, _)| value);
        let is_tt_deep = self.tt.depth() >= self.depth;
        let mut reduction = mv.base_reduction;
        if !self.improving {
            reduction += tunables.lmr_not_improving();
        }
        reduction -= (tunables.lmr_improvement() * self.improvement / 128)
            .clamp(-tunables.lmr_improvement_more(), tunables.lmr_improvement_less());
        if so_far.raises_alpha {
            reduction += tunables.lmr_raised_alpha();
        }
        if value.is_some_and(|value| value <= self.original_alpha) {
            reduction += tunables.lmr_tt_fails_low();
        }
        if value.is_some() && !is_tt_deep {
            reduction += tunables.lmr_tt_shallow();
        }
        if T::PV {
            let width = (self.beta - self.original_alpha).min(self.root_delta);
            reduction -= tunables.lmr_pv() + tunables.lmr_pv_width() * width / self.root_delta;
        }
        if mv.is_quiet && !self.in_check {
            let limit = tunables.lmr_gap_limit();
            let gap = (self.original_alpha - self.eval.refined).clamp(-limit, limit);
            reduction += tunables.lmr_gap() * gap;
        }
        if self.tt_pv {
            reduction -= tunables.lmr_tt_pv();
            if value.is_some_and(|value| value > self.original_alpha) {
                reduction -= tunables.lmr_tt_pv_fails_high();
            }
            if value.is_some() && is_tt_deep {
                reduction -= tunables.lmr_tt_pv_deep();
            }
        } else if self.cut_node {
            reduction += tunables.lmr_cut_node();
            if self.tt_move.is_none() {
                reduction += tunables.lmr_cut_node_no_tt_move();
            }
        }
        if self.tt_move_is_noisy && mv.is_quiet {
            reduction += tunables.lmr_noisy_tt_move();
        }
        if gives_check {
            reduction -= tunables.lmr_check();
        }
        if self.ply == 0 && (!mv.is_quiet || gives_check) {
            reduction -= tunables.lmr_root_forcing();
        }
        if so_far.cutoffs > tunables.lmr_cutoff_count() as u32 {
            reduction += tunables.lmr_cutoffs();
            if !T::PV && !self.cut_node {
                reduction += tunables.lmr_cutoffs_all_node();
            }
        }
        if let Some(lead) = so_far.tt_move_lead {
            let more = tunables.lmr_lead() * (lead - tunables.lmr_lead_offset()) / 128;
            reduction += more.clamp(0, tunables.lmr_lead_limit());
        }
        let divisor = if mv.is_quiet {
            tunables.lmr_history_divisor()
        } else {
            tunables.lmr_capture_history_divisor()
        };
        reduction -= PLY * mv.history / divisor;
        reduction - self.eval.correction.abs() * tunables.lmr_correction()
    }

    /// The plies less of a move outside late move reductions, by what they would be.
    #[inline(always)]
    pub fn full_depth_reduction<T: NodeType>(
        &self,
        tunables: Tunables,
        mv: &LoopMove,
        gives_check: bool,
        so_far: &SoFar,
    ) -> i32 {
        let mut reduction = self.reduction::<T>(tunables, mv, gives_check, so_far);
        if self.tt_move == Some(mv.mv) {
            reduction -= tunables.full_depth_tt_move();
        }
        i32::from(reduction >= tunables.full_depth_one_less())
            + i32::from(reduction >= tunables.full_depth_two_less())
    }
}

/// Logarithms to base 2 in 1024ths, linear between powers of two.
static LOG2: [i32; 64] = {
    let mut table = [0; 64];
    let mut n: i32 = 1;
    while n < 64 {
        let whole = n.ilog2() as i32;
        table[n as usize] = 1024 * whole + (n << 10 >> whole) - 1024;
        n += 1;
    }
    table
};
