//! An analysed game as programs get it, and the page. `page/README.md` says what each field has.

use std::collections::BTreeMap;

use serde::Serialize;

use super::analyser::PositionAnalysis;
use super::annotations::{annotated, without_analyses};
use super::game_analysis::{GameAnalysis, Phase};
use super::judgement::JUDGEMENTS;
use super::note::Note;
use super::openings::opening_name;
use engine::board::{Color, Move, Position};
use engine::notation::to_pgn;

/// The longest lines shown, in moves: before a bad move, and elsewhere.
const MAX_LINE: usize = 10;
const MAX_OTHER_LINE: usize = 6;

#[derive(Serialize)]
pub struct GameData {
    number: usize,
    sides: [Side; 2],
    result: String,
    tags: Vec<(String, String)>,
    opening: String,
    start: String,
    preface: Vec<String>,
    moves: String,
    states: Vec<String>,
    scores: Vec<String>,
    wins: Vec<f64>,
    lines: Vec<String>,
    others: Vec<Vec<(String, String)>>,
    notes: BTreeMap<usize, Note>,
    /// The annotated game.
    pub pgn: String,
}

#[derive(Serialize)]
struct Side {
    name: String,
    accuracy: Option<f64>,
    counts: [usize; 3],
    phases: [Option<f64>; 3],
}

impl GameData {
    pub fn of(analysis: &GameAnalysis) -> GameData {
        let GameAnalysis { game, positions, analyses, .. } = analysis;
        let found = || analyses.iter().zip(positions);
        let line = |(i, (found, position)): (usize, (&PositionAnalysis, &Position))| {
            let most = if analysis.judgement(i).is_some() { MAX_LINE } else { MAX_OTHER_LINE };
            moves_text(position, found.pv.iter().take(most))
        };
        let others = |(found, position): (&PositionAnalysis, &Position)| {
            let line = |pv: &[Move]| moves_text(position, pv.iter().take(MAX_OTHER_LINE));
            found.others.iter().map(|it| (it.white_score.to_string(), line(&it.pv))).collect()
        };
        let notes = (0..game.moves.len()).map(|i| (i + 1, note(analysis, i)));
        GameData {
            number: game.number,
            sides: [Color::White, Color::Black].map(|color| Side {
                name: game.tags.player(color).to_string(),
                accuracy: analysis.accuracy(color).map(tenths),
                counts: JUDGEMENTS.each_ref().map(|judgement| analysis.count(color, judgement)),
                phases: Phase::ALL.map(|phase| analysis.accuracy_in(color, phase).map(tenths)),
            }),
            result: game.result.to_string(),
            tags: game.tags.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            opening: opening_name(game, positions),
            start: game.start.fen().to_string(),
            preface: without_analyses(&game.preface).collect(),
            moves: moves_text(&game.start, game.moves.iter().map(|played| &played.mv)),
            states: positions.iter().map(state).collect(),
            scores: analyses.iter().map(|found| found.white_score.to_string()).collect(),
            wins: analyses
                .iter()
                .map(|found| tenths(found.white_score.win_percent(Color::White)))
                .collect(),
            lines: found().enumerate().map(line).collect(),
            others: found().map(others).collect(),
            notes: notes.filter(|(_, note)| !note.is_empty()).collect(),
            pgn: to_pgn(&annotated(analysis)),
        }
    }

    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("text, numbers and lists are JSON")
    }
}

/// Of a game's JSON what a list of games needs, with the number of moves as `plies`.
pub fn head(json: &str) -> String {
    // Inside of strings a quote stands behind a backslash.
    let part = |from: &str, to: &str| {
        let (before, rest) = json.split_once(from).unwrap_or((json, ""));
        (before, rest.split_once(to).map_or("", |(part, _)| part))
    };
    let (before, _) = part(",\"start\":", ",");
    let (_, moves) = part(",\"moves\":\"", "\"");
    let (_, scores) = part(",\"scores\":[", "]");
    let plies = moves.split_whitespace().count() / 2;
    format!("{before},\"plies\":{plies},\"analysed\":{}}}", !scores.is_empty())
}

fn note(analysis: &GameAnalysis, i: usize) -> Note {
    let (played, position) = (&analysis.game.moves[i], &analysis.positions[i]);
    let mut note = analysis.notes().get(i).cloned().unwrap_or_default();
    if note.judgement.is_some() {
        let right = analysis.analyses[i].good_moves.iter();
        let right = right.map(|mv| moves_text(position, [mv].into_iter()));
        note.right = Some(right.collect::<Vec<_>>().join(" "));
    }
    note.nags = played.nags.clone();
    note.comments = without_analyses(&played.comments).collect();
    note.variations = played.variations.clone();
    note
}

/// The fields of the FEN behind the board.
fn state(position: &Position) -> String {
    let fen = position.fen().to_string();
    fen.split_once(' ').map_or_else(String::new, |(_, state)| state.to_string())
}

/// Each move twice: as UCI writes it, castling as king takes rook, and in SAN.
pub fn moves_text<'a>(start: &Position, moves: impl Iterator<Item = &'a Move>) -> String {
    let mut position = *start;
    let words = moves.map(|&mv| {
        let text = format!("{} {}", position.uci(mv, true), position.san(mv));
        position = position.after(mv);
        text
    });
    words.collect::<Vec<_>>().join(" ")
}

fn tenths(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}
