//! Memory in large pages: the processor finds a place of the table with fewer looks at where its
//! pages are.

/// The bytes of a large page.
pub const LARGE_PAGE: usize = 2 << 20;

/// Asks the system for large pages under memory that was not used yet. It need not agree, and nothing
/// but the speed depends on it.
pub fn prefer_large<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        let start = memory.as_ptr().cast_mut();
        // SAFETY: the advice changes nothing in the memory, which is ours; one that the system
        // cannot follow it refuses.
        unsafe { libc::madvise(start.cast(), size_of_val(memory), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
