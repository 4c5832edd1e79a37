//! Memory latency: prefetching, and huge pages, which make address translation cheaper.

/// The bytes in a cache line.
pub const CACHE_LINE: usize = 64;

/// Asks the processor to load the cache line in which a value begins.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching accepts any address and has no effect on memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The bytes in a huge page.
pub const HUGE_PAGE: usize = 2 << 20;

/// Asks the system for huge pages under memory that has not been used yet. The system may refuse, which only
/// costs speed.
pub fn advise_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        let start = memory.as_ptr().cast_mut();
        // SAFETY: the advice does not change our memory, and the system ignores advice that it cannot follow.
        unsafe { libc::madvise(start.cast(), size_of_val(memory), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
