//! A game as PGN with what was seen in it: scores, marks and better lines.

use super::notation::{line, number};
use super::review::Review;
use crate::board::Color;

/// No line is longer, if its parts allow it.
const WIDTH: usize = 80;

/// The moves of a better line.
const LINE: usize = 10;

/// The annotations that say how good a move is.
const QUALITIES: std::ops::RangeInclusive<u8> = 1..=6;

/// The tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The whole game, ending with an empty line. What was said of it before stays, but for scores and
/// for marks of moves that are marked anew.
pub fn annotated(review: &Review) -> String {
    let record = &review.record;
    let annotator = format!("Zebu {}", env!("CARGO_PKG_VERSION"));
    let mut text = String::new();
    let mut tell = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for name in ROSTER {
        match name {
            "Result" => tell(name, &record.result.to_string()),
            "Date" => tell(name, record.tag(name).unwrap_or("????.??.??")),
            _ => tell(name, record.tag(name).unwrap_or("?")),
        }
    }
    for (name, value) in &record.tags {
        if !ROSTER.contains(&name.as_str()) && name != "Annotator" {
            tell(name, value);
        }
    }
    tell("Annotator", &annotator);
    text + "\n" + &folded(&words(review)) + "\n\n"
}

/// What stands between two spaces or line ends.
fn words(review: &Review) -> Vec<String> {
    let record = &review.record;
    let mut words = Vec::new();
    let note = |text: &str| format!("{{ {text} }}");
    words.extend(
        record.preface.iter().filter_map(|text| without_score(text)).map(|text| note(&text)),
    );
    let mut interrupted = true;
    for (i, (ply, position)) in record.plies.iter().zip(&review.positions).enumerate() {
        if interrupted || position.side() == Color::White {
            words.push(number(position));
        }
        words.push(position.san(ply.mv));
        let mark = review.judgements.get(i).and_then(|judgement| judgement.mark);
        let nags = ply.nags.iter().filter(|nag| mark.is_none() || !QUALITIES.contains(nag));
        words.extend(mark.map(|mark| format!("${}", mark.nag())));
        words.extend(nags.map(|nag| format!("${nag}")));
        let after = words.len();
        let score = review.sights.get(i + 1).and_then(|sight| sight.worth.pgn());
        words.extend(score.map(|score| note(&format!("[%eval {score}]"))));
        let told = ply.comments.iter().filter_map(|text| without_score(text));
        words.extend(told.map(|text| note(&text)));
        if mark.is_some()
            && let Some(sight) = review.sights.get(i)
        {
            words.push(format!("({})", line(position, &sight.line, LINE)));
        }
        words.extend(ply.variations.iter().map(|text| format!("({text})")));
        interrupted = words.len() > after;
    }
    words.push(record.result.to_string());
    words
}

/// A comment without the score that another analysis left in it, if anything remains.
fn without_score(text: &str) -> Option<String> {
    let mut text = text.to_string();
    while let Some(start) = text.find("[%eval") {
        let end = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
        text.replace_range(start..end, "");
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn folded(words: &[String]) -> String {
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
