//! The page: its frame, style and scripts, and games as data in it. A page is written to a file with
//! everything it needs, or served with an engine behind it.

mod parts;

use engine::NAME;

pub use parts::MOST_IN_PAGE;
use parts::escaped;
pub use parts::{Games, game};

const FRAME: &str = include_str!("page/page.html");

const STYLE: &str = include_str!("page/page.css");

const COACH_STYLE: &str = include_str!("page/coach.css");

const PIECES: &str = include_str!("page/pieces.svg");

const SCRIPTS: [&str; 13] = [
    include_str!("page/board.js"),
    include_str!("page/dom.js"),
    include_str!("page/rules.js"),
    include_str!("page/remarks.js"),
    include_str!("page/tree.js"),
    include_str!("page/edits.js"),
    include_str!("page/graph.js"),
    include_str!("page/hand.js"),
    include_str!("page/learn.js"),
    include_str!("page/list.js"),
    include_str!("page/look.js"),
    include_str!("page/material.js"),
    include_str!("page/page.js"),
];

/// The end of a page.
pub const FOOT: &str = "</div>\n</body>\n</html>\n";

/// What a written page may use: what it has itself, and the files of games beside it. It asks nobody.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    script-src 'unsafe-inline' 'self' file:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'\">\n";

/// Everything before the first game of a page with this title.
pub fn head(title: &str) -> String {
    let scripts = SCRIPTS.join("\n");
    let parts = format!(
        "{POLICY}<style>\n{STYLE}</style>\n<script>\n\"use strict\";\n{scripts}</script>\n"
    );
    let about = format!(
        "Analysed by {NAME}. Scores are White's. With an engine that answers: <code>zebu board</code>"
    );
    frame(&parts, &about, title)
}

/// Everything before the first game of a page with the engine in it, if the build has one.
pub fn head_with_engine() -> Option<&'static str> {
    include_str!(concat!(env!("OUT_DIR"), "/live_page")).strip_suffix(FOOT)
}

fn frame(parts: &str, about: &str, title: &str) -> String {
    let page = FRAME.replace("{PARTS}", parts).replace("{PIECES}", PIECES);
    page.replace("{ABOUT}", about).replace("{NAME}", &escaped(title))
}

/// The page with an engine behind it, in the parts that it requests.
pub mod live {
    use super::{COACH_STYLE, FOOT, SCRIPTS, STYLE, frame};
    use engine::NAME;

    const OWN_STYLE: &str = include_str!("page/live.css");

    const OWN_SCRIPTS: [&str; 14] = [
        ENGINE,
        include_str!("page/controls.js"),
        include_str!("page/parts.js"),
        include_str!("page/live.js"),
        include_str!("page/editor.js"),
        include_str!("page/own_games.js"),
        include_str!("page/games.js"),
        include_str!("page/plots.js"),
        include_str!("page/trainer.js"),
        include_str!("page/coach.js"),
        include_str!("page/coach_mode.js"),
        include_str!("page/by_name.js"),
        include_str!("page/start.js"),
        include_str!("page/frame.js"),
    ];

    #[cfg(not(target_family = "wasm"))]
    const ENGINE: &str = include_str!("page/engine.js");

    #[cfg(target_family = "wasm")]
    const ENGINE: &str = include_str!("page/own_engine.js");

    pub fn page() -> String {
        let parts =
            "<link rel=\"stylesheet\" href=\"page.css\">\n<script src=\"page.js\"></script>\n";
        let about = format!(
            "{NAME}, free software ({}): <a href=\"{}\">its source</a>. Scores are White's.",
            env!("CARGO_PKG_LICENSE"),
            env!("CARGO_PKG_REPOSITORY")
        );
        frame(parts, &about, "Zebu") + FOOT
    }

    pub fn style() -> String {
        [STYLE, COACH_STYLE, OWN_STYLE].concat()
    }

    pub fn script() -> String {
        format!("\"use strict\";\n{}\n{}", SCRIPTS.join("\n"), OWN_SCRIPTS.join("\n"))
    }
}

/// The page that `zebu coach` writes, which stands alone.
#[cfg(not(target_family = "wasm"))]
pub mod coach {
    use super::{COACH_STYLE, PIECES, POLICY, STYLE};
    use engine::NAME;

    const FRAME: &str = include_str!("page/coach.html");

    const SCRIPTS: [&str; 8] = [
        include_str!("page/board.js"),
        include_str!("page/dom.js"),
        include_str!("page/rules.js"),
        include_str!("page/hand.js"),
        include_str!("page/plots.js"),
        include_str!("page/trainer.js"),
        include_str!("page/coach.js"),
        include_str!("page/coach_page.js"),
    ];

    /// The page with its data as JSON.
    pub fn written(json: &str) -> String {
        let scripts = SCRIPTS.join("\n");
        let parts = format!(
            "{POLICY}<style>\n{STYLE}{COACH_STYLE}</style>\n<script>\n\"use strict\";\n{scripts}</script>\n"
        );
        let page = FRAME.replace("{PARTS}", &parts).replace("{PIECES}", PIECES);
        // Nothing in a string ends the script.
        page.replace("{NAME}", NAME).replace("{DATA}", &json.replace('<', "\\u003c"))
    }
}

/// A message about a game that cannot be shown.
pub fn complaint(text: &str) -> String {
    format!("<p class=\"wrong\">{}</p>\n", escaped(text))
}
