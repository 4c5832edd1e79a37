//! Memory in huge pages, with which the processor translates the table's addresses sooner.

/// The bytes of a huge page.
pub const HUGE_PAGE: usize = 2 << 20;

/// Asks the system for huge pages under memory that was not used yet. It need not agree; only the
/// speed depends on it.
pub fn advise<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        let start = memory.as_ptr().cast_mut();
        // SAFETY: the advice changes nothing in the memory, which is ours; advice that the system
        // cannot follow is refused.
        unsafe { libc::madvise(start.cast(), size_of_val(memory), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
