//! The command line: starts a voice or runs a command.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use engine::board::Game;
use engine::config::{Config, ConfigError};
use engine::notation::book::{Book, table};
use engine::player::{Options, Player};
use engine::system::files;
use engine::system::memory::set_allocator;
use engine::system::text::{message, one_line};
use engine::uci::{self, Command, CommandError, parse_bench, parse_go, set_up};
use zebu::analysis::Analyse;
use zebu::coach::Coach;
use zebu::terminal;

/// Zebu, a UCI chess engine. Without a command it speaks UCI, or plays with you at a terminal.
#[derive(Parser)]
#[command(version = engine::VERSION)]
struct Cli {
    /// Read this configuration file instead of engine.toml
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    #[command(flatten)]
    Engine(EngineCommand),
    /// Show the moves of an opening book in a position, with their weights
    Book {
        /// A book in the Polyglot format
        file: PathBuf,
        /// A FEN or `startpos`, optionally followed by `moves` and moves
        position: Vec<String>,
    },
    /// Open a board in the browser: play, analyse, review
    Board {
        /// Games to review
        file: Option<PathBuf>,
        /// The preferred port; if it is taken, a free one is used
        #[arg(long, default_value_t = zebu::web::PORT)]
        port: u16,
        /// Only print the address
        #[arg(long)]
        no_open: bool,
    },
    /// Analyse the games of a PGN file, and write annotated games and a page for a browser
    #[command(visible_alias = "analyze")]
    Analyse(Analyse),
    /// Learn from your games: what costs you points, on a page, and your mistakes as exercises
    Coach(Coach),
    /// Print the completions of a shell
    Completions { shell: Shell },
    /// Print the man page
    Man,
}

/// Commands that are also commands of a voice.
#[derive(Subcommand)]
enum EngineCommand {
    /// Search a position: zebu go depth 12 fen 8/8/8/8/4k3/8/4P3/4K3 w - - 0 1
    Go {
        /// Limits as in UCI: depth N, nodes N, movetime MS, wtime MS btime MS winc MS binc MS
        /// movestogo N, mate N, searchmoves MOVES; optionally followed by a position: `fen` and a
        /// FEN or `startpos`, then `moves` and moves
        #[arg(required = true, value_name = "LIMITS", allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Search fixed positions, and print the node count and the speed
    Bench {
        /// Depth [default: 11]; threads, which make the count vary [default: 1]; table size in MB
        /// [default: 16]
        #[arg(value_name = "DEPTH THREADS HASH")]
        words: Vec<String>,
    },
    /// Count the move sequences of a given length, by root move
    Perft {
        /// The length in plies
        #[arg(value_parser = clap::value_parser!(u32).range(1..=99))]
        depth: u32,
        /// A FEN or `startpos`, optionally followed by `moves` and moves
        position: Vec<String>,
    },
    /// Explain the evaluation of a position
    Eval {
        /// A FEN or `startpos`, optionally followed by `moves` and moves
        #[arg(required = true)]
        position: Vec<String>,
    },
}

/// The sections of the man page beside the commands.
const MAN_SECTIONS: &str = include_str!("man.roff");

impl EngineCommand {
    fn commands(&self) -> Result<Vec<Command>, CommandError> {
        Ok(match self {
            EngineCommand::Go { words } => {
                let words = split(words);
                let starts = |word: &&str| matches!(*word, "fen" | "startpos" | "moves");
                let position = words.iter().position(starts).unwrap_or(words.len());
                let (limits, position) = words.split_at(position);
                vec![set_position(position)?, parse_go(limits)?]
            }
            EngineCommand::Bench { words } => vec![parse_bench(&split(words))?],
            EngineCommand::Perft { depth, position } => {
                vec![set_position(&split(position))?, Command::Perft(*depth)]
            }
            EngineCommand::Eval { position } => {
                vec![set_position(&split(position))?, Command::Eval]
            }
        })
    }
}

/// Splits arguments into words; one argument may hold several.
fn split(arguments: &[String]) -> Vec<&str> {
    arguments.iter().flat_map(|argument| argument.split_whitespace()).collect()
}

fn set_position(words: &[&str]) -> Result<Command, CommandError> {
    position_of(words).map(|(words, _)| Command::Position(words))
}

/// Parses a position like UCI's `position`: a FEN, perhaps after `fen`, or `startpos`, then perhaps `moves`
/// and moves. The default is the starting position. Returns the setup as text, and the game.
fn position_of(words: &[&str]) -> Result<(String, Game), CommandError> {
    let words = words.join(" ");
    let words = match words.split(' ').next() {
        Some("fen" | "startpos") => words,
        Some("" | "moves") => format!("startpos {words}"),
        _ => format!("fen {words}"),
    };
    set_up(&words).map(|(game, _)| (words, game))
}

fn main() -> ExitCode {
    engine::system::end_on_panic();
    files::survive_size_limits();
    set_allocator();
    let cli = Cli::try_parse().unwrap_or_else(|error| explained(&error));
    let (config, errors) = Config::load(cli.config.as_deref());
    if let Some(unreadable @ ConfigError::Unreadable { .. }) = errors.first()
        && cli.command.is_some()
    {
        misused(&unreadable.to_string());
    }
    let mut complaints: Vec<String> = errors.iter().map(ToString::to_string).collect();
    complaints.extend(config.start_log());
    let done = match &cli.command {
        Some(CliCommand::Engine(command)) => run(command, config.options, complaints),
        None => talk(config.options, complaints),
        Some(CliCommand::Book { file, position }) => {
            complain_all(&complaints);
            show_book(file, &split(position))
        }
        Some(CliCommand::Analyse(arguments)) => {
            complain_all(&complaints);
            arguments.run(&config.options, complain)
        }
        Some(CliCommand::Coach(arguments)) => {
            complain_all(&complaints);
            arguments.run(&config.options, complain)
        }
        Some(CliCommand::Board { file, port, no_open }) => {
            complain_all(&complaints);
            board(file.as_deref(), *port, !no_open, &config.options)
        }
        Some(CliCommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "zebu", &mut script);
            written(io::stdout().write_all(&script))
        }
        Some(CliCommand::Man) => written(man_page()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            complain(&problem);
            ExitCode::FAILURE
        }
    }
}

fn board(
    file: Option<&Path>,
    port: u16,
    opens_browser: bool,
    options: &Options,
) -> Result<bool, String> {
    let games = file.map(|file| {
        let games = files::read(file, zebu::web::MOST_FILE);
        games.map_err(|error| format!("{}: {error}", file.display()))
    });
    written(zebu::web::talk(options, games.transpose()?, port, opens_browser, complain))
}

fn talk(options: Options, mut complaints: Vec<String>) -> Result<bool, String> {
    let (player, problems) = Player::new(options);
    complaints.extend(problems);
    let done = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        terminal::talk(player, complaints).and_then(|turned_to_uci| match turned_to_uci {
            Some((player, lines, _gives_back)) => {
                uci::talk(player, Vec::new(), vec![Command::Uci], lines)
            }
            None => Ok(0),
        })
    } else {
        complain_all(&complaints);
        uci::read_lines().and_then(|lines| uci::talk(player, complaints, Vec::new(), lines))
    };
    written(done.map(drop))
}

/// A reader that has gone away is not an error.
fn written(done: io::Result<()>) -> Result<bool, String> {
    match done {
        Err(error) if !files::has_no_reader(&error) => Err(error.to_string()),
        _ => Ok(true),
    }
}

/// Runs a command. Returns whether it succeeded.
fn run(
    command: &EngineCommand,
    options: Options,
    mut complaints: Vec<String>,
) -> Result<bool, String> {
    let (player, problems) = Player::new(options);
    complaints.extend(problems);
    complain_all(&complaints);
    let commands = match command.commands() {
        Ok(commands) => commands,
        Err(error @ (CommandError::Fen(_) | CommandError::Move { .. })) => {
            return Err(error.to_string());
        }
        Err(error) => misused(&error.to_string()),
    };
    for command in &commands {
        let Command::Go(go) = command else { continue };
        if let Some(problem) = &go.problem {
            misused(problem);
        }
        if !go.ends() && go.mate.is_none() {
            misused("go needs a limit that ends it: depth, nodes, movetime, mate or a clock");
        }
    }
    let done = if io::stdout().is_terminal() {
        terminal::execute(player, commands)
    } else {
        uci::talk(player, Vec::new(), commands, uci::no_lines())
    };
    let errors = done.as_ref().map_or(0, |&errors| errors);
    written(done.map(drop)).map(|_| errors == 0)
}

/// Ends the program as clap does for wrong arguments, with the command's usage.
fn misused(problem: &str) -> ! {
    let mut cli = Cli::command();
    cli.build();
    let given = cli.clone().try_get_matches().ok();
    let named = given.as_ref().and_then(|given| cli.find_subcommand(given.subcommand_name()?));
    explained(&named.cloned().unwrap_or(cli).error(ErrorKind::InvalidValue, message(problem)))
}

/// Ends the program with clap's message, made safe for terminals.
fn explained(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let text: String = text.lines().map(|line| one_line(line) + "\n").collect();
    let written = if error.use_stderr() {
        io::stderr().write_all(text.as_bytes())
    } else {
        io::stdout().write_all(text.as_bytes())
    };
    written.ok();
    process::exit(error.exit_code())
}

/// Writes one page about all commands.
fn man_page() -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let man = Man::new(command.clone());
        writeln!(page, ".SH zebu {}", command.get_name())?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    page.extend(MAN_SECTIONS.as_bytes());
    io::stdout().write_all(&page)
}

fn show_book(file: &Path, position: &[&str]) -> Result<bool, String> {
    let book = Book::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let (_, game) = position_of(position).map_err(|error| error.to_string())?;
    let moves = book.moves(&game).map_err(|error| format!("{}: {error}", file.display()))?;
    written(writeln!(io::stdout(), "{}", table(game.position(), &moves)))
}

fn complain_all(complaints: &[String]) {
    complaints.iter().for_each(|complaint| complain(complaint));
}

fn complain(text: &str) {
    // Standard error may be closed.
    writeln!(io::stderr(), "zebu: {}", message(text)).ok();
}
