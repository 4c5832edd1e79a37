//! Games and positions looked at one by one, for people to read: `zebu analyse`.

mod analyst;
mod annotate;
mod epd;
mod games;
mod job;
mod notation;
mod page;
mod record;
mod review;
mod tokens;
mod worth;

pub use analyst::{Analyst, Sight};
pub use annotate::annotated;
pub use epd::{EpdError, Problem};
pub use games::Games;
pub use job::{Content, Job, JobError, Summary};
pub use record::{Fault, GameResult, PgnError, Ply, Record};
pub use review::{Judgement, Mark, Review};
pub use worth::Worth;
