//! Checks at start that the processor has the features this build assumes.
//!
//! A build for newer processors may use their instructions anywhere, even before `main`. The check is
//! therefore an initialiser, which the loader calls first, so that an older processor gets a clear message
//! instead of an illegal instruction. `is_x86_feature_detected!` cannot be used: it is constantly true for
//! features that the build assumes.
//!
//! The check itself must not use those features. No attribute guarantees that; it holds because the code
//! consists of scalars and calls, with nothing to copy or vectorise. A test runs the binary on emulated
//! processors.

use std::arch::x86_64::{__cpuid_count, _xgetbv};
use std::hint::black_box;

#[used]
#[cfg_attr(target_os = "windows", unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(
    not(any(target_os = "windows", target_vendor = "apple")),
    unsafe(link_section = ".init_array")
)]
static BEFORE_MAIN: extern "C" fn() = check;

struct Feature {
    name: &'static str,
    /// Whether this build uses it.
    assumed: bool,
    /// The CPUID leaf, its register and the bit.
    leaf: u32,
    register: CpuidRegister,
    bit: u32,
    /// The bits of XCR0 that the operating system must have set.
    state: u64,
}

#[derive(Clone, Copy)]
enum CpuidRegister {
    Ebx,
    Ecx,
}
use CpuidRegister::*;

const NONE: u64 = 0;
const AVX: u64 = 0b110;
const AVX512: u64 = 0b1110_0110;

const BASIC: u32 = 1;
const STRUCTURED: u32 = 7;
const EXTENDED: u32 = 0x8000_0001;

macro_rules! features {
    ($($name:tt $leaf:ident $register:ident $bit:literal $state:ident,)*) => {
        [$(Feature {
            name: $name,
            assumed: cfg!(target_feature = $name),
            leaf: $leaf,
            register: $register,
            bit: 1 << $bit,
            state: $state,
        },)*]
    };
}

/// The features of x86-64-v2, -v3, -v4 and of the board's instructions, in this order.
static FEATURES: [Feature; 23] = features![
    "sse3" BASIC Ecx 0 NONE,
    "ssse3" BASIC Ecx 9 NONE,
    "sse4.1" BASIC Ecx 19 NONE,
    "sse4.2" BASIC Ecx 20 NONE,
    "popcnt" BASIC Ecx 23 NONE,
    "avx" BASIC Ecx 28 AVX,
    "f16c" BASIC Ecx 29 AVX,
    "fma" BASIC Ecx 12 AVX,
    "movbe" BASIC Ecx 22 NONE,
    "lzcnt" EXTENDED Ecx 5 NONE,
    "bmi1" STRUCTURED Ebx 3 NONE,
    "bmi2" STRUCTURED Ebx 8 NONE,
    "avx2" STRUCTURED Ebx 5 AVX,
    "avx512f" STRUCTURED Ebx 16 AVX512,
    "avx512dq" STRUCTURED Ebx 17 AVX512,
    "avx512cd" STRUCTURED Ebx 28 AVX512,
    "avx512bw" STRUCTURED Ebx 30 AVX512,
    "avx512vl" STRUCTURED Ebx 31 AVX512,
    "avx512vbmi" STRUCTURED Ecx 1 AVX512,
    "avx512vbmi2" STRUCTURED Ecx 6 AVX512,
    "gfni" STRUCTURED Ecx 8 NONE,
    "avx512vnni" STRUCTURED Ecx 11 AVX512,
    "avx512bitalg" STRUCTURED Ecx 12 AVX512,
];

/// The number of features up to x86-64-v2, and up to v3.
const V2: usize = 5;
const V3: usize = 13;

extern "C" fn check() {
    let (mut fits, mut first_missing) = (true, FEATURES.len());
    let mut i = 0;
    while i < black_box(FEATURES.len()) {
        let feature = &FEATURES[i];
        if !is_present(feature) {
            first_missing = if first_missing < i { first_missing } else { i };
            if feature.assumed {
                print(if fits { "zebu: this processor lacks " } else { ", " });
                print(feature.name);
                fits = false;
            }
        }
        i += 1;
    }
    if !fits {
        print(", which this build of Zebu needs: take the one ");
        print(match first_missing {
            V3.. => "for x86-64-v3\n",
            V2.. => "for x86-64-v2\n",
            _ => "built on a machine like this\n",
        });
        // SAFETY: exiting has no preconditions.
        unsafe { libc::_exit(1) }
    }
}

/// The builds to download, the most demanding first, with the number of features they need.
const BUILDS: [(&str, usize); 3] =
    [("x86-64-v4", FEATURES.len()), ("x86-64-v3", V3), ("x86-64-v2", V2)];

/// The build that would run faster here, if any: one that needs more features than this one.
pub fn advice() -> Option<String> {
    let assumed = FEATURES.iter().take_while(|feature| feature.assumed).count();
    let own = BUILDS.iter().find(|&&(_, needs)| needs <= assumed);
    let fits = |&&(_, needs): &&(&str, usize)| FEATURES[..needs].iter().all(is_present);
    let &(best, needs) = BUILDS.iter().find(fits)?;
    let own_needs = own.map_or(0, |&(_, needs)| needs);
    let own = own.map_or("any x86-64 processor", |&(name, _)| name);
    (needs > own_needs)
        .then(|| format!("this build is for {own}: the one for {best} is faster here"))
}

#[inline(never)]
fn is_present(feature: &Feature) -> bool {
    let highest = __cpuid_count(feature.leaf & 0x8000_0000, 0).eax;
    if feature.leaf > highest {
        return false;
    }
    let answer = __cpuid_count(feature.leaf, 0);
    let word = match feature.register {
        Ebx => answer.ebx,
        Ecx => answer.ecx,
    };
    // The black box keeps the compiler from using a BMI1 instruction.
    let state = black_box(saved_state() & feature.state);
    word & feature.bit != 0 && state == feature.state
}

/// XCR0: the registers that the operating system saves.
fn saved_state() -> u64 {
    #[target_feature(enable = "xsave")]
    fn xgetbv() -> u64 {
        // SAFETY: XCR0 exists wherever the instruction does.
        unsafe { _xgetbv(0) }
    }
    const OSXSAVE: u32 = 1 << 27;
    if __cpuid_count(BASIC, 0).ecx & OSXSAVE == 0 {
        return 0;
    }
    // SAFETY: the operating system has enabled the instruction.
    unsafe { xgetbv() }
}

#[inline(never)]
fn print(text: &str) {
    // SAFETY: the text is readable for its length; 2 is standard error.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len() as _) };
}
