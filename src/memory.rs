//! Settings of the allocator.

/// Freed blocks of at least this size are returned to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 128 << 10;

/// Makes glibc return large blocks, such as a search thread's histories, to the system. Unless its threshold
/// is fixed, glibc raises it with each large block that is freed.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the allocator's parameters may be set at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE)
    };
}
