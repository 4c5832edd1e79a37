//! What the table knows of a position, and its layout in 64 bits.

use bytemuck::{Pod, Zeroable};

use crate::board::Move;
use crate::search::report::Bound;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Any 16 bits: after a key collision it need not be legal.
    pub mv: Move,
    pub value: i32,
    /// The evaluation without corrections; 0 in check.
    pub raw_eval: i32,
    /// 0 from the quiescence search, and [`NO_DEPTH`] if only the evaluation is known.
    pub depth: i32,
    /// None if only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

impl TtEntry {
    /// An evaluation alone.
    pub fn of_eval(raw_eval: i32, was_pv: bool) -> TtEntry {
        TtEntry { mv: Move::NONE, value: 0, raw_eval, depth: NO_DEPTH, bound: None, was_pv }
    }
}

/// Less than every depth that was searched.
pub const NO_DEPTH: i32 = -1;

/// Searches are counted in five bits.
pub const AGES: u8 = 32;

/// An entry in a slot's data word. It is never 0: the depth counts from 1.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Packed {
    mv: u16,
    value: i16,
    raw_eval: i16,
    /// Counted from [`NO_DEPTH`], which is 1.
    depth: u8,
    /// The bound in the lowest two bits, above it the PV bit, then the age.
    flags: u8,
}

impl Packed {
    #[inline(always)]
    pub fn new(entry: TtEntry, age: u8) -> Packed {
        let bound = match entry.bound {
            None => 0,
            Some(Bound::Lower) => 1,
            Some(Bound::Upper) => 2,
            Some(Bound::Exact) => 3,
        };
        Packed {
            mv: entry.mv.bits(),
            value: entry.value as i16,
            raw_eval: entry.raw_eval as i16,
            depth: (entry.depth - NO_DEPTH + 1).clamp(1, 255) as u8,
            flags: bound | u8::from(entry.was_pv) << 2 | age << 3,
        }
    }

    #[inline(always)]
    pub fn entry(self) -> TtEntry {
        TtEntry {
            mv: self.mv(),
            value: i32::from(self.value),
            raw_eval: i32::from(self.raw_eval),
            depth: self.depth(),
            bound: match self.flags & 3 {
                0 => None,
                1 => Some(Bound::Lower),
                2 => Some(Bound::Upper),
                _ => Some(Bound::Exact),
            },
            was_pv: self.flags & 4 != 0,
        }
    }

    #[inline(always)]
    pub fn from_word(word: u64) -> Packed {
        bytemuck::must_cast(word)
    }

    #[inline(always)]
    pub fn word(self) -> u64 {
        bytemuck::must_cast(self)
    }

    #[inline(always)]
    pub fn mv(self) -> Move {
        Move::from_bits(self.mv)
    }

    #[inline(always)]
    pub fn with_move(self, mv: Move) -> Packed {
        Packed { mv: mv.bits(), ..self }
    }

    #[inline(always)]
    pub fn depth(self) -> i32 {
        i32::from(self.depth) + NO_DEPTH - 1
    }

    #[inline(always)]
    pub fn age(self) -> u8 {
        self.flags >> 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_packed_without_loss_and_never_as_zero() {
        let bounds = [None, Some(Bound::Lower), Some(Bound::Upper), Some(Bound::Exact)];
        for bound in bounds {
            for (depth, was_pv) in [(NO_DEPTH, false), (0, true), (1, false), (245, true)] {
                let mv = Move::from_bits(0x1234);
                let entry = TtEntry { mv, value: -31_999, raw_eval: 77, depth, bound, was_pv };
                let packed = Packed::new(entry, AGES - 1);
                assert_eq!(Packed::from_word(packed.word()).entry(), entry);
                assert_eq!(packed.age(), AGES - 1);
            }
        }
        assert_ne!(Packed::new(TtEntry::of_eval(0, false), 0).word(), 0);
    }
}
