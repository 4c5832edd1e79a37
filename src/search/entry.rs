//! An entry of the table: a key and what is known of it, in two words.
//!
//! The words are the key xor the data and the data. Threads write without locks; an entry of which
//! one word is another thread's does not match its key any more, and reads as a miss.

use bytemuck::Zeroable;

use super::atomic::{AtomicU64, Ordering::Relaxed};

/// Data is never 0, so that zeroed memory is empty entries. Other words than the processor's own
/// are for the model test, which plays through all that threads can do to each other.
#[derive(Default, Zeroable)]
#[repr(C)]
pub struct Entry<Word = AtomicU64> {
    check: Word,
    data: Word,
}

impl Entry {
    /// The key and its data. If two threads wrote at once, the key is one that nobody asks for.
    pub fn read(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    pub fn write(&self, key: u64, data: u64) {
        self.data.store(data, Relaxed);
        self.check.store(key ^ data, Relaxed);
    }

    /// The data of a key.
    pub fn data_of(&self, wanted: u64) -> Option<u64> {
        let (key, data) = self.read();
        (key == wanted && data != 0).then_some(data)
    }
}
