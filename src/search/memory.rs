//! Memory is far away: what will be needed is asked for early, and lies in huge pages, with which the
//! processor translates addresses sooner.

/// The bytes that the processor loads at once.
pub const CACHE_LINE: usize = 64;

/// Asks the processor to load the cache line in which a value begins.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching may name any address and changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The bytes of a huge page.
pub const HUGE_PAGE: usize = 2 << 20;

/// Asks the system for huge pages under memory that was not used yet. It need not agree; only the
/// speed depends on it.
pub fn advise_huge_pages<T>(memory: &[T]) {
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
