//! Settings of the allocator.

/// Freed blocks of at least this size are returned to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 128 << 10;

/// Makes glibc return large blocks, such as a search thread's histories, to the system, and keep one arena for
/// all threads. Unless its threshold is fixed, glibc raises it with each large block that is freed. An arena
/// for each thread would reserve 64 MB of addresses after the check that a new thread leaves enough.
pub fn set_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the allocator's parameters may be set at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
