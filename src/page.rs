//! What a browser shows: the frame of the page, its style and its scripts, and games as data in it.

const FRAME: &str = include_str!("page/page.html");

/// What the frame has in place of these names.
const PARTS: [(&str, &str); 9] = [
    ("{STYLE}", include_str!("page/page.css")),
    ("{BOARD}", include_str!("page/board.js")),
    ("{RULES}", include_str!("page/rules.js")),
    ("{REMARKS}", include_str!("page/remarks.js")),
    ("{HAND}", include_str!("page/hand.js")),
    ("{GRAPH}", include_str!("page/graph.js")),
    ("{LEARN}", include_str!("page/learn.js")),
    ("{PAGE}", include_str!("page/page.js")),
    ("{PIECES}", include_str!("page/pieces.svg")),
];

/// The end of a page.
pub const FOOT: &str = "</body>\n</html>\n";

/// Everything before the first game of a page with this title.
pub fn head(title: &str) -> String {
    let page = PARTS.iter().fold(FRAME.to_string(), |page, (part, text)| page.replace(part, text));
    page.replace("{VERSION}", env!("CARGO_PKG_VERSION")).replace("{NAME}", &escaped(title))
}

/// A game as JSON, in the page.
pub fn game(json: &str) -> String {
    // Nothing in a string ends the script.
    let data = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" class=\"game\">{data}</script>\n")
}

/// What is wrong with a game that is not shown.
pub fn complaint(text: &str) -> String {
    format!("<p class=\"wrong\">{}</p>\n", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
