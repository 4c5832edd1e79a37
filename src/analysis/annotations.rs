//! Writes an analysis into a PGN game (scores, judgements, better lines) or an EPD line.

use super::analyser::PositionAnalysis;
use super::game_analysis::GameAnalysis;
use super::note::Note;
use super::white_score::WhiteScore;
use engine::board::Color;
use engine::notation::{EpdLine, PgnGame};

/// The longest variation, in moves.
const VARIATION: usize = 10;

/// The NAGs that judge a move.
const JUDGING_NAGS: std::ops::RangeInclusive<u8> = 1..=6;

/// Annotates a game. The file's annotations stay, except those of an earlier analysis. A move that the file
/// judges keeps its sign, and Zebu's opinion is a comment.
pub fn annotated(analysis: &GameAnalysis) -> PgnGame {
    let mut game = analysis.game.clone();
    let annotators = game.tags.get("Annotator").unwrap_or_default().split(", ");
    let others = annotators.filter(|name| !name.is_empty() && !name.starts_with("Zebu "));
    let annotators: Vec<&str> = others.chain([engine::NAME]).collect();
    game.tags.set("Annotator", annotators.join(", "));
    game.preface = without_analyses(&game.preface).collect();
    for (i, played) in game.moves.iter_mut().enumerate() {
        let position = &analysis.positions[i];
        let judgement = analysis.judgement(i);
        let judged = played.nags.iter().any(|nag| JUDGING_NAGS.contains(nag));
        if let Some(judgement) = judgement.filter(|_| !judged) {
            played.nags.insert(0, judgement.nag);
        }
        let score = analysis.analyses.get(i + 1).and_then(|next| next.white_score.pgn());
        let found = score.map(|score| {
            let said = analysis.notes().get(i).and_then(Note::text);
            let said = said.map_or(String::new(), |said| format!(" {said}{END}"));
            format!("[%eval {score}]{said}")
        });
        played.comments = found.into_iter().chain(without_analyses(&played.comments)).collect();
        if let Some(before) = analysis.analyses.get(i).filter(|_| judgement.is_some()) {
            let line = &before.pv[..before.pv.len().min(VARIATION)];
            let better = position.san_line(line).join(" ");
            // Replaces the findings of an earlier analysis.
            played.variations.retain(|text| *text != better);
            played.variations.insert(0, better);
        }
    }
    game
}

/// The end of Zebu's comments, by which a later analysis finds them.
const END: &str = " [Zebu]";

/// Removes the scores and comments of an earlier analysis.
pub fn without_analyses(comments: &[String]) -> impl Iterator<Item = String> {
    comments.iter().filter_map(|text| {
        let mut text = text.clone();
        while let Some(start) = text.find("[%eval") {
            let score = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
            let said = text[score..].find(END).map_or(score, |end| score + end + END.len());
            text.replace_range(start..said, "");
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    })
}

/// The EPD operations that an analysis replaces.
const OPERATIONS: [&str; 4] = ["bm", "ce", "acd", "pv"];

/// `ce` of a mate in 0. A mate in `n` plies has `n` less.
const MATE: i32 = 32_767;

/// Replaces the analysis in an EPD line.
pub fn annotated_epd(line: &EpdLine, analysis: &PositionAnalysis) -> String {
    let mut position = line.position;
    let moves = analysis.pv.iter().map(|&mv| {
        let san = position.san(mv);
        position = position.after(mv);
        san
    });
    let line_of_play: Vec<String> = moves.collect();
    let score = centipawns(analysis.white_score, line.position.side());
    let mut operations = vec![format!("ce {score}"), format!("acd {}", analysis.depth)];
    if let Some(best) = line_of_play.first() {
        operations.insert(0, format!("bm {best}"));
        operations.push(format!("pv {}", line_of_play.join(" ")));
    }
    line.with_operations(operations, &OPERATIONS)
}

/// The operand of `ce`, for the side to move.
fn centipawns(score: WhiteScore, side: Color) -> i32 {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        WhiteScore::Centipawns(value) => sign * value,
        WhiteScore::Mate(moves) if sign * moves > 0 => MATE - (2 * moves.abs() - 1),
        WhiteScore::Mate(moves) => 2 * moves.abs() - MATE,
        WhiteScore::Won(_) => -MATE,
    }
}
