//! The options of the engine: their names, kinds, ranges and values.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::search::{FULL_SKILL, MAX_ELO, MIN_ELO, Strength};

/// The values in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub debug_log_file: Option<PathBuf>,
    /// In megabytes.
    pub hash: usize,
    pub threads: usize,
    pub ponder: bool,
    pub multi_pv: usize,
    pub move_overhead: Duration,
    pub chess960: bool,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    /// `None` is the network that is built in.
    pub eval_file: Option<PathBuf>,
    /// Folders of endgame tables, separated as in the variable PATH.
    pub syzygy_path: Option<PathBuf>,
    pub syzygy_probe_depth: i32,
    pub syzygy_probe_limit: u32,
    pub syzygy_50_move_rule: bool,
    pub own_book: bool,
    pub book_file: Option<PathBuf>,
    /// The last move of the game for which the book is asked.
    pub book_depth: u16,
    pub best_book_move: bool,
    /// 0 is another one at each start.
    pub seed: u64,
    pub limit_strength: bool,
    pub elo: u32,
    pub skill_level: u32,
    pub opponent: String,
}

/// An option with a valid value for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    DebugLogFile(Option<PathBuf>),
    Hash(usize),
    ClearHash,
    Threads(usize),
    Ponder(bool),
    MultiPv(usize),
    MoveOverhead(Duration),
    Chess960(bool),
    ShowWdl(bool),
    AnalyseMode(bool),
    EvalFile(Option<PathBuf>),
    SyzygyPath(Option<PathBuf>),
    SyzygyProbeDepth(i32),
    SyzygyProbeLimit(u32),
    Syzygy50MoveRule(bool),
    OwnBook(bool),
    BookFile(Option<PathBuf>),
    BookDepth(u16),
    BestBookMove(bool),
    Seed(u64),
    LimitStrength(bool),
    Elo(u32),
    SkillLevel(u32),
    Opponent(String),
}

/// Why a name and a value are no [`Setting`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("no option is called '{0}'")]
    Unknown(String),
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    #[error("option {name} takes a number from {min} to {max}, not '{value}'")]
    NotInRange { name: &'static str, min: u64, max: u64, value: String },
    #[error("option {name} takes true or false, not '{value}'")]
    NotCheck { name: &'static str, value: String },
    #[error("option {name} takes no value, but '{value}' was given")]
    Button { name: &'static str, value: String },
}

/// What kind of value an option has, and the way from the value to the setting and back.
pub enum OptionKind {
    Spin { min: u64, max: u64, set: fn(u64) -> Setting, get: fn(&Options) -> u64 },
    Check { set: fn(bool) -> Setting, get: fn(&Options) -> bool },
    Text { set: fn(&str) -> Setting, get: fn(&Options) -> String },
    Button(Setting),
}

/// An option as it is advertised.
pub struct Spec {
    pub name: &'static str,
    pub kind: OptionKind,
}

/// All options, in the order in which they are listed.
pub static SPECS: [Spec; 24] = [
    Spec {
        name: "Debug Log File",
        kind: OptionKind::Text {
            set: |text| Setting::DebugLogFile(path(text)),
            get: |options| shown(&options.debug_log_file),
        },
    },
    Spec {
        name: "Hash",
        kind: OptionKind::Spin {
            min: 1,
            max: 33_554_432,
            set: |megabytes| Setting::Hash(megabytes as usize),
            get: |options| options.hash as u64,
        },
    },
    Spec { name: "Clear Hash", kind: OptionKind::Button(Setting::ClearHash) },
    Spec {
        name: "Threads",
        kind: OptionKind::Spin {
            min: 1,
            max: 1024,
            set: |threads| Setting::Threads(threads as usize),
            get: |options| options.threads as u64,
        },
    },
    Spec { name: "Ponder", kind: OptionKind::Check { set: Setting::Ponder, get: |o| o.ponder } },
    Spec {
        name: "MultiPV",
        kind: OptionKind::Spin {
            min: 1,
            max: 256,
            set: |lines| Setting::MultiPv(lines as usize),
            get: |options| options.multi_pv as u64,
        },
    },
    Spec {
        name: "Move Overhead",
        kind: OptionKind::Spin {
            min: 0,
            max: 5000,
            set: |milliseconds| Setting::MoveOverhead(Duration::from_millis(milliseconds)),
            get: |options| options.move_overhead.as_millis() as u64,
        },
    },
    Spec {
        name: "UCI_Chess960",
        kind: OptionKind::Check { set: Setting::Chess960, get: |o| o.chess960 },
    },
    Spec {
        name: "UCI_ShowWDL",
        kind: OptionKind::Check { set: Setting::ShowWdl, get: |o| o.show_wdl },
    },
    Spec {
        name: "UCI_AnalyseMode",
        kind: OptionKind::Check { set: Setting::AnalyseMode, get: |o| o.analyse_mode },
    },
    Spec {
        name: "EvalFile",
        kind: OptionKind::Text {
            set: |text| Setting::EvalFile(path(text)),
            get: |options| shown(&options.eval_file),
        },
    },
    Spec {
        name: "SyzygyPath",
        kind: OptionKind::Text {
            set: |text| Setting::SyzygyPath(path(text)),
            get: |options| shown(&options.syzygy_path),
        },
    },
    Spec {
        name: "SyzygyProbeDepth",
        kind: OptionKind::Spin {
            min: 1,
            max: 100,
            set: |depth| Setting::SyzygyProbeDepth(depth as i32),
            get: |options| options.syzygy_probe_depth as u64,
        },
    },
    Spec {
        name: "SyzygyProbeLimit",
        kind: OptionKind::Spin {
            min: 0,
            max: 7,
            set: |pieces| Setting::SyzygyProbeLimit(pieces as u32),
            get: |options| options.syzygy_probe_limit.into(),
        },
    },
    Spec {
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check { set: Setting::Syzygy50MoveRule, get: |o| o.syzygy_50_move_rule },
    },
    Spec {
        name: "OwnBook",
        kind: OptionKind::Check { set: Setting::OwnBook, get: |o| o.own_book },
    },
    Spec {
        name: "BookFile",
        kind: OptionKind::Text {
            set: |text| Setting::BookFile(path(text)),
            get: |options| shown(&options.book_file),
        },
    },
    Spec {
        name: "BookDepth",
        kind: OptionKind::Spin {
            min: 1,
            max: 999,
            set: |moves| Setting::BookDepth(moves as u16),
            get: |options| options.book_depth.into(),
        },
    },
    Spec {
        name: "BestBookMove",
        kind: OptionKind::Check { set: Setting::BestBookMove, get: |o| o.best_book_move },
    },
    Spec {
        name: "Seed",
        kind: OptionKind::Spin { min: 0, max: 2_147_483_647, set: Setting::Seed, get: |o| o.seed },
    },
    Spec {
        name: "UCI_LimitStrength",
        kind: OptionKind::Check { set: Setting::LimitStrength, get: |o| o.limit_strength },
    },
    Spec {
        name: "UCI_Elo",
        kind: OptionKind::Spin {
            min: MIN_ELO as u64,
            max: MAX_ELO as u64,
            set: |elo| Setting::Elo(elo as u32),
            get: |options| options.elo.into(),
        },
    },
    Spec {
        name: "Skill Level",
        kind: OptionKind::Spin {
            min: 0,
            max: FULL_SKILL as u64,
            set: |level| Setting::SkillLevel(level as u32),
            get: |options| options.skill_level.into(),
        },
    },
    Spec {
        name: "UCI_Opponent",
        kind: OptionKind::Text {
            set: |text| Setting::Opponent(text.to_string()),
            get: |o| if o.opponent.is_empty() { EMPTY.to_string() } else { o.opponent.clone() },
        },
    },
];

/// GUIs write `<empty>` for a text that is empty.
const EMPTY: &str = "<empty>";

fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty() && text != EMPTY).then(|| PathBuf::from(text))
}

fn shown(path: &Option<PathBuf>) -> String {
    path.as_ref().map_or(EMPTY.to_string(), |path| path.display().to_string())
}

impl Spec {
    /// The option with this name, in whatever case.
    pub fn named(name: &str) -> Option<&'static Spec> {
        SPECS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// The setting that a text means.
    pub fn parse(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        match (&self.kind, value) {
            (OptionKind::Button(setting), None) => Ok(setting.clone()),
            (OptionKind::Button(_), Some(value)) => {
                Err(OptionError::Button { name, value: shortened(value) })
            }
            (OptionKind::Text { set, .. }, value) => Ok(set(value.unwrap_or(""))),
            (_, None) => Err(OptionError::NoValue(name)),
            (OptionKind::Check { set, .. }, Some(value)) => {
                match value.to_ascii_lowercase().as_str() {
                    "true" => Ok(set(true)),
                    "false" => Ok(set(false)),
                    _ => Err(OptionError::NotCheck { name, value: shortened(value) }),
                }
            }
            (&OptionKind::Spin { min, max, set, .. }, Some(value)) => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                let wrong = || OptionError::NotInRange { name, min, max, value: shortened(value) };
                number.map(set).ok_or_else(wrong)
            }
        }
    }

    /// The line that advertises the option, with its start value.
    pub fn advertised(&self, start: &Options) -> String {
        let name = self.name;
        match &self.kind {
            OptionKind::Spin { min, max, get, .. } => {
                format!("option name {name} type spin default {} min {min} max {max}", get(start))
            }
            OptionKind::Check { get, .. } => {
                format!("option name {name} type check default {}", get(start))
            }
            OptionKind::Text { get, .. } => {
                format!("option name {name} type string default {}", get(start))
            }
            OptionKind::Button(_) => format!("option name {name} type button"),
        }
    }
}

impl Setting {
    /// The setting that a name and perhaps a value mean.
    pub fn parse(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
        let spec = Spec::named(name).ok_or_else(|| OptionError::Unknown(shortened(name)))?;
        spec.parse(value)
    }

    /// Whether what was found out before is worth nothing now.
    pub fn changes_scores(&self) -> bool {
        matches!(
            self,
            Setting::ClearHash
                | Setting::EvalFile(_)
                | Setting::SyzygyPath(_)
                | Setting::Syzygy50MoveRule(_)
        )
    }
}

impl Options {
    /// The strength to play with; none is the full one, which who analyses wants in any case.
    pub fn strength(&self) -> Option<Strength> {
        if self.analyse_mode {
            None
        } else if self.limit_strength {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_skill(self.skill_level)
        }
    }

    pub fn apply(&mut self, setting: Setting) {
        match setting {
            Setting::DebugLogFile(path) => self.debug_log_file = path,
            Setting::Hash(megabytes) => self.hash = megabytes,
            Setting::ClearHash => {}
            Setting::Threads(threads) => self.threads = threads,
            Setting::Ponder(on) => self.ponder = on,
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::MoveOverhead(time) => self.move_overhead = time,
            Setting::Chess960(on) => self.chess960 = on,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::AnalyseMode(on) => self.analyse_mode = on,
            Setting::EvalFile(path) => self.eval_file = path,
            Setting::SyzygyPath(folders) => self.syzygy_path = folders,
            Setting::SyzygyProbeDepth(depth) => self.syzygy_probe_depth = depth,
            Setting::SyzygyProbeLimit(pieces) => self.syzygy_probe_limit = pieces,
            Setting::Syzygy50MoveRule(on) => self.syzygy_50_move_rule = on,
            Setting::OwnBook(on) => self.own_book = on,
            Setting::BookFile(path) => self.book_file = path,
            Setting::BookDepth(moves) => self.book_depth = moves,
            Setting::BestBookMove(on) => self.best_book_move = on,
            Setting::Seed(seed) => self.seed = seed,
            Setting::LimitStrength(on) => self.limit_strength = on,
            Setting::Elo(elo) => self.elo = elo,
            Setting::SkillLevel(level) => self.skill_level = level,
            Setting::Opponent(text) => self.opponent = text,
        }
    }
}

/// The beginning of a word from outside, for a message of one line.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(LONGEST).map(printable).collect();
    if letters.next().is_some() { start + "…" } else { start }
}

/// Why an option does not take a file.
pub fn refused(option: &str, file: &Option<PathBuf>, reason: impl fmt::Display) -> String {
    let file = file.as_ref().map(|file| file.display().to_string());
    format!("option {option}: {}: {reason}", shortened(&file.unwrap_or_default()))
}

/// What a terminal would obey becomes what it shows.
pub fn printable(letter: char) -> char {
    if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }
}
