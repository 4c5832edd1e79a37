//! The list of all games: searches, filters, columns to sort by.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::library::{Head, Library, LibraryError, Speed, Summary};
use engine::board::Color;

/// The most games in one answer.
const MOST_SHOWN: usize = 100;

/// Which games are wanted, and in which order.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// Words that a game must have, of its players, date, result, opening and tags.
    search: String,
    /// The person's games.
    mine: bool,
    /// The person's side.
    side: Option<Side>,
    /// The person's result.
    result: Option<Ending>,
    speed: Option<Speed>,
    reviewed: Option<bool>,
    tag: Option<String>,
    /// The first day: "2026.11.01".
    since: Option<String>,
    by: Column,
    is_up: bool,
    /// The number of games before the first one of the answer.
    from: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ending {
    Won,
    Lost,
    Drawn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Column {
    Date,
    White,
    Black,
    Result,
    Moves,
    Opening,
    Rating,
    Clock,
    Accuracy,
}

impl Default for Query {
    fn default() -> Query {
        Query {
            search: String::new(),
            mine: false,
            side: None,
            result: None,
            speed: None,
            reviewed: None,
            tag: None,
            since: None,
            by: Column::Date,
            is_up: false,
            from: 0,
        }
    }
}

/// A game in the list.
#[derive(Serialize)]
struct Row {
    id: u64,
    head: ShownHead,
    /// What a search looks at.
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct ShownHead {
    #[serde(flatten)]
    head: Head,
    /// The person's side.
    side: Option<usize>,
    accuracy: Option<[Option<f64>; 2]>,
    /// The inaccuracies, mistakes and blunders of the person's side, or of both.
    marks: Option<[usize; 3]>,
    tags: Vec<String>,
}

/// All games, the newest first.
pub struct List(Vec<Row>);

impl List {
    pub fn of(library: &Library) -> Result<List, LibraryError> {
        let names = library.names()?;
        let (mut tags, mut summaries) = (library.tags()?, library.summaries()?);
        let row = |(id, head): (u64, Head)| {
            let tags = tags.remove(&id).unwrap_or_default();
            let side = head.side_of(&names);
            let summary = summaries.remove(&id);
            let text = searched(&head, &tags);
            let marks = summary.as_ref().map(|summary| marks(summary, side));
            let accuracy = summary.map(|summary| summary.accuracy);
            let side = side.map(Color::index);
            Row { id, head: ShownHead { head, side, accuracy, marks, tags }, text }
        };
        Ok(List(library.heads()?.into_iter().map(row).collect()))
    }

    /// The number of positions of a game.
    pub fn positions(&self, id: u64) -> Option<usize> {
        self.0.iter().find(|row| row.id == id).map(|row| row.head.head.plies + 1)
    }

    /// The first of the games that are wanted, and how many there are.
    pub fn shown(&self, query: &Query) -> Value {
        let found = self.found(query);
        let reviewed = found.iter().filter(|row| row.head.accuracy.is_some()).count();
        let shown: Vec<&&Row> = found.iter().skip(query.from).take(MOST_SHOWN).collect();
        json!({ "count": found.len(), "reviewed": reviewed, "games": shown })
    }

    pub fn ids(&self, query: &Query) -> Value {
        self.found(query).iter().map(|row| row.id).collect()
    }

    fn found(&self, query: &Query) -> Vec<&Row> {
        let search = query.search.to_lowercase();
        let words: Vec<&str> = search.split_whitespace().collect();
        let has_words = |row: &Row| words.iter().all(|word| row.text.contains(word));
        let rows = self.0.iter();
        let mut found: Vec<&Row> =
            rows.filter(|row| query.fits(&row.head) && has_words(row)).collect();
        match query.by {
            Column::Date => {}
            Column::White => found.sort_by_cached_key(|row| row.player(0)),
            Column::Black => found.sort_by_cached_key(|row| row.player(1)),
            Column::Result => found.sort_by(|a, b| a.head.head.result.cmp(&b.head.head.result)),
            Column::Moves => found.sort_by_key(|row| Reverse(row.head.head.plies)),
            Column::Opening => found.sort_by(|a, b| a.head.head.opening.cmp(&b.head.head.opening)),
            Column::Rating => {
                found.sort_by_key(|row| Reverse(row.head.head.ratings.into_iter().max()));
            }
            Column::Clock => found.sort_by(|a, b| a.seconds().total_cmp(&b.seconds())),
            Column::Accuracy => found.sort_by(|a, b| b.accuracy().total_cmp(&a.accuracy())),
        }
        if query.is_up {
            found.reverse();
        }
        found
    }
}

impl Row {
    fn player(&self, side: usize) -> String {
        self.head.head.players[side].to_lowercase()
    }

    /// The time for 40 moves.
    fn seconds(&self) -> f64 {
        self.head.head.seconds().unwrap_or(f64::INFINITY)
    }

    /// The person's accuracy, or else the better one.
    fn accuracy(&self) -> f64 {
        let [white, black] = self.head.accuracy.unwrap_or_default().map(|it| it.unwrap_or(-1.0));
        [white, black, white.max(black)][self.head.side.unwrap_or(2)]
    }
}

impl Query {
    fn fits(&self, row: &ShownHead) -> bool {
        let ShownHead { head, side, tags, .. } = row;
        let is_mine = !(self.mine || self.side.is_some() || self.result.is_some());
        (is_mine || side.is_some())
            && self.side.is_none_or(|wanted| *side == Some(usize::from(wanted == Side::Black)))
            && self
                .result
                .is_none_or(|wanted| side.and_then(|side| ending(head, side)) == Some(wanted))
            && self.speed.is_none_or(|wanted| head.speed() == Some(wanted))
            && self.reviewed.is_none_or(|wanted| row.accuracy.is_some() == wanted)
            && self.tag.as_ref().is_none_or(|tag| tags.contains(tag))
            && self.since.as_ref().is_none_or(|since| head.date >= *since)
    }
}

fn ending(head: &Head, side: usize) -> Option<Ending> {
    match &*head.result {
        "1/2-1/2" => Some(Ending::Drawn),
        "1-0" => Some(if side == 0 { Ending::Won } else { Ending::Lost }),
        "0-1" => Some(if side == 1 { Ending::Won } else { Ending::Lost }),
        _ => None,
    }
}

fn searched(head: &Head, tags: &[String]) -> String {
    let [white, black] = &head.players;
    let Head { date, result, opening, .. } = head;
    format!("{white} {black} {date} {result} {opening} {}", tags.join(" ")).to_lowercase()
}

fn marks(summary: &Summary, side: Option<Color>) -> [usize; 3] {
    let [white, black] = summary.marks;
    match side {
        Some(side) => summary.marks[side.index()],
        None => [0, 1, 2].map(|mark: usize| white[mark] + black[mark]),
    }
}
