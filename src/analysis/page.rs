//! The analysis as one page for a browser, with all that it needs inside. Boards are drawn by the
//! page's own script, everything else is written here.

use super::notation::{line, number};
use super::record::PgnError;
use super::review::{Mark, Review};
use crate::board::{Color, Move, Position};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PIECES: &str = include_str!("pieces.svg");

/// The end of the page.
pub const FOOT: &str = "</main>\n</body>\n</html>\n";

/// The moves of a line that are shown.
const LINE: usize = 12;

/// The size of the graph.
const WIDE: f64 = 800.0;
const HIGH: f64 = 160.0;

/// All that comes before the first game.
pub fn head(name: &str) -> String {
    let name = escaped(name);
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <title>{name}</title>\n<style>\n{STYLE}</style>\n<script>\n{SCRIPT}</script>\n\
        </head>\n<body>\n{PIECES}<main>\n<h1>{name}</h1>\n\
        <p class=\"quiet\">Analysed by Zebu {version}. Scores are White's.</p>\n"
    )
}

/// A game that could not be read.
pub fn broken(error: &PgnError) -> String {
    format!("<p class=\"wrong\">{}</p>\n", escaped(&error.to_string()))
}

/// A game, opened or folded up.
pub fn section(review: &Review, open: bool) -> String {
    let record = &review.record;
    let facts = ["Event", "Site", "Date", "Round", "Variant"].map(|name| record.tag(name));
    let facts: Vec<&str> = facts
        .into_iter()
        .flatten()
        .filter(|fact| !fact.trim_matches(['?', '.', '-']).is_empty())
        .collect();
    let open = if open { " open" } else { "" };
    format!(
        "<details class=\"game\"{open}>\n<summary>{} – {} <b>{}</b> \
        <span class=\"quiet\">{}</span></summary>\n\
        <div class=\"columns\">\n{VIEWER}<div class=\"story\">\n{}{}{}</div>\n</div>\n{}</details>\n",
        escaped(record.player(Color::White)),
        escaped(record.player(Color::Black)),
        record.result,
        escaped(&facts.join(", ")),
        graph(review),
        table(review),
        moves(review),
        moments(review),
    )
}

/// The board to step through, which the script fills.
const VIEWER: &str = "<div class=\"viewer\">\n<svg class=\"board\"></svg>\n<div class=\"buttons\">\
    <button data-step=\"first\" aria-label=\"first position\">⇤</button>\
    <button data-step=\"back\" aria-label=\"one move back\">←</button>\
    <button data-step=\"on\" aria-label=\"one move on\">→</button>\
    <button data-step=\"last\" aria-label=\"last position\">⇥</button>\
    <button data-step=\"turn\" aria-label=\"turn the board\">⇅</button></div>\n\
    <p class=\"status\"></p>\n</div>\n";

/// White's chance to win after each move, as an area.
fn graph(review: &Review) -> String {
    let last = review.record.plies.len().max(1) as f64;
    let point = |i: usize| {
        let chance = review.sights[i].worth.chance(Color::White);
        (WIDE * i as f64 / last, HIGH * (1.0 - chance / 100.0))
    };
    let points: Vec<(f64, f64)> = (0..review.sights.len()).map(point).collect();
    let Some(&(end, _)) = points.last() else {
        return "<p>Nothing of this game was analysed.</p>\n".to_string();
    };
    let path: String = points.iter().map(|(x, y)| format!("L{x:.1} {y:.1}")).collect();
    let dots: String = (1..points.len())
        .filter_map(|i| {
            let mark = review.judgements.get(i - 1)?.mark?;
            let (x, y) = points[i];
            Some(format!("<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>", mark.name()))
        })
        .collect();
    let middle = HIGH / 2.0;
    format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDE} {HIGH}\" role=\"img\" aria-label=\"White's \
        chance to win after each move\">\n<rect class=\"black\" width=\"{WIDE}\" height=\"{HIGH}\"/>\n\
        <path class=\"white\" d=\"M0 {HIGH}{path}L{end:.1} {HIGH}z\"/>\n\
        <path class=\"middle\" d=\"M0 {middle}h{WIDE}\"/>\n{dots}\n\
        <path class=\"now\" d=\"M0 0v{HIGH}\"/>\n</svg>\n"
    )
}

/// Accuracy and marks by side.
fn table(review: &Review) -> String {
    let head: String = Mark::ALL
        .map(|mark| format!("<th title=\"{}\">{}</th>", mark.name(), mark.sign()))
        .concat();
    let row = |color: Color| {
        let accuracy = review.accuracy(color).map(|accuracy| format!("{accuracy:.1}"));
        let counts = Mark::ALL.map(|mark| {
            format!("<td class=\"{}\">{}</td>", mark.name(), review.count(color, mark))
        });
        format!(
            "<tr><th>{}</th><td class=\"accuracy\">{}</td>{}</tr>\n",
            escaped(review.record.player(color)),
            accuracy.unwrap_or("–".to_string()),
            counts.concat(),
        )
    };
    format!(
        "<table>\n<tr><td></td><th>accuracy</th>{head}</tr>\n{}{}</table>\n",
        row(Color::White),
        row(Color::Black)
    )
}

/// The moves as buttons, each with the position it leads to and what was seen there.
fn moves(review: &Review) -> String {
    let mut text = "<p class=\"moves\">".to_string();
    text += &button(review, 0, "", "start");
    let plies = review.record.plies.iter().zip(&review.positions).enumerate();
    for (i, (ply, position)) in plies {
        if i == 0 || position.side() == Color::White {
            text += &format!(" <span class=\"number\">{}</span>", number(position));
        }
        let mark = review.judgements.get(i).and_then(|judgement| judgement.mark);
        let (class, sign) = mark.map_or(("", ""), |mark| (mark.name(), mark.sign()));
        let san = format!("{}{sign}", position.san(ply.mv));
        text += &(" ".to_string() + &button(review, i + 1, class, &san));
    }
    text + &format!(" <b>{}</b></p>\n", review.record.result)
}

/// The button for the position after so many moves.
fn button(review: &Review, moves: usize, class: &str, text: &str) -> String {
    let position = &review.positions[moves];
    let last = moves.checked_sub(1).map(|i| review.record.plies[i].mv);
    let played = last.map_or(String::new(), |mv| review.positions[moves - 1].uci(mv, false));
    let seen = review.sights.get(moves).map_or(String::new(), |sight| {
        let best = sight.line.first().map_or(String::new(), |&best| position.uci(best, false));
        format!(
            " data-score=\"{}\" data-best=\"{best}\" data-line=\"{}\"",
            sight.worth,
            line(position, &sight.line, LINE)
        )
    });
    format!(
        "<button class=\"{class}\" data-board=\"{}\" data-played=\"{played}\"{seen}>{text}</button>",
        board(position)
    )
}

/// The moves that decided most, with diagrams.
fn moments(review: &Review) -> String {
    let figures: String = review.critical().into_iter().map(|i| moment(review, i)).collect();
    if figures.is_empty() {
        return String::new();
    }
    format!("<h2>Critical moments</h2>\n<div class=\"moments\">\n{figures}</div>\n")
}

fn moment(review: &Review, i: usize) -> String {
    let (position, mv) = (&review.positions[i], review.record.plies[i].mv);
    let (judgement, before, after) =
        (&review.judgements[i], &review.sights[i], &review.sights[i + 1]);
    let Some(mark) = judgement.mark else { return String::new() };
    let uci = |mv: Move| position.uci(mv, false);
    let best = before.line.first().map_or(String::new(), |&best| uci(best));
    let turned = if position.side() == Color::Black { " data-turned=\"\"" } else { "" };
    format!(
        "<figure data-move=\"{}\">\n<svg class=\"board\" data-board=\"{}\" data-played=\"{}\" \
        data-best=\"{best}\"{turned}></svg>\n<figcaption><b class=\"{}\">{} {}{}</b> {} → {}, \
        {:.0} % of the chance to win lost.<br>Better: {}</figcaption>\n</figure>\n",
        i + 1,
        board(position),
        uci(mv),
        mark.name(),
        number(position),
        position.san(mv),
        mark.sign(),
        before.worth,
        after.worth,
        judgement.loss,
        line(position, &before.line, LINE),
    )
}

/// The field of FEN that says where the pieces stand.
fn board(position: &Position) -> String {
    position.fen().split(' ').next().unwrap_or_default().to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
