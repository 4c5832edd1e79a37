//! Drives the built engine as a GUI would: as a process, over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No answer takes longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Both directions, for the message of a test that fails.
    transcript: Vec<String>,
}

/// The command that runs the engine, without the user's configuration.
pub fn command() -> Command {
    // Each package has one program.
    let program = option_env!("CARGO_BIN_EXE_zebu").or(option_env!("CARGO_BIN_EXE_zebu-engine"));
    without_configuration(Command::new(program.expect("a program")))
}

pub fn without_configuration(mut command: Command) -> Command {
    command.env("XDG_CONFIG_HOME", "/nowhere").env_remove("ZEBU_CONFIG").env_remove("ZEBU_LOG");
    command
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_by(command())
    }

    pub fn start_by(mut command: Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            // A terminal repeats what was typed, which need not be text.
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_string();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine { child, stdin, lines, transcript: Vec::new() }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.transcript
            .push(format!("> {}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)])));
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// All lines up to one that begins like this, that one included.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        self.until_any(&[beginning])
    }

    pub fn until_any(&mut self, beginnings: &[&str]) -> Vec<String> {
        self.until_that(|line| beginnings.iter().any(|beginning| line.starts_with(beginning)))
    }

    pub fn until_containing(&mut self, wanted: &str) -> Vec<String> {
        self.until_that(|line| line.contains(wanted))
    }

    pub fn until_that(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("the line does not come:\n{}", self.transcript.join("\n"))
            };
            self.transcript.push(line.clone());
            let found = wanted(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// The one line that ends [`Engine::until`].
    pub fn wait_for(&mut self, beginning: &str) -> String {
        self.until(beginning).pop().expect("there is a last line")
    }

    /// How long it takes until such a line comes.
    pub fn time_until(&mut self, beginning: &str) -> Duration {
        let start = Instant::now();
        self.until(beginning);
        start.elapsed()
    }

    /// Whether no line begins like this for a while.
    pub fn is_silent(&mut self, beginning: &str, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with(beginning) => return false,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine is gone"),
            }
        }
    }

    /// All that is said up to now.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines and gives all answers; a search or a count is waited for.
    pub fn talk(&mut self, lines: &[&str]) -> Vec<String> {
        let mut answers = Vec::new();
        for line in lines {
            self.send(line);
            let line = line.to_lowercase();
            let works =
                line.starts_with("go") && !line.contains("infinite") && !line.contains("ponder");
            if line.contains("perft") {
                answers.extend(self.until_any(&["Nodes searched", "info string error"]));
            } else if works {
                answers.extend(self.until("bestmove"));
            }
        }
        answers.extend(self.sync());
        answers
    }

    /// What was said so far need not be shown if a test fails.
    pub fn forget(&mut self) {
        self.transcript.clear();
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// How the engine ended, if it does in time.
    pub fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the engine can be asked") {
                return status;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the engine does not end:\n{}", self.transcript.join("\n"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The answers of a fresh engine.
pub fn answers(lines: &[&str]) -> Vec<String> {
    Engine::start().talk(lines)
}

/// The word after another one on a line.
pub fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|&other| other != word).nth(1)
}

pub fn number_after(line: &str, word: &str) -> Option<i64> {
    word_after(line, word)?.parse().ok()
}

/// The last line of the principal variation.
pub fn last_line(answers: &[String]) -> &str {
    let found =
        answers.iter().rfind(|line| line.starts_with("info depth") && line.contains(" score "));
    found.unwrap_or_else(|| panic!("no line of play: {answers:?}"))
}

pub fn best_move(answers: &[String]) -> &str {
    let found = answers.iter().rfind(|line| line.starts_with("bestmove"));
    word_after(found.unwrap_or_else(|| panic!("no best move: {answers:?}")), "bestmove")
        .unwrap_or("")
}

/// The memory of a process under its name in Linux: `VmRSS` now, `VmHWM` at most; in bytes.
#[cfg(target_os = "linux")]
pub fn memory(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a size");
    number_after(line, &format!("{name}:")).expect("a number of kilobytes") as u64 * 1024
}

/// The number of its threads, which are `task`, or of its open files, which are `fd`.
#[cfg(target_os = "linux")]
pub fn count(process: u32, what: &str) -> usize {
    std::fs::read_dir(format!("/proc/{process}/{what}")).expect("it runs").count()
}
