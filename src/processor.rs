//! Whether the processor has what this build assumes.
//!
//! A build for newer processors uses their instructions everywhere, even in what the language does
//! before `main`. So the question is put by a function that the system's loader calls first of all,
//! and an older processor gets one clear line instead of an illegal instruction. The standard
//! library cannot ask: where a build assumes a feature, `is_x86_feature_detected!` is simply true.
//!
//! Until the answer is known, code must do without all that newer processors have. No attribute
//! says so to the compiler; what keeps to it here is that there are only single numbers and calls,
//! nothing to be copied or repeated many at a time. A test runs the binary on emulated processors.

#![cfg(target_arch = "x86_64")]

use std::arch::x86_64::{__cpuid_count, _xgetbv};
use std::hint::black_box;

#[used]
#[cfg_attr(target_os = "windows", unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(
    not(any(target_os = "windows", target_vendor = "apple")),
    unsafe(link_section = ".init_array")
)]
static BEFORE_MAIN: extern "C" fn() = ask;

struct Feature {
    name: &'static str,
    /// Whether this build assumes it.
    assumed: bool,
    /// The leaf of the processor's description, the register and the bit that tell.
    leaf: u32,
    register: Register,
    bit: u32,
    /// The registers that the system must save for it when it switches programs.
    saved: u64,
}

#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}
use Register::*;

const SMALL: u64 = 0;
const AVX: u64 = 0b110;
const AVX512: u64 = 0b1110_0110;

const BASIC: u32 = 1;
const STRUCTURED: u32 = 7;
const EXTENDED: u32 = 0x8000_0001;

macro_rules! features {
    ($($name:tt $leaf:ident $register:ident $bit:literal $saved:ident,)*) => {
        [$(Feature {
            name: $name,
            assumed: cfg!(target_feature = $name),
            leaf: $leaf,
            register: $register,
            bit: 1 << $bit,
            saved: $saved,
        },)*]
    };
}

/// What compilers use for x86-64-v2, -v3, -v4 and the vector body of the board, in this order.
static FEATURES: [Feature; 23] = features![
    "sse3" BASIC Ecx 0 SMALL,
    "ssse3" BASIC Ecx 9 SMALL,
    "sse4.1" BASIC Ecx 19 SMALL,
    "sse4.2" BASIC Ecx 20 SMALL,
    "popcnt" BASIC Ecx 23 SMALL,
    "avx" BASIC Ecx 28 AVX,
    "f16c" BASIC Ecx 29 AVX,
    "fma" BASIC Ecx 12 AVX,
    "movbe" BASIC Ecx 22 SMALL,
    "lzcnt" EXTENDED Ecx 5 SMALL,
    "bmi1" STRUCTURED Ebx 3 SMALL,
    "bmi2" STRUCTURED Ebx 8 SMALL,
    "avx2" STRUCTURED Ebx 5 AVX,
    "avx512f" STRUCTURED Ebx 16 AVX512,
    "avx512dq" STRUCTURED Ebx 17 AVX512,
    "avx512cd" STRUCTURED Ebx 28 AVX512,
    "avx512bw" STRUCTURED Ebx 30 AVX512,
    "avx512vl" STRUCTURED Ebx 31 AVX512,
    "avx512vbmi" STRUCTURED Ecx 1 AVX512,
    "avx512vbmi2" STRUCTURED Ecx 6 AVX512,
    "gfni" STRUCTURED Ecx 8 SMALL,
    "avx512vnni" STRUCTURED Ecx 11 AVX512,
    "avx512bitalg" STRUCTURED Ecx 12 AVX512,
];

/// How many features of the list make x86-64-v2, and v3.
const V2: usize = 5;
const V3: usize = 13;

extern "C" fn ask() {
    let (mut fit, mut known) = (true, FEATURES.len());
    let mut i = 0;
    while i < black_box(FEATURES.len()) {
        let feature = &FEATURES[i];
        if !is_there(feature) {
            known = if known < i { known } else { i };
            if feature.assumed {
                say(if fit { "zebu: this processor lacks " } else { ", " });
                say(feature.name);
                fit = false;
            }
        }
        i += 1;
    }
    if !fit {
        say(", which this build of Zebu needs: take the one ");
        say(match known {
            V3.. => "for x86-64-v3\n",
            V2.. => "for x86-64-v2\n",
            _ => "built on a machine like this\n",
        });
        // SAFETY: ending the program is always allowed.
        unsafe { libc::_exit(1) }
    }
}

#[inline(never)]
fn is_there(feature: &Feature) -> bool {
    let highest = __cpuid_count(feature.leaf & 0x8000_0000, 0).eax;
    if feature.leaf > highest {
        return false;
    }
    let answer = __cpuid_count(feature.leaf, 0);
    let word = match feature.register {
        Ebx => answer.ebx,
        Ecx => answer.ecx,
    };
    // Kept apart from the comparison, with which it would make an instruction of newer processors.
    let saved = black_box(saved_registers() & feature.saved);
    word & feature.bit != 0 && saved == feature.saved
}

/// The registers that the system saves, if it has told the processor so.
fn saved_registers() -> u64 {
    #[target_feature(enable = "xsave")]
    fn ask() -> u64 {
        // SAFETY: register 0 exists wherever the instruction does.
        unsafe { _xgetbv(0) }
    }
    const SYSTEM_HAS_XSAVE: u32 = 1 << 27;
    if __cpuid_count(BASIC, 0).ecx & SYSTEM_HAS_XSAVE == 0 {
        return 0;
    }
    // SAFETY: the processor says that the system has switched this instruction on.
    unsafe { ask() }
}

#[inline(never)]
fn say(text: &str) {
    // SAFETY: the text is readable for its length; 2 is the standard error.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len() as _) };
}
