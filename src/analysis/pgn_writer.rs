//! An analysed game as PGN, with scores, judgements and better lines.

use super::explanation::explanation;
use super::game_analysis::{GameAnalysis, Judgement};
use crate::board::Color;

/// The width of lines, unless a token is longer.
const WIDTH: usize = 80;

/// The longest variation, in moves.
const VARIATION: usize = 10;

/// The NAGs that judge a move.
const JUDGING_NAGS: std::ops::RangeInclusive<u8> = 1..=6;

/// The seven tag roster.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The game, ending with an empty line. Its annotations stay, except for those of an earlier analysis:
/// a move that the file judges keeps its sign, and the comment says what Zebu thinks.
pub fn to_pgn(analysis: &GameAnalysis) -> String {
    let game = &analysis.game;
    let annotator = format!("Zebu {}", env!("CARGO_PKG_VERSION"));
    let annotators = game.tags.get("Annotator").unwrap_or_default().split(", ");
    // An earlier analysis is replaced by this one.
    let others = annotators.filter(|name| !name.is_empty() && !name.starts_with("Zebu "));
    let annotators: Vec<&str> = others.chain([annotator.as_str()]).collect();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for name in ROSTER {
        match name {
            "Result" => tag(name, &game.result.to_string()),
            "Date" => tag(name, game.tags.get(name).unwrap_or("????.??.??")),
            _ => tag(name, game.tags.get(name).unwrap_or("?")),
        }
    }
    for (name, value) in game.tags.iter() {
        if !ROSTER.contains(&name) && name != "Annotator" {
            tag(name, value);
        }
    }
    tag("Annotator", &annotators.join(", "));
    text + "\n" + &wrapped(&movetext(analysis)) + "\n\n"
}

/// The tokens, between which a line may end.
fn movetext(analysis: &GameAnalysis) -> Vec<String> {
    let game = &analysis.game;
    let mut words = Vec::new();
    let comment = |text: &str| format!("{{ {text} }}");
    words.extend(
        game.preface.iter().filter_map(|text| without_analysis(text)).map(|text| comment(&text)),
    );
    let mut needs_number = true;
    for (i, (played, position)) in game.moves.iter().zip(&analysis.positions).enumerate() {
        if needs_number || position.side() == Color::White {
            words.push(position.san_number());
        }
        words.push(position.san(played.mv));
        let judgement = analysis.judgement(i);
        let judged = played.nags.iter().any(|nag| JUDGING_NAGS.contains(nag));
        words.extend(judgement.filter(|_| !judged).map(|judgement| format!("${}", judgement.nag)));
        words.extend(played.nags.iter().map(|nag| format!("${nag}")));
        let without_comments = words.len();
        let score = analysis.analyses.get(i + 1).and_then(|next| next.white_score.pgn());
        words.extend(score.map(|score| {
            let said = judgement.map(|judgement| said(analysis, i, judgement)).unwrap_or_default();
            comment(&format!("[%eval {score}]{said}"))
        }));
        let comments = played.comments.iter().filter_map(|text| without_analysis(text));
        words.extend(comments.map(|text| comment(&text)));
        let better = analysis.analyses.get(i).filter(|_| judgement.is_some()).map(|before| {
            position.san_line(&before.pv[..before.pv.len().min(VARIATION)]).join(" ")
        });
        // What an earlier analysis found is not said twice.
        let others = played.variations.iter().filter(|text| Some(*text) != better.as_ref());
        words.extend(better.iter().chain(others).map(|text| format!("({text})")));
        needs_number = words.len() > without_comments;
    }
    words.push(game.result.to_string());
    words
}

/// What a comment says of a bad move behind its score.
fn said(analysis: &GameAnalysis, i: usize, judgement: &Judgement) -> String {
    let best = analysis.analyses[i].pv.first().map(|&best| analysis.positions[i].san(best));
    let best = best.map_or(String::new(), |best| format!("; {best} was best"));
    format!(" {}: {}{best}{END}", judgement.name, explanation(analysis, i))
}

/// How that ends, so that it can be found.
const END: &str = " [Zebu]";

/// A comment without the scores of an earlier analysis and what Zebu said, if anything remains.
pub fn without_analysis(text: &str) -> Option<String> {
    let mut text = text.to_string();
    while let Some(start) = text.find("[%eval") {
        let score = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
        let said = text[score..].find(END).map_or(score, |end| score + end + END.len());
        text.replace_range(start..said, "");
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text += word;
        column += length;
    }
    text
}
