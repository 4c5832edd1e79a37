//! The transposition table: what was found out about positions, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use bytemuck::allocation::try_zeroed_vec;

use super::entry::Entry;
use super::pages::{LARGE_PAGE, prefer_large};
use super::report::Bound;
use super::score::{MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN, TB_WIN_IN_MAX_PLY};
use crate::board::Move;

const MEGABYTE: usize = 1 << 20;

/// Ages count in six bits.
const AGES: u64 = 64;

/// Why there is no table of this size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("{wanted} MB is more than the {present} MB of this machine")]
    MoreThanMachine { wanted: usize, present: usize },
    #[error("{0} MB cannot be had")]
    Refused(usize),
}

/// Entries that share a line of the cache, and so are looked at together.
const CLUSTER: usize = 4;

/// The bytes of a line of the cache.
const LINE: usize = 64;

/// An entry of the same position stays if it is by more than so many plies deeper.
const MUCH_DEEPER: i32 = 4;

const _: () = assert!(CLUSTER * size_of::<Entry>() == LINE);

/// Entries in a large page.
const PAGE: usize = LARGE_PAGE / size_of::<Entry>();

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Any 16 bits: ask whether it is legal.
    pub mv: Move,
    pub value: i32,
    pub evaluation: i32,
    pub depth: i32,
    pub bound: Bound,
}

pub struct Table {
    entries: Vec<Entry>,
    /// The first entry at the beginning of a large page. A vector aligned to pages would do without,
    /// but the system then fills its memory with zeros at once, instead of page by page as it is
    /// used.
    first: usize,
    clusters: usize,
    age: AtomicU64,
}

impl Table {
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        if let Some(present) = machine_megabytes().filter(|&present| megabytes > present) {
            return Err(TableError::MoreThanMachine { wanted: megabytes, present });
        }
        let clusters = megabytes.saturating_mul(MEGABYTE / LINE);
        let entries: Vec<Entry> = clusters
            .checked_mul(CLUSTER)
            .and_then(|count| try_zeroed_vec(count.checked_add(PAGE)?).ok())
            .ok_or(TableError::Refused(megabytes))?;
        let first = entries.as_ptr().align_offset(LARGE_PAGE).min(PAGE);
        prefer_large(&entries[first..first + CLUSTER * clusters]);
        Ok(Table { entries, first, clusters, age: AtomicU64::new(0) })
    }

    /// Forgets everything, with as many threads as are given.
    pub fn clear(&self, threads: usize) {
        let entries = self.used();
        let share = entries.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for entries in entries.chunks(share) {
                scope.spawn(|| entries.iter().for_each(|entry| entry.write(0, 0)));
            }
        });
        self.age.store(0, Relaxed);
    }

    /// Says that a new search begins, so that what older ones left is worth less.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn used(&self) -> &[Entry] {
        &self.entries[self.first..self.first + CLUSTER * self.clusters]
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &[Entry] {
        let number = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        let start = self.first + CLUSTER * number;
        &self.entries[start..start + CLUSTER]
    }

    /// Asks the processor to have what is known of a position at hand soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching may name any address and changes nothing; this one is valid.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(self.cluster(key).as_ptr().cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    pub fn probe(&self, key: u64) -> Option<Stored> {
        let data = self.cluster(key).iter().find_map(|entry| entry.data_of(key))?;
        Some(Stored {
            mv: Move::from_bits(data as u16),
            value: i32::from((data >> 16) as i16),
            evaluation: i32::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound: match data >> 56 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
        })
    }

    /// Keeps what was found out, in place of what is worth least among its neighbours. What is known
    /// of the same position stays if it comes from much deeper in this search, and its move if
    /// there is no new one.
    pub fn store(&self, key: u64, mut stored: Stored) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let depth_of = |data: u64| (data >> 48 & 0xFF) as i32;
        let worth = |entry: &Entry| {
            let (other, data) = entry.read();
            let years = (AGES + age - (data >> 58)) % AGES;
            if other == key || data == 0 { i32::MIN } else { depth_of(data) - 8 * years as i32 }
        };
        let Some(entry) = cluster.iter().min_by_key(|entry| worth(entry)) else { return };
        if let Some(old) = entry.data_of(key) {
            let deeper = depth_of(old) > stored.depth + MUCH_DEEPER;
            if deeper && old >> 58 == age && stored.bound != Bound::Exact {
                return;
            }
            if stored.mv == Move::NONE {
                stored.mv = Move::from_bits(old as u16);
            }
        }
        let bound = match stored.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let data = u64::from(stored.mv.bits())
            | u64::from(stored.value as i16 as u16) << 16
            | u64::from(stored.evaluation as i16 as u16) << 32
            | (stored.depth.clamp(0, 255) as u64) << 48
            | bound << 56
            | age << 58;
        entry.write(key, data);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn permille(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let entries = self.used().iter().take(1000);
        let fresh = |entry: &&Entry| {
            let (_, data) = entry.read();
            data != 0 && data >> 58 == age
        };
        entries.filter(fresh).count() as u32
    }
}

/// A score that counts wins from the root, as the table keeps it: from the node.
pub fn to_table(value: i32, ply: usize) -> i32 {
    if value >= TB_WIN_IN_MAX_PLY {
        value + ply as i32
    } else if value <= -TB_WIN_IN_MAX_PLY {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`to_table`], after so many moves of the fifty-move rule's hundred. There is none
/// if the rule comes before the mate, or before the capture or pawn move to a win of the endgame
/// tables: these speak of positions in which the count begins.
pub fn from_table(value: i32, ply: usize, halfmoves: u16) -> Option<i32> {
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
