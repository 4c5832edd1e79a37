//! Numbers on the command line.

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1 is needed")
}

pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "a number above 0 is needed")
}

pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "a number that is not below 0 is needed")
}

fn number(text: &str, fits: impl Fn(f64) -> bool, complaint: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && fits(number));
    number.ok_or_else(|| complaint.to_string())
}
