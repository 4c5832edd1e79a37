//! The note on a move: judgement or praise, explanation, and better line.

use serde::Serialize;

use super::analyser::PositionAnalysis;
use super::explanation::{explanation, hint, praise};
use super::judgement::MoveAnalysis;
use engine::board::{Move, Position};

/// A judgement in words, and the annotations of the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The best move, unless `why` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub praise: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
}

impl Note {
    /// Why the move was bad, and the best move.
    pub fn reason(&self) -> Option<String> {
        let best = self.best.as_ref().map_or(String::new(), |best| format!("; {best} was best"));
        Some(self.why.clone()? + &best)
    }

    /// The judgement or the praise in words.
    pub fn text(&self) -> Option<String> {
        let judged = self.judgement.zip(self.reason());
        let told = judged.map(|(judgement, reason)| format!("{judgement}: {reason}"));
        told.or_else(|| self.praise.clone())
    }

    pub fn is_empty(&self) -> bool {
        let is_said = self.judgement.is_some() || self.praise.is_some();
        !is_said && self.nags.is_empty() && self.comments.is_empty() && self.variations.is_empty()
    }
}

/// The note on a move, by the analyses of the positions before and after it.
pub fn move_note(
    position: &Position,
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> Note {
    let mut before = before.clone();
    before.back_up(mv, after, position.side());
    let before = &before;
    let Some(judgement) = MoveAnalysis::new(mv, position.side(), before, after).judgement() else {
        return Note { praise: praise(position, mv, before), ..Note::default() };
    };
    let why = explanation(position, mv, before, after);
    let best = before.pv.first().map(|&best| position.san(best));
    Note {
        judgement: Some(judgement.name),
        sign: Some(judgement.sign),
        best: best.filter(|_| !why.starts_with("misses ")),
        why: Some(why),
        hint: hint(position, before),
        ..Note::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::analyser::OtherLine;
    use crate::analysis::white_score::WhiteScore;
    use engine::board::{Color, Fen};

    /// The moves of a line in SAN, and the position after them.
    fn played(start: &Position, words: &str) -> (Vec<Move>, Position) {
        let mut position = *start;
        let moves = words.split_whitespace().map(|word| {
            let mv = position.parse_san(word).expect(word);
            position = position.after(mv);
            mv
        });
        (moves.collect(), position)
    }

    fn found(position: &Position, white_score: WhiteScore, line: &str) -> PositionAnalysis {
        let (pv, _) = played(position, line);
        PositionAnalysis { white_score, depth: 20, pv, others: Vec::new(), good_moves: Vec::new() }
    }

    /// Réti against Tartakower, Vienna 1910.
    #[test]
    fn what_is_known_after_the_best_move_counts() {
        let opening = "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5 Bd2 Qxe5 O-O-O";
        let (_, position) = played(&Position::start(), opening);
        let (knight, next) = played(&position, "Nxe4");
        let after = found(&next, WhiteScore::Mate(3), "Qd8 Kxd8 Bg5 Kc7 Bd8");
        let note = |others: &[WhiteScore]| {
            let mut before = found(&position, WhiteScore::Centipawns(-20), "Nxe4 Qxe4 Qxe4");
            let (pv, _) = played(&position, "Be7");
            let other = |&white_score| OtherLine { white_score, pv: pv.clone() };
            before.others = others.iter().map(other).collect();
            move_note(&position, knight[0], &before, &after)
        };
        let blunder = note(&[WhiteScore::Centipawns(60)]);
        assert_eq!(blunder.judgement, Some("blunder"));
        let reason = "allows mate in 3: 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8#";
        assert!(blunder.reason().is_some_and(|told| told.starts_with(reason)), "{blunder:?}");
        assert_eq!(blunder.best.as_deref(), Some("Be7"));
        // The game was lost, or nothing is known of other moves.
        for others in [&[WhiteScore::Mate(2)][..], &[]] {
            assert_eq!(note(others).judgement, None);
        }
        // White did not see the mate before its first move.
        let mut before = found(&next, WhiteScore::Centipawns(40), "Qxe4 Qxe4");
        let (queen, then) = played(&next, "Qd8");
        before.back_up(queen[0], &found(&then, WhiteScore::Mate(2), "Kxd8"), Color::White);
        assert_eq!((before.white_score, before.pv[0]), (WhiteScore::Mate(3), queen[0]));
    }

    /// Anderssen against Kieseritzky, London 1851.
    #[test]
    fn a_sacrifice_is_what_the_answer_takes() {
        let game = "e4 e5 f4 exf4 Bc4 Qh4 Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 \
                    h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1 Ke2 Na6 Nxg7 Kd8 Qf6 Nxf6 Be7";
        let (moves, _) = played(&Position::start(), game);
        let praise = |ply: usize, score: WhiteScore, line: &str| {
            let position = moves[..ply].iter().fold(Position::start(), |at, &mv| at.after(mv));
            let before = found(&position, score, line);
            let mv = before.pv[0];
            let after = found(&position.after(mv), score, "");
            move_note(&position, mv, &before, &after).praise
        };
        let level = WhiteScore::Centipawns(0);
        // It takes a rook, and what is lost later has other reasons.
        let line = "Qxa1 Ke2 Ba6 Nc7 Kd8 Nxa6 Bb6 Qxa8";
        assert_eq!(praise(37, level, line), None);
        // The knight cannot be taken, and the queen is given up by the next move.
        assert_eq!(praise(40, WhiteScore::Mate(3), "Nxg7 Kd8 Qf6 Nxf6 Be7"), None);
        let queen = Some("gives up the queen, and is the best move".to_string());
        assert_eq!(praise(42, WhiteScore::Mate(2), "Qf6 Nxf6 Be7"), queen);
        // The bishop on b5 could have gone.
        let piece = Some("gives up a piece, and is the best move".to_string());
        assert_eq!(praise(20, level, "Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8"), piece);
    }

    /// Kasparov against Topalov, Wijk aan Zee 1999.
    #[test]
    fn an_offer_need_not_be_taken() {
        let fen = "b2r3r/k4p1p/p2q1np1/Np1P4/3p1Q2/P4PPB/1PP4P/1K2R3 w - - 0 25";
        let position = fen.parse::<Fen>().expect(fen).position;
        let level = WhiteScore::Centipawns(0);
        let before = found(&position, level, "Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3");
        let after = found(&position.after(before.pv[0]), level, "Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3");
        let praise = move_note(&position, before.pv[0], &before, &after).praise;
        assert_eq!(praise.as_deref(), Some("offers the rook, and is the best move"));
    }
}
