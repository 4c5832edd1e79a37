//! The transposition table, shared by all threads: a fixed number of clusters, found by the key.

mod entry;
mod huge_pages;
mod slot;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread::{self, Builder};

use bytemuck::allocation::try_zeroed_vec;

pub use entry::{NO_DEPTH, TtEntry};

use super::prefetch::prefetch;
use super::report::Bound;
use super::score::{MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN, TB_WIN_IN_MAX_PLY};
use crate::board::Move;
use entry::{AGES, Packed};
use huge_pages::HUGE_PAGE;
use slot::Slot;

const MEGABYTE: usize = 1 << 20;

/// Why there is no table of this size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("{wanted} MB is more than the {present} MB of this machine")]
    MoreThanMachine { wanted: usize, present: usize },
    #[error("{0} MB cannot be had")]
    Refused(usize),
}

/// Slots that share a cache line, and so are looked at together.
const CLUSTER: usize = 4;

const CACHE_LINE: usize = 64;

const _: () = assert!(CLUSTER * size_of::<Slot>() == CACHE_LINE);

/// An entry of the same position stays if it is deeper by more than this.
const KEEP_DEEPER_BY: i32 = 4;

/// A search older counts like this much less depth when an entry is replaced.
const AGE_PENALTY: i32 = 8;

/// Slots in a huge page.
const SLOTS_PER_PAGE: usize = HUGE_PAGE / size_of::<Slot>();

pub struct TranspositionTable {
    slots: Vec<Slot>,
    /// The first slot at the beginning of a huge page. For a vector aligned to pages the system
    /// would fill all memory with zeros at once, instead of page by page as it is used.
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
        huge_pages::advise(&slots[first..first + CLUSTER * clusters]);
        Ok(TranspositionTable { slots, first, clusters, age: AtomicU8::new(0) })
    }

    /// Empties the table, with this many threads.
    pub fn clear(&self, threads: usize) {
        let slots = self.used();
        let share = slots.len().div_ceil(threads.max(1));
        let clear = |slots: &[Slot]| slots.iter().for_each(|slot| slot.write(0, 0));
        thread::scope(|scope| {
            for slots in slots.chunks(share) {
                // The system may have no thread to spare.
                if Builder::new().spawn_scoped(scope, move || clear(slots)).is_err() {
                    clear(slots);
                }
            }
        });
        self.age.store(0, Relaxed);
    }

    /// A new search begins: entries of older ones are replaced sooner.
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

    /// Asks the processor to load a position's cluster before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.cluster(key)[0]);
    }

    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let data = self.cluster(key).iter().find_map(|slot| slot.data_of(key))?;
        Some(Packed::from_word(data).entry())
    }

    /// Replacement: the least valuable entry of the cluster goes, or the one of the same position.
    /// That one stays if it is much deeper and of this search, with the new move; otherwise it lends
    /// its move if there is no new one.
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

    /// How full the table is with entries of this search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let is_current = |slot: &&Slot| {
            let (_, data) = slot.read();
            data != 0 && Packed::from_word(data).age() == age
        };
        self.used().iter().take(1000).filter(is_current).count() as u32
    }
}

/// Mate scores and tablebase wins count from the root, and in the table from the node.
pub fn value_to_tt(value: i32, ply: usize) -> i32 {
    if value >= TB_WIN_IN_MAX_PLY {
        value + ply as i32
    } else if value <= -TB_WIN_IN_MAX_PLY {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`value_to_tt`] at a node with this fifty-move counter. There is none if the
/// fifty-move rule comes before the mate, or before the next zeroing move of a tablebase win: the
/// tables speak of positions in which the count begins.
pub fn value_from_tt(value: i32, ply: usize, halfmoves: u16) -> Option<i32> {
    debug_assert!(ply <= MAX_PLY);
    let is_mate = value.abs() >= MATE_IN_MAX_PLY;
    if value.abs() < TB_WIN_IN_MAX_PLY {
        return Some(value);
    }
    let plies = if is_mate { MATE } else { TB_WIN } - value.abs();
    let in_time = plies + i32::from(halfmoves) <= 100 && (is_mate || plies > 0 || halfmoves == 0);
    in_time.then_some(value - value.signum() * ply as i32)
}

/// The machine's memory, where the system tells it in a file.
fn machine_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}
