//! The options of the engine. Each is a field of [`Options`] and a line of [`OPTIONS`].

use std::path::Path;

#[cfg(feature = "tune")]
use crate::search::TUNABLES;
use crate::search::{FULL_SKILL, MAX_ELO, MIN_ELO, Strength, Tunables};
use crate::system::text::shortened;

/// The values in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub debug_log_file: String,
    /// In megabytes.
    pub hash: u32,
    pub threads: u32,
    pub ponder: bool,
    pub multi_pv: u32,
    /// In milliseconds.
    pub move_overhead: u32,
    pub chess960: bool,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    /// If empty, the network that is built in.
    pub eval_file: String,
    /// Folders of endgame tables, separated as in the variable PATH.
    pub syzygy_path: String,
    pub syzygy_probe_depth: u32,
    pub syzygy_probe_limit: u32,
    pub syzygy_50_move_rule: bool,
    pub own_book: bool,
    pub book_file: String,
    /// The last move of the game for which the book is asked.
    pub book_depth: u32,
    pub best_book_move: bool,
    /// 0 means a random seed.
    pub seed: u32,
    pub limit_strength: bool,
    pub elo: u32,
    pub skill_level: u32,
    pub opponent: String,
    /// Options of a build for tuning.
    pub tunables: Tunables,
}

/// All options, in the order in which they are listed: name, default, range, place and effect.
pub static OPTIONS: &[UciOption] = &[
    string("Debug Log File", |o| &mut o.debug_log_file).with(Effect::Log),
    spin("Hash", 16, 1, 33_554_432, |o| &mut o.hash).with(Effect::Hash),
    button("Clear Hash").with(Effect::Clear),
    spin("Threads", 1, 1, 1024, |o| &mut o.threads).with(Effect::Threads),
    check("Ponder", false, |o| &mut o.ponder),
    spin("MultiPV", 1, 1, 256, |o| &mut o.multi_pv),
    spin("Move Overhead", 10, 0, 5000, |o| &mut o.move_overhead),
    check("UCI_Chess960", false, |o| &mut o.chess960),
    check("UCI_ShowWDL", false, |o| &mut o.show_wdl),
    check("UCI_AnalyseMode", false, |o| &mut o.analyse_mode),
    string("EvalFile", |o| &mut o.eval_file).with(Effect::Network),
    string("SyzygyPath", |o| &mut o.syzygy_path).with(Effect::Tables),
    spin("SyzygyProbeDepth", 1, 1, 100, |o| &mut o.syzygy_probe_depth),
    spin("SyzygyProbeLimit", 7, 0, 7, |o| &mut o.syzygy_probe_limit),
    check("Syzygy50MoveRule", true, |o| &mut o.syzygy_50_move_rule).with(Effect::Clear),
    check("OwnBook", false, |o| &mut o.own_book),
    string("BookFile", |o| &mut o.book_file).with(Effect::Book),
    spin("BookDepth", 999, 1, 999, |o| &mut o.book_depth),
    check("BestBookMove", false, |o| &mut o.best_book_move),
    spin("Seed", 0, 0, 2_147_483_647, |o| &mut o.seed).with(Effect::Seed),
    check("UCI_LimitStrength", false, |o| &mut o.limit_strength),
    spin("UCI_Elo", 1500, MIN_ELO, MAX_ELO, |o| &mut o.elo),
    spin("Skill Level", FULL_SKILL, 0, FULL_SKILL, |o| &mut o.skill_level),
    string("UCI_Opponent", |o| &mut o.opponent),
];

#[cfg(not(feature = "tune"))]
static TUNABLE_OPTIONS: &[UciOption] = &[];

/// In a build for tuning each tunable is an option of the same name.
#[cfg(feature = "tune")]
static TUNABLE_OPTIONS: &[UciOption] = &{
    let mut options = [tunable(0); TUNABLES.len()];
    let mut index = 0;
    while index < options.len() {
        options[index] = tunable(index);
        index += 1;
    }
    options
};

/// An option as it is declared.
#[derive(Clone, Copy)]
pub struct UciOption {
    pub name: &'static str,
    pub kind: OptionKind,
    pub effect: Effect,
}

/// Where a value lives.
pub type Field<T> = fn(&mut Options) -> &mut T;

/// The kinds of UCI. The default of a string is the empty one.
#[derive(Clone, Copy)]
pub enum OptionKind {
    Spin {
        default: u32,
        min: u32,
        max: u32,
        field: Field<u32>,
    },
    Check {
        default: bool,
        field: Field<bool>,
    },
    String {
        field: Field<String>,
    },
    Button,
    /// A number of the search, by its place in the table.
    #[cfg(feature = "tune")]
    Tunable(usize),
}

/// What must be done when an option is set, beyond keeping its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Log,
    Hash,
    /// What the search learned no longer holds.
    Clear,
    Threads,
    Network,
    Tables,
    Book,
    Seed,
}

/// Why a name and a value set no option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("no option is called '{0}'")]
    Unknown(String),
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    #[error("option {name} takes a number from {min} to {max}, not '{value}'")]
    NotInRange { name: &'static str, min: i64, max: i64, value: String },
    #[error("option {name} takes true or false, not '{value}'")]
    NotCheck { name: &'static str, value: String },
    #[error("option {name} takes no value, but '{value}' was given")]
    Button { name: &'static str, value: String },
}

/// GUIs write `<empty>` for an empty string.
pub const EMPTY: &str = "<empty>";

const fn spin(
    name: &'static str,
    default: u32,
    min: u32,
    max: u32,
    field: Field<u32>,
) -> UciOption {
    let kind = OptionKind::Spin { default, min, max, field };
    UciOption { name, kind, effect: Effect::None }
}

const fn check(name: &'static str, default: bool, field: Field<bool>) -> UciOption {
    UciOption { name, kind: OptionKind::Check { default, field }, effect: Effect::None }
}

const fn string(name: &'static str, field: Field<String>) -> UciOption {
    UciOption { name, kind: OptionKind::String { field }, effect: Effect::None }
}

const fn button(name: &'static str) -> UciOption {
    UciOption { name, kind: OptionKind::Button, effect: Effect::None }
}

#[cfg(feature = "tune")]
const fn tunable(index: usize) -> UciOption {
    let kind = OptionKind::Tunable(index);
    UciOption { name: TUNABLES[index].name, kind, effect: Effect::Clear }
}

impl UciOption {
    /// All options, those of a build for tuning at last.
    pub fn all() -> impl Iterator<Item = &'static UciOption> {
        OPTIONS.iter().chain(TUNABLE_OPTIONS)
    }

    const fn with(self, effect: Effect) -> UciOption {
        UciOption { effect, ..self }
    }

    /// The option with this name, in upper or lower case.
    pub fn named(name: &str) -> Result<&'static UciOption, OptionError> {
        UciOption::all()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shortened(name)))
    }

    /// Puts the value that a text means where it lives.
    pub fn set(&self, options: &mut Options, text: Option<&str>) -> Result<(), OptionError> {
        let name = self.name;
        match (self.kind, text) {
            (OptionKind::Button, None) => {}
            (OptionKind::Button, Some(text)) => {
                return Err(OptionError::Button { name, value: shortened(text) });
            }
            (OptionKind::String { field }, text) => {
                *field(options) =
                    text.filter(|&text| text != EMPTY).unwrap_or_default().to_string();
            }
            (_, None) => return Err(OptionError::NoValue(name)),
            (OptionKind::Check { field, .. }, Some(text)) => {
                *field(options) = match text.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(OptionError::NotCheck { name, value: shortened(text) }),
                };
            }
            (_, Some(text)) => return self.set_number(options, text, 10),
        }
        Ok(())
    }

    /// Puts a number where it lives that is written with this radix.
    pub fn set_number(
        &self,
        options: &mut Options,
        text: &str,
        radix: u32,
    ) -> Result<(), OptionError> {
        let (min, max) = match self.kind {
            OptionKind::Spin { min, max, .. } => (min.into(), max.into()),
            #[cfg(feature = "tune")]
            OptionKind::Tunable(index) => (TUNABLES[index].min.into(), TUNABLES[index].max.into()),
            _ => (0, 0),
        };
        let number = i64::from_str_radix(text, radix).ok();
        let number = number.filter(|number| (min..=max).contains(number)).ok_or_else(|| {
            OptionError::NotInRange { name: self.name, min, max, value: shortened(text) }
        })?;
        match self.kind {
            OptionKind::Spin { field, .. } => *field(options) = number as u32,
            #[cfg(feature = "tune")]
            OptionKind::Tunable(index) => {
                let mut values = options.tunables.values();
                values[index] = number as i32;
                options.tunables = Tunables::new(values);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Before [`OPTIONS`] has given each its default.
const BLANK: Options = Options {
    debug_log_file: String::new(),
    hash: 0,
    threads: 0,
    ponder: false,
    multi_pv: 0,
    move_overhead: 0,
    chess960: false,
    show_wdl: false,
    analyse_mode: false,
    eval_file: String::new(),
    syzygy_path: String::new(),
    syzygy_probe_depth: 0,
    syzygy_probe_limit: 0,
    syzygy_50_move_rule: false,
    own_book: false,
    book_file: String::new(),
    book_depth: 0,
    best_book_move: false,
    seed: 0,
    limit_strength: false,
    elo: 0,
    skill_level: 0,
    opponent: String::new(),
    tunables: Tunables::DEFAULT,
};

impl Default for Options {
    fn default() -> Options {
        let mut options = BLANK;
        for option in OPTIONS {
            match option.kind {
                OptionKind::Spin { default, field, .. } => *field(&mut options) = default,
                OptionKind::Check { default, field } => *field(&mut options) = default,
                OptionKind::String { .. } | OptionKind::Button => {}
                #[cfg(feature = "tune")]
                OptionKind::Tunable(_) => {}
            }
        }
        options
    }
}

impl Options {
    /// The strength to play with; `None` is full strength.
    pub fn strength(&self) -> Option<Strength> {
        match self.limit_strength {
            true => Some(Strength::of_elo(self.elo)),
            false => Strength::of_skill(self.skill_level),
        }
    }
}

/// The file or folders that an option names.
pub fn path(text: &str) -> Option<&Path> {
    (!text.is_empty()).then(|| Path::new(text))
}
