//! The transposition table: a fixed number of clusters, indexed by key and shared by all threads.

mod slot;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread::{self, Builder};

use bytemuck::allocation::try_zeroed_vec;
use bytemuck::{Pod, Zeroable};

use super::memory::{CACHE_LINE, HUGE_PAGE, advise_huge_pages, prefetch};
use super::report::{Bound, MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN, TB_WIN_IN_MAX_PLY};
use crate::board::Move;
use slot::Slot;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Any 16 bits. After a key collision the move may be illegal.
    pub mv: Move,
    pub value: i32,
    /// The evaluation without corrections; 0 in check.
    pub raw_eval: i32,
    /// 0 for the quiescence search, [`NO_DEPTH`] if there is only an evaluation.
    pub depth: i32,
    /// None if there is only an evaluation.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

impl TtEntry {
    /// The value at a node, with its bound. None if there is no value or the fifty-move rule may spoil it.
    #[inline(always)]
    pub fn value_at(&self, ply: usize, halfmoves: u16) -> Option<(i32, Bound)> {
        Some((value_from_tt(self.value, ply, halfmoves)?, self.bound?))
    }

    /// An entry with an evaluation only.
    pub fn of_eval(raw_eval: i32, was_pv: bool) -> TtEntry {
        TtEntry { mv: Move::NONE, value: 0, raw_eval, depth: NO_DEPTH, bound: None, was_pv }
    }
}

/// Less than any searched depth.
pub const NO_DEPTH: i32 = -1;

/// Search ages are counted in five bits.
pub const AGES: u8 = 32;

/// An entry as a slot's data word. The word is never 0, because the depth counts from 1.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Packed {
    mv: u16,
    value: i16,
    raw_eval: i16,
    /// Relative to [`NO_DEPTH`], which is stored as 1.
    depth: u8,
    /// The bound in the lowest two bits, then the PV bit, then the age.
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

const MEGABYTE: usize = 1 << 20;

/// Why a table of this size could not be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("{wanted} MB is more than the {present} MB of this machine")]
    MoreThanMachine { wanted: usize, present: usize },
    #[error("{0} MB cannot be had")]
    Refused(usize),
}

/// Slots that share a cache line and are searched together.
const CLUSTER: usize = 4;

const _: () = assert!(CLUSTER * size_of::<Slot>() == CACHE_LINE);

/// An entry of the same position stays if it is deeper by more than this.
const KEEP_DEEPER_BY: i32 = 4;

/// For replacement, each search of age counts like this much less depth.
const AGE_PENALTY: i32 = 8;

/// The number of slots in a huge page.
const SLOTS_PER_PAGE: usize = HUGE_PAGE / size_of::<Slot>();

pub struct TranspositionTable {
    slots: Vec<Slot>,
    /// The offset of the first huge page boundary. A vector aligned to pages would be zeroed at once by the
    /// allocator, instead of page by page on first use.
    first: usize,
    clusters: usize,
    age: AtomicU8,
}

impl TranspositionTable {
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableError> {
        if let Some(present) = machine_megabytes().filter(|&present| megabytes > present) {
            return Err(TableError::MoreThanMachine { wanted: megabytes, present });
        }
        let clusters = megabytes.saturating_mul(MEGABYTE / CACHE_LINE);
        let slots: Vec<Slot> = clusters
            .checked_mul(CLUSTER)
            .and_then(|count| try_zeroed_vec(count.checked_add(SLOTS_PER_PAGE)?).ok())
            .ok_or(TableError::Refused(megabytes))?;
        let first = slots.as_ptr().align_offset(HUGE_PAGE).min(SLOTS_PER_PAGE);
        advise_huge_pages(&slots[first..first + CLUSTER * clusters]);
        Ok(TranspositionTable { slots, first, clusters, age: AtomicU8::new(0) })
    }

    /// Clears the table with several threads.
    pub fn clear(&self, threads: usize) {
        let slots = self.used();
        let share = slots.len().div_ceil(threads.max(1));
        let clear = |slots: &[Slot]| slots.iter().for_each(|slot| slot.write(0, 0));
        thread::scope(|scope| {
            for slots in slots.chunks(share) {
                // The system may deny a thread.
                if Builder::new().spawn_scoped(scope, move || clear(slots)).is_err() {
                    clear(slots);
                }
            }
        });
        self.age.store(0, Relaxed);
    }

    /// Begins a new search: entries of older ones are replaced sooner.
    pub fn increment_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn used(&self) -> &[Slot] {
        &self.slots[self.first..self.first + CLUSTER * self.clusters]
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &[Slot] {
        let number = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        let start = self.first + CLUSTER * number;
        &self.slots[start..start + CLUSTER]
    }

    /// Prefetches a position's cluster.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.cluster(key)[0]);
    }

    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let data = self.cluster(key).iter().find_map(|slot| slot.data_of(key))?;
        Some(Packed::from_word(data).entry())
    }

    /// Replacement: the new entry replaces that of the same position, or else the least valuable one of the
    /// cluster. An entry of the same position stays if it is much deeper and from this search, but takes the
    /// new move; otherwise its move is kept if the new entry has none.
    pub fn store(&self, key: u64, mut entry: TtEntry) {
        let age = self.age.load(Relaxed);
        let value = |slot: &Slot| {
            let (other, data) = slot.read();
            let packed = Packed::from_word(data);
            let searches_ago = i32::from((AGES + age - packed.age()) % AGES);
            let is_free = other == key || data == 0;
            if is_free { i32::MIN } else { packed.depth() - AGE_PENALTY * searches_ago }
        };
        let Some(slot) = self.cluster(key).iter().min_by_key(|slot| value(slot)) else { return };
        if let Some(old) = slot.data_of(key).map(Packed::from_word) {
            let is_deeper = old.depth() > entry.depth + KEEP_DEEPER_BY;
            if is_deeper && old.age() == age && entry.bound != Some(Bound::Exact) {
                if entry.mv != Move::NONE {
                    slot.write(key, old.with_move(entry.mv).word());
                }
                return;
            }
            if entry.mv == Move::NONE {
                entry.mv = old.mv();
            }
        }
        slot.write(key, Packed::new(entry, age).word());
    }

    /// The share of entries from this search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let is_current = |slot: &&Slot| {
            let (_, data) = slot.read();
            data != 0 && Packed::from_word(data).age() == age
        };
        self.used().iter().take(1000).filter(is_current).count() as u32
    }
}

/// Mate scores and tablebase wins are stored relative to the node instead of the root.
pub fn value_to_tt(value: i32, ply: usize) -> i32 {
    if value >= TB_WIN_IN_MAX_PLY {
        value + ply as i32
    } else if value <= -TB_WIN_IN_MAX_PLY {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`value_to_tt`] at a node with this fifty-move counter. None if the fifty-move rule comes
/// before the mate, or before the next zeroing move of a tablebase win, because tablebases assume that the
/// counter starts at 0.
fn value_from_tt(value: i32, ply: usize, halfmoves: u16) -> Option<i32> {
    debug_assert!(ply <= MAX_PLY);
    let is_mate = value.abs() >= MATE_IN_MAX_PLY;
    if value.abs() < TB_WIN_IN_MAX_PLY {
        return Some(value);
    }
    let plies = if is_mate { MATE } else { TB_WIN } - value.abs();
    let in_time = plies + i32::from(halfmoves) <= 100 && (is_mate || plies > 0 || halfmoves == 0);
    in_time.then_some(value - value.signum() * ply as i32)
}

/// The machine's memory, where the system has a file that says so.
fn machine_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
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
