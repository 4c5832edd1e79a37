//! The results of a match, how they are kept and how they are told.

use super::pentanomial::{Pentanomial, Sprt, Verdict};
use crate::tuning::pair::PairResult;
use crate::tuning::state_file::StateLines;

/// No match has more.
const MOST_PAIRS: u64 = 1 << 40;

/// Results of the first side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lost, drawn, won.
    pub games: [u64; 3],
    pub pairs: Pentanomial,
}

impl Tally {
    pub fn add(&mut self, result: PairResult) {
        for half_points in result {
            self.games[usize::from(half_points)] += 1;
        }
        self.pairs.0[usize::from(result[0] + result[1])] += 1;
    }

    /// The results on a line.
    pub fn line(&self, sprt: Option<Sprt>) -> String {
        let [losses, draws, wins] = self.games;
        let llr = sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr(&self.pairs)));
        let (elo, los) = (self.pairs.elo(), 100.0 * self.pairs.superiority());
        format!("+{wins} ={draws} -{losses}, Elo {elo}, LOS {los:.1} %{llr}")
    }

    pub fn report(&self, sprt: Option<Sprt>) -> String {
        let [losses, draws, wins] = self.games;
        let pairs = self.pairs.0.map(|count| count.to_string()).join(" ");
        let mut text = format!(
            "Games       {}: +{wins} ={draws} -{losses}\n\
             Pairs       {pairs} with 0, ½, 1, 1½ and 2 points\n\
             Elo         {}\n\
             Normalised  {}\n\
             LOS         {:.2} %",
            losses + draws + wins,
            self.pairs.elo(),
            self.pairs.normalised_elo(),
            100.0 * self.pairs.superiority(),
        );
        if let Some(sprt) = sprt {
            let [lower, upper] = sprt.bounds();
            let verdict = match sprt.verdict(&self.pairs) {
                Some(Verdict::H0) => format!("the gain is not {}", sprt.high),
                Some(Verdict::H1) => format!("the gain is more than {}", sprt.low),
                None => "undecided".to_string(),
            };
            let llr = sprt.llr(&self.pairs);
            text += &format!("\nSPRT        LLR {llr:.2} ({lower:.2}, {upper:.2}): {verdict}");
        }
        text
    }

    /// The lines of a state file.
    pub fn to_lines(self) -> String {
        let words =
            |counts: &[u64]| counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        format!("games {}\npairs {}\n", words(&self.games), words(&self.pairs.0))
    }

    pub fn parse(lines: &mut StateLines) -> Option<Tally> {
        let games: [u64; 3] = lines.numbers("games")?.try_into().ok()?;
        let pairs: [u64; 5] = lines.numbers("pairs")?.try_into().ok()?;
        if pairs.iter().any(|&count| count > MOST_PAIRS) {
            return None;
        }
        let points = |counts: &[u64]| -> u128 {
            (0..).zip(counts).map(|(points, &count)| points * u128::from(count)).sum()
        };
        let number = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        let agree = points(&games) == points(&pairs) && number(&games) == 2 * number(&pairs);
        agree.then_some(Tally { games, pairs: Pentanomial(pairs) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::state_file::read;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut tally = Tally::default();
        for result in [[2, 2], [0, 1], [1, 1], [2, 0]] {
            tally.add(result);
        }
        assert_eq!(tally.games, [2, 3, 3]);
        assert_eq!(tally.pairs.0, [0, 1, 2, 0, 1]);
        assert!(tally.line(None).starts_with("+3 =3 -2, Elo "));
    }

    #[test]
    fn fuzzed() {
        let state = |lines: &str| format!("build 7\nsettings a\n{lines}end\n").into_bytes();
        let corpus = vec![
            state("games 2 3 3\npairs 0 1 2 0 1\n"),
            state("games 0 36028797018963968 0\npairs 0 0 18014398509481984 0 0\n"),
        ];
        crate::fuzzer::fuzz("match_state", corpus, |bytes| {
            match read(&String::from_utf8_lossy(bytes), Tally::parse) {
                Some((_, tally)) => {
                    let games = tally.games.iter().sum::<u64>();
                    assert_eq!(games, 2 * tally.pairs.pairs());
                    tally.line(None) + &tally.report(Some(Sprt { low: 0.0, high: 5.0 }))
                }
                None => "damaged".to_string(),
            }
        });
    }
}
