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
    pub depth: i32,
    pub bound: Bound,
}

/// Searches are counted in six bits.
pub const AGES: u8 = 64;

/// An entry in a slot's data word. It is never 0: the bound has no 0.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Packed {
    mv: u16,
    value: i16,
    raw_eval: i16,
    depth: u8,
    /// The bound in the lowest two bits, above it the age.
    bound_age: u8,
}

impl Packed {
    #[inline(always)]
    pub fn new(entry: TtEntry, age: u8) -> Packed {
        let bound = match entry.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        Packed {
            mv: entry.mv.bits(),
            value: entry.value as i16,
            raw_eval: entry.raw_eval as i16,
            depth: entry.depth.clamp(0, 255) as u8,
            bound_age: bound | age << 2,
        }
    }

    #[inline(always)]
    pub fn entry(self) -> TtEntry {
        TtEntry {
            mv: self.mv(),
            value: i32::from(self.value),
            raw_eval: i32::from(self.raw_eval),
            depth: self.depth(),
            bound: match self.bound_age & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
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
    pub fn depth(self) -> i32 {
        i32::from(self.depth)
    }

    #[inline(always)]
    pub fn age(self) -> u8 {
        self.bound_age >> 2
    }
}
