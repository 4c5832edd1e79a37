//! A test for each backend of the board.

/// Makes a `#[test]` of each generic function for each backend of the board that this build has.
macro_rules! for_each_backend {
    ($($test:ident),* $(,)?) => {
        mod scalar {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::Scalar>();
            })*
        }
        #[cfg(avx2_backend)]
        mod avx2 {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::Avx2>();
            })*
        }
        #[cfg(avx512_backend)]
        mod avx512 {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::Avx512>();
            })*
        }
    };
}
