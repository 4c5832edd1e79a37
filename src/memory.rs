//! What the allocator is told.

/// Blocks of this size and more are given back to the system when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 128 << 10;

/// Lets large blocks, such as a search thread's histories, go back to the system once they are freed.
/// glibc keeps what it has seen freed before, whatever its size, unless its threshold is fixed.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the allocator's parameters may be set at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE)
    };
}
