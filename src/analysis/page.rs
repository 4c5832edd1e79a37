//! The analysis as one self-contained HTML page. Its script draws the boards, the rest is written
//! here.

use super::game_analysis::{GameAnalysis, JUDGEMENTS};
use super::pgn_game::PgnError;
use crate::board::{Color, Move, Position};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PIECES: &str = include_str!("pieces.svg");

/// The end of the page.
pub const FOOT: &str = "</main>\n</body>\n</html>\n";

/// The longest line shown, in moves.
const MAX_LINE: usize = 12;

/// The size of the graph.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 160.0;

/// Everything before the first game.
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

/// A game, unfolded if `open`.
pub fn section(analysis: &GameAnalysis, open: bool) -> String {
    let game = &analysis.game;
    let facts = ["Event", "Site", "Date", "Round", "Variant"].map(|name| game.tags.get(name));
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
        escaped(game.tags.player(Color::White)),
        escaped(game.tags.player(Color::Black)),
        game.result,
        escaped(&facts.join(", ")),
        graph(analysis),
        table(analysis),
        moves(analysis),
        moments(analysis),
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
fn graph(analysis: &GameAnalysis) -> String {
    let last = analysis.game.moves.len().max(1) as f64;
    let point = |i: usize| {
        let win_percent = analysis.analyses[i].white_score.win_percent(Color::White);
        (WIDTH * i as f64 / last, HEIGHT * (1.0 - win_percent / 100.0))
    };
    let points: Vec<(f64, f64)> = (0..analysis.analyses.len()).map(point).collect();
    let Some(&(end, _)) = points.last() else {
        return "<p>Nothing of this game was analysed.</p>\n".to_string();
    };
    let path: String = points.iter().map(|(x, y)| format!("L{x:.1} {y:.1}")).collect();
    let dots: String = (1..points.len())
        .filter_map(|i| {
            let judgement = analysis.judgement(i - 1)?;
            let (x, y) = points[i];
            Some(format!(
                "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>",
                judgement.name
            ))
        })
        .collect();
    let middle = HEIGHT / 2.0;
    format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"White's \
        chance to win after each move\">\n<rect class=\"black\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
        <path class=\"white\" d=\"M0 {HEIGHT}{path}L{end:.1} {HEIGHT}z\"/>\n\
        <path class=\"middle\" d=\"M0 {middle}h{WIDTH}\"/>\n{dots}\n\
        <path class=\"now\" d=\"M0 0v{HEIGHT}\"/>\n</svg>\n"
    )
}

/// Accuracy and counts of judgements by side.
fn table(analysis: &GameAnalysis) -> String {
    let head: String = JUDGEMENTS
        .each_ref()
        .map(|judgement| format!("<th title=\"{}\">{}</th>", judgement.name, judgement.sign))
        .concat();
    let row = |color: Color| {
        let accuracy = analysis.accuracy(color).map(|accuracy| format!("{accuracy:.1}"));
        let counts = JUDGEMENTS.each_ref().map(|judgement| {
            let count = analysis.count(color, judgement);
            format!("<td class=\"{}\">{count}</td>", judgement.name)
        });
        format!(
            "<tr><th>{}</th><td class=\"accuracy\">{}</td>{}</tr>\n",
            escaped(analysis.game.tags.player(color)),
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

/// The moves as buttons, each with the position after it and its analysis.
fn moves(analysis: &GameAnalysis) -> String {
    let mut text = "<p class=\"moves\">".to_string();
    text += &button(analysis, 0, "", "start");
    let moves = analysis.game.moves.iter().zip(&analysis.positions).enumerate();
    for (i, (played, position)) in moves {
        if i == 0 || position.side() == Color::White {
            text += &format!(" <span class=\"number\">{}</span>", position.san_number());
        }
        let (class, sign) = analysis.judgement(i).map_or(("", ""), |it| (it.name, it.sign));
        let san = format!("{}{sign}", position.san(played.mv));
        text += &(" ".to_string() + &button(analysis, i + 1, class, &san));
    }
    text + &format!(" <b>{}</b></p>\n", analysis.game.result)
}

/// The button of the position at `index`.
fn button(analysis: &GameAnalysis, index: usize, class: &str, text: &str) -> String {
    let position = &analysis.positions[index];
    let played = index
        .checked_sub(1)
        .map_or(String::new(), |i| analysis.positions[i].uci(analysis.game.moves[i].mv, false));
    let found = analysis.analyses.get(index).map_or(String::new(), |found| {
        let best = found.pv.first().map_or(String::new(), |&best| position.uci(best, false));
        format!(
            " data-score=\"{}\" data-best=\"{best}\" data-line=\"{}\"",
            found.white_score,
            line(position, &found.pv)
        )
    });
    format!(
        "<button class=\"{class}\" data-board=\"{}\" data-played=\"{played}\"{found}>{text}</button>",
        board(position)
    )
}

/// The critical moves, with diagrams.
fn moments(analysis: &GameAnalysis) -> String {
    let figures: String = analysis.critical().into_iter().map(|i| moment(analysis, i)).collect();
    if figures.is_empty() {
        return String::new();
    }
    format!("<h2>Critical moments</h2>\n<div class=\"moments\">\n{figures}</div>\n")
}

fn moment(analysis: &GameAnalysis, i: usize) -> String {
    let (position, mv) = (&analysis.positions[i], analysis.game.moves[i].mv);
    let (before, after) = (&analysis.analyses[i], &analysis.analyses[i + 1]);
    let Some(judgement) = analysis.judgement(i) else { return String::new() };
    let uci = |mv: Move| position.uci(mv, false);
    let best = before.pv.first().map_or(String::new(), |&best| uci(best));
    let turned = if position.side() == Color::Black { " data-turned=\"\"" } else { "" };
    format!(
        "<figure data-move=\"{}\">\n<svg class=\"board\" data-board=\"{}\" data-played=\"{}\" \
        data-best=\"{best}\"{turned}></svg>\n<figcaption><b class=\"{}\">{} {}{}</b> {} → {}, \
        {:.0} % of the chance to win lost.<br>Better: {}</figcaption>\n</figure>\n",
        i + 1,
        board(position),
        uci(mv),
        judgement.name,
        position.san_number(),
        position.san(mv),
        judgement.sign,
        before.white_score,
        after.white_score,
        analysis.moves[i].loss,
        line(position, &before.pv),
    )
}

fn line(position: &Position, pv: &[Move]) -> String {
    position.san_line(&pv[..pv.len().min(MAX_LINE)]).join(" ")
}

/// The piece placement of FEN.
fn board(position: &Position) -> String {
    position.fen().split(' ').next().unwrap_or_default().to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
