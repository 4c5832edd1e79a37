//! A slot of the transposition table under all interleavings of threads, and all orders in which their words
//! can arrive.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

#[path = "../../src/engine/search/tt/slot.rs"]
mod slot;

use slot::{Slot, Word};

impl Word for AtomicU64 {
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    fn store(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

type Write = (u64, u64);

const HERE: Write = (0x0123_4567_89AB_CDEF, 0x1111_0000_2222_3333);
const HERE_LATER: Write = (HERE.0, 0x4444_5555_0000_6666);
const THERE: Write = (0xFEDC_BA98_7654_3210, 0x7777_8888_9999_0000);
const CLEARED: Write = (0, 0);

/// While two threads write, a reader gets the data of one of them, or nothing.
fn never_mixes(writes: [Write; 2], wanted: u64) {
    loom::model(move || {
        let slot = Arc::new(Slot::<AtomicU64>::default());
        let writers = writes.map(|(key, data)| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.write(key, data))
        });
        if let Some(read) = slot.data_of(wanted) {
            assert!(writes.contains(&(wanted, read)), "{read:x} of {wanted:x}");
        }
        for writer in writers {
            writer.join().expect("it writes");
        }
    });
}

#[test]
fn a_torn_slot_reads_as_a_miss() {
    never_mixes([HERE, THERE], HERE.0);
    never_mixes([HERE, THERE], THERE.0);
    never_mixes([HERE, HERE_LATER], HERE.0);
    never_mixes([HERE, CLEARED], HERE.0);
}
