//! The engine alone: UCI from standard input, or one command from the arguments, as OpenBench calls it.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use engine::config::Config;
use engine::opening::genfens::Request;
use engine::player::Player;
use engine::system::text::message;
use engine::system::{end_on_panic, files, memory};
use engine::uci::{self, parse};

fn main() -> ExitCode {
    end_on_panic();
    files::survive_size_limits();
    memory::set_allocator();
    let arguments = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    match run(&arguments.collect::<Vec<_>>().join(" ")) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            complain(&problem);
            ExitCode::FAILURE
        }
    }
}

/// Runs a command, or speaks UCI if there is none. Returns the number of errors that the command met.
fn run(command: &str) -> Result<usize, String> {
    if command.starts_with("genfens") {
        return Request::parse(command)?.openings().map(|()| 0);
    }
    let commands = parse(command).map_err(|error| error.to_string())?;
    let (config, errors) = Config::load(None);
    let mut complaints: Vec<String> = errors.iter().map(ToString::to_string).collect();
    complaints.extend(config.start_log());
    let (player, problems) = Player::new(config.options);
    complaints.extend(problems);
    complaints.iter().for_each(|complaint| complain(complaint));
    let speaks = commands.is_none();
    let lines = if speaks { uci::read_lines() } else { Ok(uci::no_lines()) };
    let told = if speaks { complaints } else { Vec::new() };
    match lines.and_then(|lines| uci::talk(player, told, commands.into_iter().collect(), lines)) {
        Ok(errors) if !speaks => Ok(errors),
        Err(error) if !files::has_no_reader(&error) => Err(error.to_string()),
        _ => Ok(0),
    }
}

fn complain(text: &str) {
    // Standard error may be closed.
    writeln!(io::stderr(), "zebu-engine: {}", message(text)).ok();
}
