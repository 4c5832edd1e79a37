//! A test for each body of the board.

/// Makes a `#[test]` of each generic function for each body of the board that this build has.
macro_rules! for_each_body {
    ($($test:ident),* $(,)?) => {
        mod scalar {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::attacks::Scalar>();
            })*
        }
        #[cfg(avx2_backend)]
        mod avx2 {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::attacks::Avx2>();
            })*
        }
        #[cfg(avx512_backend)]
        mod avx512 {
            $(#[test]
            fn $test() {
                super::$test::<zebu::board::attacks::Avx512>();
            })*
        }
    };
}
