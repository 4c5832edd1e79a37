//! The analysis as one self-contained HTML page: the games as JSON, which its scripts show.

use super::annotations::{annotated, without_analyses};
use super::explanation::{explanation, praise};
use super::game_analysis::{GameAnalysis, JUDGEMENTS, Phase};
use super::openings::opening;
use crate::board::{Color, Move, Position};
use crate::notation::{PgnError, to_pgn};

const FRAME: &str = include_str!("page/page.html");

/// What the frame has in place of these names.
const PARTS: [(&str, &str); 9] = [
    ("{STYLE}", include_str!("page/page.css")),
    ("{BOARD}", include_str!("page/board.js")),
    ("{RULES}", include_str!("page/rules.js")),
    ("{REMARKS}", include_str!("page/remarks.js")),
    ("{HAND}", include_str!("page/hand.js")),
    ("{GRAPH}", include_str!("page/graph.js")),
    ("{LEARN}", include_str!("page/learn.js")),
    ("{PAGE}", include_str!("page/page.js")),
    ("{PIECES}", include_str!("page/pieces.svg")),
];

/// The end of the page.
pub const FOOT: &str = "</body>\n</html>\n";

/// The longest lines shown, in moves: before a bad move, and elsewhere.
const MAX_LINE: usize = 10;
const MAX_OTHER_LINE: usize = 6;

/// Everything before the first game.
pub fn head(name: &str) -> String {
    let page = PARTS.iter().fold(FRAME.to_string(), |page, (part, text)| page.replace(part, text));
    page.replace("{VERSION}", env!("CARGO_PKG_VERSION")).replace("{NAME}", &escaped(name))
}

/// A game that could not be read.
pub fn broken(error: &PgnError) -> String {
    let rest = if error.beginning().is_some() { "; analysed up to there" } else { "" };
    format!("<p class=\"wrong\">{}{rest}</p>\n", escaped(&error.to_string()))
}

/// A game. For each position it has the score, White's chance to win in percent, the line that was
/// found and the fields of the FEN behind the board; for some moves more is noted.
pub fn game(analysis: &GameAnalysis) -> String {
    let game = &analysis.game;
    let tags = game.tags.iter().map(|(name, value)| format!("[{},{}]", json(name), json(value)));
    let tagged =
        || ["ECO", "Opening", "Variation"].map(|name| game.tags.get(name).unwrap_or_default());
    let named = opening(&analysis.positions).map_or_else(|| tagged().join(" "), str::to_string);
    let named = named.trim().replace('?', "");
    let sides = [Color::White, Color::Black].map(|color| {
        let accuracy = percent(analysis.accuracy(color));
        let phases = Phase::ALL.map(|phase| percent(analysis.accuracy_in(color, phase)));
        let counts = JUDGEMENTS.each_ref().map(|it| analysis.count(color, it).to_string());
        format!(
            "{{\"name\":{},\"accuracy\":{accuracy},\"counts\":[{}],\"phases\":[{}]}}",
            json(game.tags.player(color)),
            counts.join(","),
            phases.join(",")
        )
    });
    let states = analysis.positions.iter().map(|position| {
        let fen = position.fen().to_string();
        json(fen.split_once(' ').map_or("", |(_, state)| state))
    });
    let found = || analysis.analyses.iter().zip(&analysis.positions);
    let scores = found().map(|(found, _)| json(&found.white_score.to_string()));
    let wins =
        found().map(|(found, _)| format!("{:.1}", found.white_score.win_percent(Color::White)));
    let lines = found().enumerate().map(|(i, (found, position))| {
        let most = if analysis.judgement(i).is_some() { MAX_LINE } else { MAX_OTHER_LINE };
        json(&moves(position, found.pv.iter().copied().take(most)))
    });
    let others = found().map(|(found, position)| {
        list(found.others.iter().map(|other| {
            let moves = moves(position, other.pv.iter().copied().take(MAX_OTHER_LINE));
            format!("[{},{}]", json(&other.white_score.to_string()), json(&moves))
        }))
    });
    let notes =
        (0..game.moves.len()).filter_map(|i| Some(format!("\"{}\":{}", i + 1, note(analysis, i)?)));
    let judged_moves = game.moves.iter().map(|played| played.mv);
    let fields = [
        ("number", game.number.to_string()),
        ("sides", list(sides)),
        ("result", json(&game.result.to_string())),
        ("tags", list(tags)),
        ("opening", json(&named)),
        ("start", json(&game.start.fen().to_string())),
        ("preface", list(comments(&game.preface))),
        ("moves", json(&moves(&game.start, judged_moves))),
        ("states", list(states)),
        ("scores", list(scores)),
        ("wins", list(wins)),
        ("lines", list(lines)),
        ("others", list(others)),
        ("notes", format!("{{{}}}", notes.collect::<Vec<_>>().join(","))),
        ("pgn", json(&to_pgn(&annotated(analysis)))),
    ];
    let fields = fields.map(|(name, value)| format!("\"{name}\":{value}")).join(",\n");
    format!("<script type=\"application/json\" class=\"game\">{{{fields}}}</script>\n")
}

/// What is to be said of a move: the judgement, and the annotations of the file.
fn note(analysis: &GameAnalysis, i: usize) -> Option<String> {
    let played = &analysis.game.moves[i];
    let mut fields = Vec::new();
    if let Some(judgement) = analysis.judgement(i) {
        let position = &analysis.positions[i];
        let best = analysis.analyses[i].pv.first().map(|&best| position.san(best));
        fields.push(("judgement", json(judgement.name)));
        fields.push(("sign", json(judgement.sign)));
        fields.push(("why", json(&explanation(analysis, i))));
        fields.extend(best.map(|best| ("best", json(&best))));
        let better = analysis.moves[i].better.iter();
        let better: Vec<String> = better.map(|&mv| moves(position, [mv].into_iter())).collect();
        fields.push(("right", json(&better.join(" "))));
    } else if let Some(praise) = praise(analysis, i) {
        fields.push(("praise", json(&praise)));
    }
    let nags: Vec<String> = played.nags.iter().map(u8::to_string).collect();
    for (name, values) in [
        ("nags", nags),
        ("comments", comments(&played.comments).collect()),
        ("variations", played.variations.iter().map(|text| json(text)).collect()),
    ] {
        if !values.is_empty() {
            fields.push((name, list(values)));
        }
    }
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    (!fields.is_empty()).then(|| format!("{{{}}}", fields.join(",")))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("null".to_string(), |it| format!("{it:.1}"))
}

fn comments(comments: &[String]) -> impl Iterator<Item = String> {
    without_analyses(comments).map(|text| json(&text))
}

/// Each move twice: as UCI writes it, castling as king takes rook, and in SAN.
fn moves(start: &Position, moves: impl Iterator<Item = Move>) -> String {
    let mut position = *start;
    let words = moves.map(|mv| {
        let text = format!("{} {}", position.uci(mv, true), position.san(mv));
        position = position.after(mv);
        text
    });
    words.collect::<Vec<_>>().join(" ")
}

fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// A string of JSON that can stand in a script of HTML.
fn json(text: &str) -> String {
    let mut quoted = "\"".to_string();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..' ' | '<' | '\u{2028}' | '\u{2029}' => {
                quoted += &format!("\\u{:04x}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
