//! Figures, printed: how many mistakes become exercises, and whether their answers stand. `ZEBU_GAMES` is a file of
//! games.

use std::env;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use engine::board::{Color, Move, Position};
use engine::notation::PgnReader;
use serde_json::json;
use zebu::analysis::WhiteScore;
use zebu::coach::{Background, ExerciseKind, Order, analysis, exercises, is_right};
use zebu::library::Library;

use crate::folder::Folder;
use crate::{go_on, order};

#[test]
#[ignore = "a quarter of an hour; prints whose answers stand"]
fn answers_stand_with_20_times_the_nodes() {
    let file = env::var("ZEBU_GAMES").expect("ZEBU_GAMES names a file of games");
    let text = fs::read(file).expect("a file of games");
    let folder = Folder::new("stand");
    let library = Library::open(&folder.join("library.zebu")).expect("a library");
    library.import(PgnReader::new(&text[..]), |_| ()).expect("games");
    let heads: Vec<_> = library.heads().expect("heads").into_iter().take(100).collect();
    let ids: Vec<u64> = heads.iter().map(|(id, _)| *id).collect();
    let order = order(zebu::coach::NODES);
    let begun = Instant::now();
    order.run(&library, &ids, &go_on(), |_| ()).expect("reviews");
    println!("reviews of {} games: {:?}", ids.len(), begun.elapsed());
    let (mut all, mut standing, mut refused, mut mistakes) = (0, 0, 0, 0);
    for (id, head) in &heads {
        let Some(found) = analysis(&library, *id).expect("a library") else { continue };
        for side in Color::BOTH {
            let marks = found.moves.iter().filter(|mv| mv.color == side);
            let marks = marks.filter_map(|mv| mv.judgement());
            mistakes += marks.filter(|mark| mark.sign != "?!").count();
            let made = exercises(&order, &found, head, side, &go_on()).expect("exercises");
            for (_, exercise) in made.iter().filter(|(_, it)| it.kind == ExerciseKind::Mistake) {
                let position: Position = exercise.fen.parse().expect("a position");
                let good: Vec<&str> = exercise.good.split(' ').step_by(2).collect();
                let deep = order.look(&[position], 200, 4, &go_on()).expect("a search").remove(0);
                let chance = |score: WhiteScore| score.win_percent(position.side());
                let best = chance(deep.white_score);
                let others = deep.others.iter().map(|it| (it.pv[0], it.white_score));
                let lines = [(deep.pv[0], deep.white_score)].into_iter().chain(others);
                let losses: Vec<(String, Move, f64)> = lines
                    .map(|(mv, score)| (position.uci(mv, true), mv, best - chance(score)))
                    .collect();
                let stands = losses.iter().any(|(word, _, loss)| word == good[0] && *loss <= 5.0);
                let others = losses
                    .iter()
                    .filter(|(word, _, loss)| *loss <= 3.0 && !good.contains(&word.as_str()));
                let is_refused = others.clone().any(|(_, mv, _)| {
                    !is_right(&order, exercise, &position, *mv, &go_on()).expect("a search")
                });
                all += 1;
                standing += usize::from(stands);
                refused += usize::from(is_refused);
                if all % 20 == 0 {
                    println!("{standing} of {all} stand so far, {refused} refuse a good move");
                }
                if !stands || is_refused {
                    println!("{}: {} but {losses:?}", exercise.fen, exercise.good);
                }
            }
        }
    }
    println!("{all} of {mistakes} mistakes and blunders became exercises");
    println!("{standing} of {all} stand; a good second move is refused in {refused}");
}

#[test]
#[ignore = "prints the times of a library of ZEBU_GAMES"]
fn times_of_a_large_library() {
    let file = env::var("ZEBU_GAMES").expect("ZEBU_GAMES names a file of games");
    let folder = Folder::new("large");
    let path = folder.join("library.zebu");
    {
        let library = Library::open(&path).expect("a library");
        let begun = Instant::now();
        let text = fs::File::open(file).expect("a file of games");
        let reader = PgnReader::new(std::io::BufReader::new(text));
        let taken = library.import(reader, |_| ()).expect("games");
        println!("{taken:?} in {:?}", begun.elapsed());
    }
    let order = Order { rests: Arc::new(true.into()), ..order(1000) };
    let begun = Instant::now();
    let library = Library::open(&path).expect("a library");
    let coach = Background::begin(library, order, None).expect("a thread");
    for (search, by) in
        [("", "date"), ("an", "white"), ("2025 1-0", "moves"), ("", "black"), ("zz", "date")]
    {
        let begun = Instant::now();
        let (sender, receiver) = std::sync::mpsc::channel();
        let want =
            json!({ "want": "games", "search": search, "by": by, "is_up": false, "from": 0 });
        let want = serde_json::from_value(want).expect("something to want");
        coach.ask(want, Box::new(move |answer| drop(sender.send(answer))));
        let found = receiver.recv().expect("an answer").expect("games");
        println!("'{search}' by {by}: {} in {:?}", found["count"], begun.elapsed());
    }
    println!("opened and asked in {:?}", begun.elapsed());
}
