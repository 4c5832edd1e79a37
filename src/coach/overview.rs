//! The data of a coach page: figures with the positions behind them, opening trees, and exercises.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::exercises::{Exercise, ExerciseKind};
use super::judged::JudgedGame;
use super::opening_moves::{OpeningMove, check, opening_moves, take_checked};
use super::reviews::{Order, ReviewError, analysis};
use super::spots::Spot;
use super::statistics::Statistics;
use super::tree::{Branch, Tree};
use crate::analysis::GameAnalysis;
use crate::library::{Head, Library, LibraryError};
use engine::board::Color;

/// A game with its head and the person's side.
pub type Reviewed = (u64, Head, Color);

/// The most games in the trees, since reading them takes time.
pub const MOST_IN_TREES: usize = 5000;

#[derive(Serialize)]
pub struct Overview {
    names: Vec<String>,
    /// The number of games, and of the person's.
    games: u64,
    mine: usize,
    statistics: Statistics,
    spots: Vec<Spot>,
    /// The spots of each figure and of each weakness.
    behind: Vec<Vec<usize>>,
    behind_weaknesses: Vec<Vec<usize>>,
    /// The costliest first.
    opening_moves: Vec<OpeningMove>,
    /// With White, and with Black.
    trees: [Opening; 2],
    /// Those of the newest game first.
    exercises: Vec<Exercise>,
}

#[derive(Serialize)]
struct Opening {
    games: usize,
    moves: Vec<Branch>,
}

impl Overview {
    pub fn of(
        library: &Library,
        mine: &[Reviewed],
        reviewed: &[&Reviewed],
        trees: &[Tree; 2],
    ) -> Result<Overview, LibraryError> {
        let mut judged = Vec::new();
        for (id, head, side) in reviewed {
            let Some(analysis) = analysis(library, *id)? else { continue };
            judged.push(JudgedGame::of(&analysis, head, *side));
        }
        let statistics = Statistics::of(&judged);
        let mut opening_moves = opening_moves(&judged);
        take_checked(library, &mut opening_moves)?;
        let mut spots = Spots::new(library, reviewed);
        let behind = spots.behind(statistics.figures.iter().map(|it| &it.worst))?;
        let behind_weaknesses = spots.behind(statistics.weaknesses.iter().map(|it| &it.worst))?;
        let mut exercises: Vec<Exercise> =
            library.exercises()?.into_iter().map(|(_, it)| it).collect();
        exercises.retain(|exercise: &Exercise| {
            exercise.kind == ExerciseKind::Mistake && !exercise.memory.is_retired()
        });
        exercises.reverse();
        Ok(Overview {
            names: library.names()?,
            games: library.count()?,
            mine: mine.len(),
            statistics,
            spots: spots.found,
            behind,
            behind_weaknesses,
            opening_moves,
            trees: [0, 1].map(|side: usize| Opening {
                games: trees[side].games(),
                moves: trees[side].branches(),
            }),
            exercises,
        })
    }
}

impl Overview {
    /// Looks for better moves than those that cost something in openings, for as long as they need to stand.
    pub fn check_openings(
        &mut self,
        library: &Library,
        order: &Order,
        stop: &AtomicBool,
    ) -> Result<(), ReviewError> {
        check(library, &self.opening_moves, order, stop)?;
        Ok(take_checked(library, &mut self.opening_moves)?)
    }
}

/// The trees with White and with Black, of the newest games.
pub fn trees(library: &Library, mine: &[Reviewed]) -> Result<[Tree; 2], LibraryError> {
    let mut trees = [Tree::default(), Tree::default()];
    for (id, _, side) in mine.iter().take(MOST_IN_TREES) {
        let tree = &mut trees[side.index()];
        match analysis(library, *id)? {
            Some(analysis) => tree.add(&analysis.game, *side, Some(&analysis)),
            None => tree.add(&library.game(*id)?, *side, None),
        }
    }
    Ok(trees)
}

/// The positions behind the figures, each once.
struct Spots<'a> {
    library: &'a Library,
    reviewed: &'a [&'a Reviewed],
    found: Vec<Spot>,
    places: HashMap<(u64, usize), usize>,
    analyses: HashMap<u64, Option<GameAnalysis>>,
}

impl<'a> Spots<'a> {
    fn new(library: &'a Library, reviewed: &'a [&'a Reviewed]) -> Spots<'a> {
        let (places, analyses) = (HashMap::new(), HashMap::new());
        Spots { library, reviewed, found: Vec::new(), places, analyses }
    }

    fn behind<'b>(
        &mut self,
        worst: impl Iterator<Item = &'b Vec<(u64, usize)>>,
    ) -> Result<Vec<Vec<usize>>, LibraryError> {
        let mut behind = Vec::new();
        for worst in worst {
            let mut places = Vec::new();
            for &(id, ply) in worst {
                places.extend(self.place(id, ply)?);
            }
            behind.push(places);
        }
        Ok(behind)
    }

    fn place(&mut self, id: u64, ply: usize) -> Result<Option<usize>, LibraryError> {
        if let Some(&place) = self.places.get(&(id, ply)) {
            return Ok(Some(place));
        }
        if !self.analyses.contains_key(&id) {
            self.analyses.insert(id, analysis(self.library, id)?);
        }
        let head = self.reviewed.iter().find(|(other, ..)| *other == id);
        let analysis = self.analyses.get(&id).and_then(Option::as_ref);
        let spot = head.zip(analysis);
        let spot = spot.and_then(|((_, head, _), analysis)| Spot::of(analysis, head, ply));
        let place = self.found.len();
        Ok(spot.map(|spot| {
            self.found.push(spot);
            self.places.insert((id, ply), place);
            place
        }))
    }
}
