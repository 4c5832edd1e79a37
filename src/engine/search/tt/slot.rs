//! A slot of the table, which threads write without locks: a key and its data in two words.
//!
//! The words are the key xor the data, and the data. A slot that mixes the words of two writers no longer
//! matches its key and reads as a miss.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// An atomic word: the processor's, or that of the model checker, which tries every interleaving of threads.
pub trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline(always)]
    fn store(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

/// Data is never 0, so zeroed memory consists of empty slots.
#[derive(Default, Zeroable)]
#[repr(C)]
pub struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

impl<W: Word> Slot<W> {
    /// Reads the key and its data. After a torn write the key is wrong.
    #[inline(always)]
    pub fn read(&self) -> (u64, u64) {
        let data = self.data.load();
        (self.check.load() ^ data, data)
    }

    #[inline(always)]
    pub fn write(&self, key: u64, data: u64) {
        self.data.store(data);
        self.check.store(key ^ data);
    }

    /// The data of a key, if it is here.
    #[inline(always)]
    pub fn data_of(&self, wanted: u64) -> Option<u64> {
        let (key, data) = self.read();
        (key == wanted && data != 0).then_some(data)
    }
}
