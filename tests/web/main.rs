//! The server of `zebu board`: who is let in, and what happens to those who ask for too much or too slowly.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

struct Board {
    program: Child,
    port: u16,
    key: String,
    folder: PathBuf,
}

impl Board {
    /// With a configuration folder of this name.
    fn start(name: &str) -> Board {
        Board::begun(name, &["--no-open"], |_| ())
    }

    fn begun(name: &str, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Board {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("web-{name}"));
        fs::create_dir_all(&folder).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_zebu"));
        command.args(["board", "--port", "0"]).args(arguments).env("XDG_CONFIG_HOME", &folder);
        change(&mut command);
        let mut program = command.stdout(Stdio::piped()).spawn().expect("the board runs");
        let mut line = String::new();
        BufReader::new(program.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        let address = line.trim().rsplit("//").next().expect("an address");
        let mut parts = address.split(['/', ':']);
        let [_, port, key] = [(); 3].map(|()| parts.next().expect("an address").to_string());
        Board { program, port: port.parse().expect("a port"), key, folder }
    }

    fn fresh(name: &str) -> Board {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("web-{name}"));
        fs::remove_dir_all(folder).ok();
        Board::start(name)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The head of a request for something behind the key.
    fn head(&self, method: &str, path: &str, headers: &[&str]) -> String {
        let Board { key, .. } = self;
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        format!("{method} /{key}/{path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.host())
    }

    /// What is answered to a request, all of it.
    fn answer(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn get(&self, path: &str) -> String {
        self.answer(&self.head("GET", path, &["Connection: close"]))
    }

    fn ask(&self, question: &str) -> String {
        let length = format!("Content-Length: {}", question.len());
        let headers = ["Content-Type: application/json", "Connection: close", &length];
        let answer = self.answer(&(self.head("POST", "ask", &headers) + question));
        answer.rsplit("\r\n\r\n").next().expect("a body").to_string()
    }

    /// The answer to a request to the library.
    fn want(&self, want: &Value) -> Value {
        let mut question = json!({ "ask": "library" });
        let fields = want.as_object().expect("fields").clone();
        question.as_object_mut().expect("fields").extend(fields);
        let answer = self.ask(&question.to_string());
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"));
        match answer.get("found") {
            Some(found) => found.clone(),
            None => answer,
        }
    }

    fn import(&self, text: &str) -> Value {
        let import = json!({ "want": "import", "text": text, "is_first": true, "is_last": true });
        self.want(&import)
    }

    /// A tab that is open.
    fn open(&self) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        stream.write_all(self.head("GET", "events", &[]).as_bytes()).expect("it is sent");
        BufReader::new(stream)
    }

    /// Whether it ends in good order when it is told to.
    fn end(mut self) -> bool {
        let id = self.program.id().to_string();
        Command::new("kill").arg(&id).status().expect("kill runs");
        self.program.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

/// The next event of this kind.
fn event(tab: &mut BufReader<TcpStream>, kind: &str) -> String {
    let wanted = format!("data: {{\"tell\":\"{kind}\"");
    loop {
        let mut line = String::new();
        assert!(tab.read_line(&mut line).expect("an event") > 0, "no {kind}");
        if line.starts_with(&wanted) {
            return line;
        }
    }
}

/// The next state of the library that is so.
fn state(tab: &mut BufReader<TcpStream>, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let line = event(tab, "library");
        let told: Value = serde_json::from_str(&line["data: ".len()..]).expect("JSON");
        if is_so(&told["state"]) {
            return told["state"].clone();
        }
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn nobody_else_gets_in() {
    let board = Board::fresh("others");
    let (host, key) = (board.host(), board.key.clone());
    let port = board.port;
    let get = |path: &str, host: &str, more: &str| {
        board.answer(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"
        ))
    };
    let page = format!("/{key}/");
    let ours = get(&page, &host, "");
    assert_eq!(status(&ours), "200", "{ours}");
    assert!(
        ours.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{ours}"
    );
    assert!(!ours.contains("<style>") && !ours.contains(" onclick="), "nothing is inline");
    assert_eq!(status(&get(&page, &format!("localhost:{port}"), "")), "200");
    let foreign = [
        get("/", &host, ""),
        get("/events", &host, ""),
        get(&format!("/{}/", "x".repeat(key.len())), &host, ""),
        get(&format!("/{}/", &key[1..]), &host, ""),
        get(&page, "evil.example", ""),
        get(&page, &format!("evil.example:{port}"), ""),
        get(&page, "127.0.0.1", ""),
        get(&page, &host, "Origin: http://evil.example\r\n"),
        get(&page, &host, "Origin: null\r\n"),
        get(&page, &host, "Sec-Fetch-Site: cross-site\r\n"),
        get(&page, &host, "Sec-Fetch-Site: same-site\r\n"),
    ];
    for answer in foreign {
        assert_eq!(status(&answer), "403", "{answer}");
        assert!(!answer.contains(&key) && answer.len() < 1000, "{answer}");
    }
    // What a form of another page could send.
    let form = board.head(
        "POST",
        "ask",
        &["Content-Type: text/plain", "Content-Length: 17", "Connection: close"],
    );
    assert_eq!(status(&board.answer(&(form + "{\"ask\":\"resign\"}\n"))), "415");
    assert_eq!(status(&board.get("ask")), "404");
    assert_eq!(status(&board.get("../games.zebu")), "404");
    assert!(board.end());
}

/// Tabs and bookmarks lead to the board again, even if nothing was done at it.
#[test]
fn the_address_stays() {
    let board = Board::fresh("address");
    let key = board.key.clone();
    drop(board);
    assert_eq!(Board::start("address").key, key);
}

#[test]
fn questions_that_are_wrong_change_nothing() {
    let board = Board::fresh("questions");
    let mut tab = board.open();
    let before = event(&mut tab, "game");
    for (question, wanted) in [
        ("", "EOF"),
        ("{\"ask\":\"dance\"}", "unknown variant `dance`"),
        ("{\"ask\":\"move\",\"mv\":\"e2e5\",\"ply\":0}", "{\"wrong\":\"'e2e5': "),
        ("{\"ask\":\"move\",\"mv\":\"e2e4\",\"ply\":3}", "{\"wrong\":\"It is not your move.\"}"),
        ("{\"ask\":\"take_back\"}", "{\"wrong\":\"There is no move to take back.\"}"),
        ("{\"ask\":\"resign\"}", "{\"wrong\":\"There is no game to resign.\"}"),
        ("{\"ask\":\"play\",\"elo\":5}", "{\"wrong\":\"A level is an Elo from 600 to 3200, "),
        ("{\"ask\":\"play\",\"clock\":\"soon\"}", "{\"wrong\":\"'soon' is no clock"),
        ("{\"ask\":\"play\",\"start\":\"9/8\"}", "{\"wrong\":\"This is no position: "),
        ("{\"ask\":\"look\",\"number\":1,\"start\":\"\",\"moves\":[]}", "{\"wrong\":"),
        ("{\"ask\":\"library\",\"want\":\"dance\"}", "unknown variant `dance`"),
        ("{\"ask\":\"library\",\"want\":\"game\",\"id\":1}", "{\"wrong\":\""),
        (
            "{\"ask\":\"library\",\"want\":\"analyse\",\"games\":[1],\"nodes\":0}",
            "{\"wrong\":\"A position takes 1 to ",
        ),
        ("{\"ask\":\"set\",\"threads\":100000}", "{\"wrong\":\"option Threads"),
        ("{\"ask\":\"set\",\"file\":\"/etc/passwd\"}", "unknown field `file`"),
    ] {
        let answer = board.ask(question);
        assert!(answer.starts_with(wanted), "{question}: {answer}");
    }
    assert_eq!(event(&mut board.open(), "game"), before);
}

/// The browser gets a key that lets one request in, which leads to the page. That page goes on, and is there
/// again when it is reloaded.
#[cfg(target_os = "linux")]
#[test]
fn the_browsers_key_serves_once() {
    use std::os::unix::fs::PermissionsExt;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-once");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("a folder");
    let (browser, opened) = (folder.join("xdg-open"), folder.join("opened"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display())).expect("one");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it is a program");
    let path = std::env::var("PATH").expect("programs");
    let board = Board::begun("once", &[], |command| {
        command.env("PATH", format!("{}:{path}", folder.display()));
    });
    let end = Instant::now() + Duration::from_secs(60);
    let address = loop {
        match fs::read_to_string(&opened) {
            Ok(address) if address.ends_with('\n') => break address,
            _ => assert!(Instant::now() < end, "no browser was started"),
        }
        sleep(Duration::from_millis(20));
    };
    let once = address.trim().strip_prefix(&format!("http://{}", board.host())).expect("ours");
    assert!(!once.contains(&board.key), "others can read the key in {once}");
    let get = |path: &str| {
        let host = board.host();
        board.answer(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    let first = get(once);
    assert_eq!(status(&first), "303", "{first}");
    assert!(first.contains(&format!("location: /{}/\r\n", board.key)), "{first}");
    assert_eq!(status(&board.get("")), "200");
    let mut tab = board.open();
    event(&mut tab, "game");
    for second in [once.to_string(), format!("{once}events"), format!("{once}ask")] {
        let answer = get(&second);
        assert_eq!(status(&answer), "403", "{answer}");
        assert!(!answer.contains(&board.key), "{answer}");
    }
    assert_eq!(board.ask("{\"ask\":\"set\",\"lines\":2}"), "\"done\"");
    event(&mut tab, "settings");
    assert_eq!(status(&board.get("")), "200");
    event(&mut board.open(), "game");
}

/// Of 100 MB no more than the limit is taken in, and the server goes on.
#[test]
fn too_much_too_many_too_slow() {
    let board = Board::fresh("much");
    let mut stream = board.connect();
    let headers = ["Content-Type: application/json", "Content-Length: 100000000"];
    stream.write_all(board.head("POST", "ask", &headers).as_bytes()).expect("a head");
    let megabyte = vec![b' '; 1 << 20];
    // It is cut off on the way.
    let sent = (0..95).take_while(|_| stream.write_all(&megabyte).is_ok()).count();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok();
    assert!(sent < 95 || status(&answer) == "413", "{sent} MB, {answer}");

    let crowd: Vec<_> = (0..200).map(|_| board.connect()).collect();
    let mut cut = board.connect();
    let half = board.head("POST", "ask", &["Content-Type: application/json", "Content-Length: 50"]);
    cut.write_all((half + "{\"ask\":").as_bytes()).expect("half a question");
    cut.shutdown(Shutdown::Both).expect("it is cut");
    let mut half = board.connect();
    half.write_all(b"GET / HT").expect("half a head");
    assert_eq!(status(&board.get("")), "200", "200 others wait");
    drop(crowd);

    // A tab that never reads does not hold up one that does.
    let _sleeper = board.open();
    let mut tab = board.open();
    event(&mut tab, "game");
    let set = |lines| board.ask(&format!("{{\"ask\":\"set\",\"lines\":{lines}}}"));
    for _ in 0..400 {
        assert_eq!(set(2), "\"done\"");
        event(&mut tab, "settings");
    }
    assert_eq!(status(&board.get("")), "200");
}

/// The game, its end and the address are there again after the program has ended, and a tab's search ends
/// with the tab.
#[test]
fn the_game_outlives_the_program() {
    let board = Board::fresh("kept");
    let key = board.key.clone();
    let mut tab = board.open();
    let start = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    let play = format!(
        "{{\"ask\":\"play\",\"zebu_is_white\":false,\"elo\":1000,\"clock\":\"5+3\",\"start\":\"{start}\"}}"
    );
    let set = "{\"ask\":\"set\",\"takes_its_time\":false,\"judges\":true}";
    assert_eq!(board.ask(set), "\"done\"");
    assert_eq!(board.ask(&play), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"f6f7\",\"ply\":0}"), "\"done\"");
    while !event(&mut tab, "game").contains("h8h7 Kh7") {}
    event(&mut tab, "judged");
    drop(tab);
    assert!(board.end());

    let board = Board::start("kept");
    assert_eq!(board.key, key, "the address stays");
    let mut tab = board.open();
    let game = event(&mut tab, "game");
    for wanted in ["\"moves\":\"f6f7 Kf7 h8h7 Kh7\"", "\"over\":null", "\"notes\":{\"1\":{"] {
        assert!(game.contains(wanted), "{wanted}: {game}");
    }
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"a1h1\",\"ply\":2}"), "\"done\"");
    while !event(&mut tab, "game").contains("\"over\":\"Checkmate, White wins.\"") {}
    // What goes on after its end is still one game.
    assert_eq!(board.ask("{\"ask\":\"take_back\"}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"resign\"}"), "\"done\"");
    assert!(board.end());

    let board = Board::start("kept");
    let game = event(&mut board.open(), "game");
    assert!(
        game.contains("\"over\":\"White resigns, Black wins.\"") && game.contains("0-1"),
        "{game}"
    );
    assert_eq!(board.ask("{\"ask\":\"resign\"}"), "{\"wrong\":\"There is no game to resign.\"}");
    let kept = board.get("games.pgn");
    assert_eq!(kept.matches("[Event ").count(), 1, "{kept}");
    for wanted in ["[Black \"Zebu 0.", "[TimeControl \"300+3\"]", "[%clk ", "[Result \"0-1\"]"] {
        assert!(kept.contains(wanted), "{wanted}: {kept}");
    }
}

/// What earlier versions kept is read in once: the list with its annotations, finished games, and the board. The
/// files stay.
#[test]
fn what_earlier_versions_kept_is_read_in_once() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-earlier");
    fs::remove_dir_all(&folder).ok();
    let place = folder.join("zebu/board");
    fs::create_dir_all(&place).expect("a folder");
    let key = "k".repeat(32);
    let files = [
        (
            "games.list",
            "1 opened 0 0\t\"[White \\\"Ann\\\"]\\n\\n1. e4 e5 *\\n\"\n\
             2 opened 0 0\t\"1. c4 *\"\n\
             1 analysed 0 {\"pgn\":\"[White \\\"Ann\\\"]\\n\\n1. e4 {best} e5 *\\n\"}\n\
             2 deleted 0 0\nwhat is not understood\n"
                .to_string(),
        ),
        ("games.pgn", "[White \"Player\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n".to_string()),
        ("board.json", format!("{{\"key\":\"{key}\",\"pgn\":\"1. d4 *\",\"pawns\":1}}")),
    ];
    for (name, text) in &files {
        fs::write(place.join(name), text).expect("a file");
    }
    for _ in 0..2 {
        let board = Board::start("earlier");
        assert_eq!(board.key, key, "the address stays");
        assert!(event(&mut board.open(), "game").contains("\"moves\":\"d2d4 d4\""));
        let pgn = board.get("games.pgn");
        assert_eq!(pgn.matches("[Event ").count(), 2, "{pgn}");
        assert!(pgn.contains("1. e4 { best } 1... e5 *") && pgn.contains("Qh4# 0-1"), "{pgn}");
        let ids = board.want(&json!({ "want": "ids" }));
        assert_eq!(ids.as_array().expect("ids").len(), 2);
    }
    for (name, text) in &files {
        assert_eq!(fs::read_to_string(place.join(name)).ok().as_ref(), Some(text));
    }
}

/// A board whose state no version understands begins anew, and a key that a page or a shell could read otherwise
/// is replaced.
#[test]
fn a_state_that_is_not_understood_is_left() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-key");
    let place = folder.join("zebu/board");
    let key = "<script>alert(1)</script>/../..?";
    for text in [format!("{{\"key\":\"{key}\"}}"), "{\"pgn\": 3}".into(), "{\"pgn\"".into()] {
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join("board.json"), &text).expect("a file");
        let board = Board::start("key");
        assert!(
            board.key.len() == 32 && board.key.bytes().all(|it| it.is_ascii_alphanumeric()),
            "{}",
            board.key
        );
        assert_eq!(fs::read_to_string(place.join("board.json")).ok(), Some(text));
    }
}

/// A migration that is killed at any moment is done at the next start, and nothing is there twice.
#[cfg(unix)]
#[test]
fn a_migration_may_be_killed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-killed");
    let place = folder.join("zebu/board");
    let games: String = (1..2000).map(|i| format!("[White \"{i}\"]\n\n1. e4 e5 *\n\n")).collect();
    for round in 0..12 {
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join("games.pgn"), &games).expect("a file");
        let mut program = Command::new(env!("CARGO_BIN_EXE_zebu"))
            .args(["board", "--no-open", "--port", "0"])
            .env("XDG_CONFIG_HOME", &folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the board runs");
        sleep(Duration::from_millis(20 * round));
        program.kill().and_then(|()| program.wait()).expect("it ends");
        let board = Board::start("killed");
        let found = board.want(&json!({ "want": "games" }));
        assert_eq!(found["count"], 1999, "{round}");
    }
}

/// Nobody else reads what the board keeps.
#[cfg(unix)]
#[test]
fn files_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let board = Board::fresh("owner");
    let folder = board.folder.join("zebu");
    assert_eq!(board.ask("{\"ask\":\"set\",\"lines\":2}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"play\",\"zebu_is_white\":false}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"e2e4\",\"ply\":0}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"play\",\"zebu_is_white\":false}"), "\"done\"");
    let games = board.get("games.pgn");
    assert!(games.contains("1. e4"), "a game that another one replaced is kept: {games}");
    assert!(board.end());
    // The second start makes the copy.
    assert!(Board::start("owner").end());
    let mode = |path: &std::path::Path| {
        fs::metadata(path).expect("it is there").permissions().mode() & 0o777
    };
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert!(files.len() == 2, "{files:?}");
    for file in files {
        assert_eq!(mode(&file.path()), 0o600, "{file:?}");
    }
}

/// Connections without the key are closed, whether they read or not.
#[test]
fn strangers_do_not_keep_others_out() {
    let board = Board::fresh("strangers");
    let request = format!("GET /x/ HTTP/1.1\r\nHost: {}\r\n\r\n", board.host()).repeat(200);
    let crowd: Vec<_> = (0..300)
        .map(|number| {
            let mut stream = board.connect();
            let text = if number % 2 == 0 { request.as_bytes() } else { &b"GET /"[..] };
            stream.write_all(text).ok();
            stream
        })
        .collect();
    let begun = Instant::now();
    loop {
        let mut stream = board.connect();
        let mut answer = String::new();
        stream.write_all(board.head("GET", "", &["Connection: close"]).as_bytes()).ok();
        stream.read_to_string(&mut answer).ok();
        if status(&answer) == "200" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{answer}");
        sleep(Duration::from_millis(100));
    }
    println!("let in after {} ms", begun.elapsed().as_millis());
    drop(crowd);
}

/// Of settings that cannot be had none is set.
#[test]
fn settings_are_set_together() {
    let board = Board::fresh("settings");
    let mut tab = board.open();
    let before = event(&mut tab, "hello");
    let wanted = "{\"ask\":\"set\",\"judges\":true,\"threads\":2,\"hash\":99999999}";
    assert!(board.ask(wanted).starts_with("{\"wrong\":"));
    let settings = |hello: &str| hello.split("\"settings\":").nth(1).map(|it| it[..60].to_string());
    assert_eq!(settings(&event(&mut board.open(), "hello")), settings(&before));
}

#[test]
fn a_closed_tab_ends_its_search() {
    let board = Board::fresh("closed");
    let mut tab = board.open();
    event(&mut tab, "hello");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let look =
        format!("{{\"ask\":\"look\",\"number\":7,\"start\":\"{start}\",\"moves\":[\"e2e4\"]}}");
    let length = format!("Content-Length: {}", look.len());
    let headers = ["Content-Type: application/json", "X-Tab: 1", "Connection: close", &length];
    let begun = Instant::now();
    assert_eq!(status(&board.answer(&(board.head("POST", "ask", &headers) + &look))), "200");
    let lines = event(&mut tab, "lines");
    println!("a first line after {} ms", begun.elapsed().as_millis());
    assert!(lines.contains("\"number\":7"), "{lines}");
    drop(tab);
    // The time of the processor stands still.
    #[cfg(target_os = "linux")]
    {
        let spent = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", board.program.id()))
                .expect("its figures");
            let fields: Vec<&str> =
                stat.rsplit(')').next().expect("fields").split_whitespace().collect();
            fields[11].parse::<u64>().expect("ticks") + fields[12].parse::<u64>().expect("ticks")
        };
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let before = spent();
            sleep(Duration::from_millis(500));
            if spent() == before {
                break;
            }
            assert!(Instant::now() < end, "it searches for nobody");
        }
    }
}

/// Games are there when they are imported, each once, and are analysed as far as is wanted; they outlive the
/// program until they are deleted.
#[test]
fn games_are_imported_and_analysed() {
    let board = Board::fresh("review");
    let mut tab = board.open();
    let pgn = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e6 2. Ke3 *\n";
    let added = board.import(pgn);
    let ids = added["ids"].clone();
    let broken = added["broken"][0].as_str().expect("a broken game");
    assert!(broken.contains("game 2 (White - Black), line 3: 'Ke3'"), "{added}");
    assert_eq!(board.import(pgn)["ids"], ids, "they are there already");
    let row = |at: usize| board.want(&json!({ "want": "games" }))["games"][at]["head"].clone();
    assert!(row(0)["accuracy"].is_null() && row(1)["accuracy"].is_null());
    let analyse = |games: &Value, nodes: u64| {
        board.want(&json!({ "want": "analyse", "games": games, "nodes": nodes }))
    };
    analyse(&json!([ids[0]]), 1000);
    state(&mut tab, |state| state["analysing"]["all"] == 5);
    state(&mut tab, |state| state["analysing"].is_null());
    let found = board.want(&json!({ "want": "games", "reviewed": true }));
    assert_eq!((&found["count"], &found["games"][0]["id"]), (&json!(1), &ids[0]));
    let game = board.want(&json!({ "want": "game", "id": ids[0] }));
    assert!(game.to_string().contains("\"judgement\":\"blunder\""), "{game}");
    let texts = board.want(&json!({ "want": "pgn", "games": [ids[1], 77, ids[0]] }));
    let text = |at: usize| texts[at].as_str().expect("a text");
    assert!(text(0).contains("1. e4 e6 *") && text(1).is_empty(), "{texts}");
    assert!(text(2).contains("2... Qh4# 0-1"), "{texts}");
    assert!(board.end());

    let board = Board::start("review");
    assert_eq!(board.want(&json!({ "want": "game", "id": ids[0] })), game);
    let page = board.want(&json!({ "want": "page", "games": [ids[0]] }));
    assert!(page.as_str().is_some_and(|page| page.contains("<!DOCTYPE html>")));
    board.want(&json!({ "want": "delete", "games": [ids[1]] }));
    assert!(board.want(&json!({ "want": "game", "id": ids[1] }))["wrong"].is_string());
    // An analysis that is stopped.
    let added = board.import(&("Nf3 Nf6 Ng1 Ng8 ".repeat(40) + "*"));
    let mut tab = board.open();
    board.want(&json!({ "want": "analyse", "games": added["ids"], "nodes": 900_000_000 }));
    state(&mut tab, |state| state["analysing"]["all"] == 161);
    board.want(&json!({ "want": "stop_analysis" }));
    state(&mut tab, |state| state["analysing"].is_null());
    assert!(board.end());
    let board = Board::start("review");
    let there = board.want(&json!({ "want": "ids" }));
    assert_eq!(there, json!([added["ids"][0], ids[0]]));
}

/// Games are downloaded in pieces, and more than a browser opens are no single page.
#[test]
fn many_games_are_downloaded_in_pieces() {
    let board = Board::fresh("many");
    let words = "a".repeat(1000);
    let game = |i: usize| format!("[White \"{i}\"]\n\n1. e4 {{{words}}} e5 {{{words}}} *\n\n");
    let pgn: String = (0..4000).map(game).collect();
    board.import(&pgn);
    let ids = board.want(&json!({ "want": "ids", "is_up": true }));
    let ids = ids.as_array().expect("ids");
    let ask = |what: &str, from: usize| board.want(&json!({ "want": what, "games": ids[from..] }));
    let (mut count, mut pieces) = (0, 0);
    while count < ids.len() {
        let piece = ask("pgn", count);
        let piece = piece.as_array().expect("games");
        assert!(piece[0].as_str().expect("a game").contains(&format!("[White \"{count}\"]")));
        count += piece.len();
        pieces += 1;
    }
    assert_eq!((count, pieces), (4000, 5));
    assert!(ask("page", 0).to_string().contains("run `zebu analyse` on it"));
    assert!(ask("page", 3900).as_str().expect("a page").contains("<!DOCTYPE html>"));
}

/// A game that may not begin leaves the one before it as it was, and nothing in the list.
#[test]
fn a_refused_game_changes_nothing() {
    let board = Board::fresh("refused");
    let mut tab = board.open();
    board.ask(r#"{"ask":"play","zebu_is_white":false,"elo":1500}"#);
    board.ask(r#"{"ask":"move","mv":"e2e4","ply":0}"#);
    let refused = board.ask(r#"{"ask":"play","zebu_is_white":true,"move_time":0}"#);
    assert!(refused.contains("wrong"), "{refused}");
    assert_eq!(board.want(&json!({ "want": "ids" })), json!([]));
    assert!(event(&mut tab, "game").contains("\"zebu_is_white\":false"));
}

/// All that the library has comes out again as files. Beside another program that has it, the board says that it
/// keeps nothing.
#[test]
fn the_library_gives_all_it_has() {
    let board = Board::fresh("coach");
    let mut tab = board.open();
    let game = |name: &str| format!("[White \"{name}\"]\n\n1. e4 e5 2. Nf3 {{ why }} *\n\n");
    let text: String = ["Ann", "Bob", "Cem"].map(game).concat();
    for new in [3, 0] {
        board.import(&text);
        state(&mut tab, |state| state["import"]["new"] == new && state["games"] == 3);
    }
    let pgn = board.get("games.pgn");
    assert_eq!(status(&pgn), "200", "{pgn}");
    assert!(pgn.contains("content-disposition: attachment\r\n"), "{pgn}");
    for wanted in ["[White \"Ann\"]", "[White \"Cem\"]", "{ why }"] {
        assert!(pgn.contains(wanted), "{wanted}: {pgn}");
    }
    let json = board.get("games.json");
    assert!(json.contains("\"names\":[]") && json.contains("\"lines\":["), "{json}");
    let second = Board::start("coach");
    let told = state(&mut second.open(), |_| true);
    let problem = told["problem"].as_str().expect("a problem");
    assert!(problem.contains("another program has this library open"), "{problem}");
    assert_eq!(told["games"], 0);
    // It is used all the same.
    assert_eq!(second.import(&text)["ids"].as_array().expect("ids").len(), 3);
}
