//! The loop of UCI. Lines come in any order; what needs the engine waits until it is free, and each `go`
//! gets one `bestmove`.

use std::io::{self, BufRead};
use std::{mem, thread};

use crossbeam_channel::{Receiver, Sender, at, bounded, never, select_biased};
use log::warn;

use super::answers::{self, Log, print};
use super::command::{Command, InputLine, parse, set_up};
use crate::bench::{Job, Report};
use crate::board::{Game, Position};
use crate::player::{Effect, Finished, Go, Player, Thinking};
use crate::search::Event;
use crate::system::advice;
use crate::system::lines::{ByteLines, LONGEST};
use crate::system::queue::{FULL, Next, Overflow, Queue};
use crate::system::time::Instant;

/// Lines that are read before they are asked for.
const LINES_AHEAD: usize = 8;

const REFUSED: &str = "the last position was refused";

/// Reads standard input to its end.
pub fn read_lines() -> io::Result<Receiver<InputLine>> {
    let (sender, lines) = bounded(LINES_AHEAD);
    let read = move || drop(send_lines(io::stdin().lock(), &sender));
    thread::Builder::new().name("reader".to_string()).spawn(read)?;
    Ok(lines)
}

/// No lines: for commands from elsewhere.
pub fn no_lines() -> Receiver<InputLine> {
    bounded(0).1
}

/// Sends each line. Bytes that are no UTF-8 become replacement characters, and a byte order mark at the start
/// is skipped.
fn send_lines(input: impl BufRead, lines: &Sender<InputLine>) -> io::Result<()> {
    let mut input = ByteLines::new(input);
    while let Some(line) = input.next_line()? {
        let text = String::from_utf8_lossy(&line.bytes);
        let mark = if input.number() == 1 { "\u{feff}" } else { "" };
        let text = text.trim_start_matches(mark).trim();
        let input =
            if line.is_cut { InputLine::TooLong } else { InputLine::Line(text.to_string()) };
        if (line.is_cut || !text.is_empty()) && lines.send(input).is_err() {
            break;
        }
    }
    Ok(())
}

/// The session of a program that speaks UCI.
struct Protocol {
    player: Player,
    log: Log,
    game: Game,
    /// The last `position` was refused: there is nothing to search.
    refused: bool,
    debug: bool,
    /// What was wrong at the start, until `uci` asks.
    complaints: Vec<String>,
    /// The engine does one thing at a time: a search, or a benchmark or count.
    thinking: Option<Thinking>,
    job: Option<Job>,
    /// What waits for the end of that.
    waiting: Queue<Command>,
    /// The number of the last command there before `ponderhit`.
    hit: u64,
    /// No more lines count: a search that would never end by itself ends as it begins.
    ending: bool,
    errors: usize,
}

/// Executes commands, then lines, until they end or nobody reads the output. Returns the number of errors.
pub fn talk(
    player: Player,
    complaints: Vec<String>,
    commands: Vec<Command>,
    lines: Receiver<InputLine>,
) -> io::Result<usize> {
    let mut protocol = Protocol::new(player, complaints);
    for command in commands {
        protocol.schedule(command, 0)?;
    }
    protocol.run(lines)?;
    Ok(protocol.errors)
}

impl Protocol {
    fn new(player: Player, complaints: Vec<String>) -> Protocol {
        Protocol {
            log: Log::open(player.options()),
            player,
            game: Game::new(Position::start()),
            refused: false,
            debug: false,
            complaints,
            thinking: None,
            job: None,
            waiting: Queue::default(),
            hit: 0,
            ending: false,
            errors: 0,
        }
    }

    fn run(&mut self, mut lines: Receiver<InputLine>) -> io::Result<()> {
        loop {
            while self.is_free()
                && let Some(Next { item, number, is_stopped }) = self.waiting.pop()
            {
                if let Command::Quit = item {
                    return Ok(());
                }
                self.execute(item, number)?;
                if is_stopped {
                    self.stop();
                }
                self.answer()?;
            }
            // A position may be among what did not fit.
            self.refused |= self.is_free() && self.waiting.has_lost();
            let thinking = self.thinking.as_ref();
            let events = thinking.map_or_else(never, |thinking| thinking.events.clone());
            let late = thinking.and_then(Thinking::late_at).map_or_else(never, at);
            let output = self.job.as_ref().map_or_else(never, |job| job.output.clone());
            select_biased! {
                recv(events) -> event => event.map_or(Ok(()), |event| self.hear(&event))?,
                recv(output) -> report => match report {
                    Ok(Ok(report)) => self.report(&report)?,
                    Ok(Err(problem)) => self.error(&problem.to_string())?,
                    Err(_) => self.job = None,
                },
                recv(late) -> _ => {
                    self.thinking.iter_mut().for_each(|thinking| thinking.late(Instant::now()));
                }
                recv(lines) -> line => match line {
                    Ok(line) => self.take(line)?,
                    Err(_) => {
                        lines = never();
                        self.end_in_turn();
                    }
                },
            }
            self.answer()?;
        }
    }

    fn is_free(&self) -> bool {
        self.thinking.is_none() && self.job.is_none()
    }

    fn take(&mut self, input: InputLine) -> io::Result<()> {
        let InputLine::Line(line) = input else {
            return self.error(&format!("a line of more than {} MB is skipped", LONGEST >> 20));
        };
        self.log(">>", &line)?;
        match parse(&line) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.schedule(command, line.len()),
            Err(problem) => self.error(&problem.to_string()),
        }
    }

    /// Executes a command at once if it does not need the engine.
    fn schedule(&mut self, command: Command, length: usize) -> io::Result<()> {
        match command {
            Command::Uci
            | Command::IsReady
            | Command::Debug(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit => self.execute(command, self.waiting.last_number()),
            _ => match self.waiting.push(command, length) {
                Err(Overflow::Full) => self.error(FULL),
                Err(Overflow::StillFull) | Ok(()) => Ok(()),
            },
        }
    }

    /// Executes a command, of which this is the number in the queue, or that of the last one there.
    fn execute(&mut self, command: Command, number: u64) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => {
                self.prepare()?;
                self.say("readyok")?;
            }
            Command::Debug(on) => self.debug = on,
            Command::Stop => {
                self.waiting.stop();
                self.stop();
            }
            Command::PonderHit => {
                self.hit = number;
                self.thinking.iter_mut().for_each(|thinking| thinking.ponder_hit(Instant::now()));
            }
            Command::Quit => self.quit(),
            Command::SetOption(option, value) => match self.player.set(option, value.as_deref()) {
                Ok(note) => {
                    if option.effect == Effect::Log {
                        self.log = Log::open(self.player.options());
                    }
                    note.map_or(Ok(()), |note| self.note(&note))?;
                }
                Err(problem) => self.error(&problem)?,
            },
            Command::NewGame => {
                self.player.new_game();
                if mem::take(&mut self.refused) {
                    self.game = Game::new(Position::start());
                }
            }
            Command::Position(words) => self.set_up(&words)?,
            Command::Go(_) if self.refused => self.cannot_go(REFUSED)?,
            Command::Go(go) => self.go(*go, number)?,
            Command::Perft(_) if self.refused => self.error(REFUSED)?,
            Command::Perft(depth) => {
                self.begin(Job::perft(*self.game.position(), depth))?;
            }
            Command::Bench(settings) => {
                self.begin(Job::bench(settings, self.player.network().clone()))?;
            }
            Command::Display => {
                let position = self.game.position();
                let facts = answers::facts(position, self.player.tablebase());
                self.say(&format!("{}\n{facts}", answers::board(position)))?;
            }
            Command::Eval => {
                let (network, position) = (self.player.network(), self.game.position());
                let table = answers::evaluation(network, position, true);
                let verdict = answers::verdict(network, position);
                self.say(&table)?;
                self.note(&verdict)?;
            }
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&answers::introduction(self.player.defaults()))?;
        if let Some(advice) = advice() {
            self.note(&advice)?;
        }
        for complaint in mem::take(&mut self.complaints) {
            self.error(&complaint)?;
        }
        self.say("uciok")
    }

    fn set_up(&mut self, words: &str) -> io::Result<()> {
        let set_up = set_up(words);
        self.refused = set_up.is_err();
        match set_up {
            Ok((game, left_out)) => {
                self.game = game;
                left_out.iter().try_for_each(|part| self.note(&part.to_string()))
            }
            Err(problem) => self.error(&problem.to_string()),
        }
    }

    /// Makes the engine ready, if it is not.
    fn prepare(&mut self) -> io::Result<()> {
        self.player.prepare().or_else(|problem| self.error(&problem))
    }

    fn go(&mut self, mut go: Go, number: u64) -> io::Result<()> {
        go.ponder &= number > self.hit;
        self.prepare()?;
        let mut thinking = match self.player.begin(&self.game, &go, Instant::now()) {
            Ok(thinking) => thinking,
            Err(problem) => return self.cannot_go(&problem),
        };
        if let Some(problem) = &thinking.problem {
            self.error(problem)?;
        }
        match &thinking.note {
            Some(note) => self.note(note)?,
            None if self.debug => self.note(&answers::times(&thinking.plan))?,
            None => {}
        }
        if self.ending && thinking.is_endless() {
            thinking.stop(Instant::now());
        }
        self.thinking = Some(thinking);
        Ok(())
    }

    /// A `go` without a search has an answer, too.
    fn cannot_go(&mut self, problem: &str) -> io::Result<()> {
        self.error(problem)?;
        self.say(&answers::best_move(None, self.game.position(), false))
    }

    fn begin(&mut self, job: io::Result<Job>) -> io::Result<()> {
        match job {
            Ok(job) => {
                self.job = Some(job);
                Ok(())
            }
            Err(problem) => self.error(&problem.to_string()),
        }
    }

    fn stop(&mut self) {
        self.thinking.iter_mut().for_each(|thinking| thinking.stop(Instant::now()));
        self.job.iter().for_each(Job::stop);
    }

    /// Whoever quits during a search wants it to end. If more work waits, it is a script, to be finished.
    fn quit(&mut self) {
        let works = |command: &Command| {
            matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench(_))
        };
        if !self.waiting.iter().any(works) {
            self.waiting.clear();
            self.stop();
        }
        self.end_in_turn();
    }

    /// Ends when all that was asked for is done.
    fn end_in_turn(&mut self) {
        self.ending = true;
        let endless = self.thinking.iter_mut().filter(|thinking| thinking.is_endless());
        endless.for_each(|thinking| thinking.stop(Instant::now()));
        self.waiting.push_last(Command::Quit);
    }

    /// Passes on what the search reports.
    fn hear(&mut self, event: &Event) -> io::Result<()> {
        self.thinking.iter_mut().for_each(|thinking| thinking.hear(event));
        while let Some(problem) = self.player.damaged_table() {
            self.error(&problem)?;
        }
        let (position, options) = (self.game.position(), self.player.options());
        match *event {
            Event::Lines(ref lines) => {
                let lines: Vec<String> =
                    lines.iter().map(|line| answers::info(line, position, options)).collect();
                self.say(&lines.join("\n"))
            }
            Event::Current { depth, mv, number } => {
                self.say(&answers::current(depth, mv, number, position, options.chess960))
            }
            Event::Done(_) => Ok(()),
        }
    }

    fn report(&mut self, report: &Report) -> io::Result<()> {
        let chess960 = self.player.options().chess960;
        self.say(&answers::report(report, self.game.position(), chess960))?;
        answers::count_speed(report).map_or(Ok(()), |speed| self.note(&speed))
    }

    /// Tells the best move as soon as the search gives it.
    fn answer(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        let Some(Finished { result, line }) = thinking.answer() else { return Ok(()) };
        let overrun = thinking.overrun().as_millis();
        if self.debug && overrun > 0 {
            self.note(&format!("time: {overrun} ms beyond the hard limit"))?;
        }
        let position = self.game.position();
        let line = line.map(|line| answers::info(&line, position, self.player.options()));
        let chess960 = self.player.options().chess960;
        let best_move = answers::best_move(Some(result), position, chess960);
        line.map_or(Ok(()), |line| self.say(&line))?;
        self.say(&best_move)?;
        if let Some(thinking) = self.thinking.take() {
            self.player.answered(&thinking, Instant::now());
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.log("<<", text)?;
        print(&format!("{text}\n"))
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&answers::note(text))
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        warn!("{text}");
        self.errors += 1;
        self.say(&answers::error(text))
    }

    fn log(&mut self, direction: &str, text: &str) -> io::Result<()> {
        self.log.write(direction, text).or_else(|problem| self.error(&problem))
    }
}
