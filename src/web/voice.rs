//! The board's voice: one table and one review for all tabs, and one loop over questions and search reports.

use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use crossbeam_channel::Select;
use crossbeam_channel::{Receiver, TryRecvError};
use rand::RngExt;
use serde_json::json;

use super::board_state::BoardState;
use super::look::Look;
use super::messages::{self, Match, Message, Reply, Settings, ShownGame};
use super::tabs::{TabEvent, Tabs};
use crate::analysis::{GameAnalysis, GameData};
use crate::coach::{Background, State};
use crate::game::{
    Ask, Happened, Hint, Judged, Level, Outcome, PlayedGame, Refused, Searcher, Table, Terms,
    TimeControl,
};
use engine::board::{Color, Game, Position};
use engine::notation::{PgnGame, PgnReader, to_pgn};
use engine::player::{DEFAULT_MOVE_TIME, Go, Options, Player};
use engine::search::{FULL_SKILL, MAX_ELO, MIN_ELO, title};
use engine::system::time::Instant;

pub struct Voice {
    inputs: Receiver<TabEvent>,
    tabs: Tabs,
    board: BoardState,
    table: Table,
    /// The library and the coach, and their last state.
    background: Background,
    state: State,
    /// The library's file.
    kept_in: Option<String>,
    look: Option<Look>,
    /// The tab that asked for a hint last.
    hint_tab: u64,
    /// The program ends.
    is_over: bool,
}

impl Voice {
    pub fn new(
        options: &Options,
        inputs: Receiver<TabEvent>,
        board: BoardState,
        background: Background,
        kept_in: Option<String>,
    ) -> (Voice, Vec<String>) {
        // The person chooses the level.
        let options = Options {
            analyse_mode: false,
            skill_level: FULL_SKILL,
            ponder: false,
            ..options.clone()
        };
        let (player, mut problems) = Player::new(options);
        let mut board = board;
        if board.pgn.is_empty() {
            board.terms = Match { zebu_is_white: Some(false), elo: Some(1500), ..Match::default() };
        }
        let terms = terms(&board.terms).unwrap_or(Terms {
            zebu: Some(Color::Black),
            level: Level::Full,
            clock: None,
            move_time: DEFAULT_MOVE_TIME,
        });
        let mut game = match PgnReader::new(board.pgn.as_bytes()).next() {
            Some(Ok(game)) => PlayedGame::from(game),
            _ => PlayedGame::new(Position::start()),
        };
        // A clock before its first move is not in the PGN.
        if game.board().moves().is_empty() {
            game.set_clock(terms.clock);
        }
        if let Some(outcome) = board.over.as_deref().and_then(Outcome::of_words) {
            game.call(outcome);
        }
        let mut voice = Voice {
            inputs,
            tabs: Tabs::default(),
            board,
            table: Table::new(player, game, &terms),
            background,
            state: State::default(),
            kept_in,
            look: None,
            hint_tab: 0,
            is_over: false,
        };
        let settings = voice.board.settings.clone();
        if let Err(problem) = voice.apply(&settings) {
            problems.push(problem);
            voice.board.settings = Settings::default();
        }
        (voice, problems)
    }

    /// Runs until the program ends.
    #[cfg(not(target_family = "wasm"))]
    pub fn run(mut self) {
        loop {
            let wakes_at = self.turn();
            if self.is_over {
                return;
            }
            let [play, advice] =
                [Searcher::Opponent, Searcher::Adviser].map(|searcher| self.table.events(searcher));
            let mut any = Select::new();
            any.recv(&self.inputs);
            any.recv(&play);
            any.recv(&advice);
            any.recv(self.background.states());
            match wakes_at {
                Some(at) => _ = any.ready_deadline(at),
                None => _ = any.ready(),
            }
        }
    }

    /// Handles all pending events, does what is due, and returns when more will be due.
    pub fn turn(&mut self) -> Option<Instant> {
        loop {
            match self.inputs.try_recv() {
                Ok(input) => self.hear(input),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    break;
                }
            }
        }
        for searcher in [Searcher::Opponent, Searcher::Adviser] {
            while let Ok(event) = self.table.events(searcher).try_recv() {
                let happened = self.table.heard(searcher, &event, Instant::now());
                self.tell(happened);
            }
        }
        #[cfg(target_family = "wasm")]
        self.background.turn();
        if let Some(state) = self.background.states().try_iter().last() {
            self.state = state;
            self.tabs.tell(&Message::Library { state: &self.state });
        }
        let happened = self.table.due(Instant::now());
        self.tell(happened);
        self.tell_lines();
        // Reviews that nobody waits for have what the machine has left.
        self.background.rest(!self.table.is_free() || self.look.is_some());
        if self.is_over {
            return None;
        }
        let tells_at = self.look.as_ref().and_then(|look| look.tells_at);
        [tells_at, self.table.wakes_at()].into_iter().flatten().min()
    }

    fn hear(&mut self, input: TabEvent) {
        match input {
            TabEvent::Opened(tab, events) => {
                self.tabs.open(tab, events);
                let hello = Message::Hello {
                    tab,
                    settings: &self.board.settings,
                    most_threads: most_threads(),
                    levels: (MIN_ELO..=MAX_ELO).step_by(100).map(|elo| (elo, title(elo))).collect(),
                    kept_in: self.kept_in.as_deref(),
                };
                self.tabs.tell_one(tab, &hello);
                let game = Message::Game(Box::new(self.shown_game()));
                self.tabs.tell_one(tab, &game);
                self.tabs.tell_one(tab, &Message::Library { state: &self.state });
                self.ask_table(Ask::Return);
            }
            TabEvent::Closed(tab) => {
                self.tabs.close(tab);
                self.end_look(tab);
                // Nobody sees a move.
                if self.tabs.is_empty() {
                    self.ask_table(Ask::Leave);
                }
            }
            TabEvent::Asked(_, messages::Ask::Library(want), reply) => self.background.ask(
                want,
                Box::new(|answer| reply(answer.map_or_else(Reply::Wrong, Reply::Found))),
            ),
            TabEvent::Export(export, sink) => self.background.export(export, sink),
            TabEvent::Asked(tab, ask, reply) => {
                let answer = self.answer(tab, ask).unwrap_or_else(Reply::Wrong);
                reply(answer);
            }
            TabEvent::End => self.is_over = true,
        }
    }

    fn answer(&mut self, tab: u64, ask: messages::Ask) -> Result<Reply, String> {
        let refused = match ask {
            messages::Ask::Play(terms) => self.begin(terms)?,
            messages::Ask::Move { mv, ply } => self.person_moves(&mv, ply)?,
            messages::Ask::TakeBack => self.ask_table(Ask::TakeBack(None)),
            messages::Ask::Hint => {
                self.hint_tab = tab;
                self.ask_table(Ask::Hint)
            }
            messages::Ask::Resign => self.ask_table(Ask::Resign),
            messages::Ask::OfferDraw => self.ask_table(Ask::Draw),
            messages::Ask::Look(look) => {
                let game = game_of(Some(&look.start), &look.moves)?;
                self.look = Some(Look::new(tab, look.number, game.clone()));
                let go = Go { analyse: true, ..Go::default() };
                self.ask_table(Ask::Look(Box::new(game), Box::new(go)))
            }
            messages::Ask::Stop => {
                self.end_look(tab);
                None
            }
            messages::Ask::Set(settings) => {
                if let Err(problem) = self.apply(&settings) {
                    let before = self.board.settings.clone();
                    self.apply(&before).ok();
                    return Err(problem);
                }
                self.board.settings = settings;
                self.keep();
                self.tabs.tell(&Message::Settings { settings: &self.board.settings });
                None
            }
            // This is answered when the library has the answer.
            messages::Ask::Library(_) => None,
        };
        match refused {
            None => Ok(Reply::Done),
            Some(refused @ Refused::Draw) => Ok(Reply::Said(refused.to_string())),
            Some(refused) => Err(refused.to_string()),
        }
    }

    fn apply(&mut self, settings: &Settings) -> Result<(), String> {
        if !(1..=10).contains(&settings.lines) {
            return Err(format!("An analysis has 1 to 10 lines, not {}.", settings.lines));
        }
        self.table.judges = settings.judges;
        self.table.takes_its_time = settings.takes_its_time;
        self.table.set_adviser(settings.threads, settings.hash, settings.lines)
    }

    fn begin(&mut self, mut wanted: Match) -> Result<Option<Refused>, String> {
        let board = game_of(wanted.start.as_deref(), &wanted.moves)?;
        wanted.zebu_is_white.get_or_insert_with(|| rand::rng().random());
        wanted.moves.clear();
        let terms = terms(&wanted)?;
        if let Err(refused) = terms.check() {
            return Ok(Some(refused));
        }
        self.keep_unfinished();
        self.board.terms = wanted;
        self.board.notes.clear();
        self.background.forget_played();
        Ok(self.ask_table(Ask::New(Box::new(PlayedGame::from(board)), terms)))
    }

    fn person_moves(&mut self, word: &str, ply: usize) -> Result<Option<Refused>, String> {
        let game = self.table.game();
        if ply != game.board().moves().len() {
            return Ok(Some(Refused::NotYourMove));
        }
        let mv = game.position().parse_uci(word).map_err(|error| format!("'{word}': {error}."))?;
        Ok(self.ask_table(Ask::Move(mv)))
    }

    /// Ends the analysis for a tab.
    fn end_look(&mut self, tab: u64) {
        if self.look.take_if(|look| look.tab == tab).is_some() {
            self.ask_table(Ask::EndLook);
        }
    }

    /// Passes an order to the table, and tells all tabs what happens. Only the asking tab gets a refusal.
    fn ask_table(&mut self, what: Ask) -> Option<Refused> {
        let happened = self.table.ask(what, Instant::now());
        self.tell(happened)
    }

    fn tell(&mut self, happened: Vec<Happened>) -> Option<Refused> {
        let mut refused = None;
        let is_changed = happened.iter().any(Happened::changes_game);
        for it in happened {
            match it {
                Happened::Over(_) => self.background.add_played(self.pgn(), true),
                Happened::Line(line) => {
                    self.look.iter_mut().for_each(|look| look.heard(line.clone(), Instant::now()));
                }
                Happened::Looked(_) => {
                    self.look.iter_mut().for_each(|look| look.end(Instant::now()));
                }
                Happened::Hint(hint) => self.tell_hint(&hint),
                Happened::Judged(Judged { ply, note, name, words }) => {
                    self.board.notes.insert(ply, json!(note));
                    self.keep();
                    self.tabs.tell(&Message::Judged { ply, note, name, words });
                }
                Happened::TakenBack => {
                    let left = self.table.game().board().moves().len();
                    self.board.notes.retain(|&ply, _| ply <= left);
                }
                Happened::Refused(reason) => refused = Some(reason),
                Happened::Problem(text) => self.say(text),
                Happened::Begun
                | Happened::Moved { .. }
                | Happened::GoesOn { .. }
                | Happened::Thinks(_)
                | Happened::Looks(_) => {}
            }
        }
        if is_changed {
            self.keep();
            let game = Message::Game(Box::new(self.shown_game()));
            self.tabs.tell(&game);
        }
        refused
    }

    fn tell_hint(&mut self, hint: &Hint) {
        let position = self.table.game().position();
        let mv = match hint {
            Hint::Move(mv, _) => Some(position.uci(*mv, true)),
            Hint::Motif(_) | Hint::Piece(..) => None,
        };
        let ply = self.table.game().board().moves().len();
        self.tabs.tell_one(self.hint_tab, &Message::Hint { ply, mv, text: hint.to_string() });
    }

    fn tell_lines(&mut self) {
        if let Some(look) = self.look.as_mut()
            && look.is_due(Instant::now())
        {
            let note = self.table.note(&look.game);
            self.tabs.tell_one(look.tab, &Message::Lines(look.lines(note)));
        }
    }

    fn say(&mut self, text: String) {
        self.tabs.tell(&Message::Say { text });
    }

    /// Keeps a game that another one takes the place of.
    fn keep_unfinished(&mut self) {
        let game = self.table.game();
        if game.outcome().is_none() && !game.board().moves().is_empty() {
            self.background.add_played(self.pgn(), false);
        }
    }

    fn keep(&mut self) {
        self.board.over = self.table.game().outcome().map(|outcome| outcome.to_string());
        self.board.pgn = to_pgn(&self.pgn());
        self.background.keep_board(json!(self.board));
    }

    fn pgn(&self) -> PgnGame {
        self.table.game().pgn(&self.table.occasion("In the browser"))
    }

    fn shown_game(&self) -> ShownGame {
        let game = self.table.game();
        let milliseconds = |left: Duration| left.as_millis() as u64;
        ShownGame {
            game: GameData::of(&GameAnalysis::new(self.pgn(), Vec::new())),
            notes: self.board.notes.clone(),
            zebu_is_white: self.table.zebu() == Some(Color::White),
            thinks: self.table.is_zebus_turn(),
            left: game.left(Instant::now()).map(|left| left.map(milliseconds)),
            runs: game.clock().is_some_and(|clock| clock.is_running()),
            over: game.outcome().map(|outcome| outcome.to_string()),
            terms: self.board.terms.clone(),
        }
    }
}

/// Checks the terms of a game from the page.
fn terms(wanted: &Match) -> Result<Terms, String> {
    let clock = wanted.clock.as_deref().map(TimeControl::parse).transpose();
    let level = wanted.elo.map_or(Ok(Level::Full), |elo| Level::parse(&elo.to_string()));
    let is_white = wanted.zebu_is_white == Some(true);
    Ok(Terms {
        zebu: Some(if is_white { Color::White } else { Color::Black }),
        level: level.map_err(|error| error.to_string())?,
        clock: clock.map_err(|error| error.to_string())?,
        move_time: wanted.move_time.map_or(DEFAULT_MOVE_TIME, Duration::from_millis),
    })
}

/// Parses a FEN and the moves after it.
fn game_of(start: Option<&str>, moves: &[String]) -> Result<Game, String> {
    const MOST_MOVES: usize = 2000;
    if moves.len() > MOST_MOVES {
        return Err(format!("A game has at most {MOST_MOVES} moves here, not {}.", moves.len()));
    }
    let start = match start {
        Some(fen) => fen.parse().map_err(|error| format!("This is no position: {error}."))?,
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for word in moves {
        let mv = game.position().parse_uci(word);
        game.play(mv.map_err(|error| format!("'{word}': {error}."))?);
    }
    Ok(game)
}

fn most_threads() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}
