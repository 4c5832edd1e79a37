//! The server of `zebu board`: who is let in, and what happens to those who ask for too much or too slowly.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

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
    assert_eq!(status(&board.get("../board.json")), "404");
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
        ("{\"ask\":\"review\",\"games\":[1],\"time\":0}", "{\"wrong\":"),
        (
            "{\"ask\":\"review\",\"games\":[1],\"time\":9}",
            "{\"wrong\":\"There is no game to analyse.\"}",
        ),
        ("{\"ask\":\"game\",\"number\":1}", "{\"wrong\":\"There is no game 1.\"}"),
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
    assert_eq!(board.ask("{\"ask\":\"set\",\"takes_its_time\":false}"), "\"done\"");
    assert_eq!(board.ask(&play), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"f6f7\",\"ply\":0}"), "\"done\"");
    while !event(&mut tab, "game").contains("h8h7 Kh7") {}
    drop(tab);
    assert!(board.end());

    let board = Board::start("kept");
    assert_eq!(board.key, key, "the address stays");
    let mut tab = board.open();
    let game = event(&mut tab, "game");
    assert!(
        game.contains("\"moves\":\"f6f7 Kf7 h8h7 Kh7\"") && game.contains("\"over\":null"),
        "{game}"
    );
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"a1h1\",\"ply\":2}"), "\"done\"");
    while !event(&mut tab, "game").contains("\"over\":\"Checkmate, White wins.\"") {}
    // What goes on after its end is still one game.
    assert_eq!(board.ask("{\"ask\":\"take_back\"}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"resign\"}"), "\"done\"");
    let games = board.folder.join("zebu/board/games.pgn");
    assert!(board.end());

    let board = Board::start("kept");
    let game = event(&mut board.open(), "game");
    assert!(
        game.contains("\"over\":\"White resigns, Black wins.\"") && game.contains("0-1"),
        "{game}"
    );
    assert_eq!(board.ask("{\"ask\":\"resign\"}"), "{\"wrong\":\"There is no game to resign.\"}");
    let kept = fs::read_to_string(games).expect("the games that are over");
    assert_eq!(kept.matches("[Event ").count(), 1, "{kept}");
    for wanted in ["[Black \"Zebu 0.", "[TimeControl \"300+3\"]", "[%clk ", "[Result \"0-1\"]"] {
        assert!(kept.contains(wanted), "{wanted}: {kept}");
    }
}

/// What another version wrote is kept beside, and whatever is understood is taken; so is the game in hand.
#[test]
fn a_file_that_is_not_understood_is_kept_beside() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-damaged");
    fs::remove_dir_all(&folder).ok();
    let place = folder.join("zebu/board");
    fs::create_dir_all(&place).expect("a folder");
    let key = "k".repeat(32);
    for (number, (file, wanted)) in [
        ("{\"pgn\": 3}".to_string(), "pgn: invalid type"),
        ("{\"pgn\"".to_string(), "EOF"),
        (format!("{{\"key\":\"{key}\",\"pgn\":\"1. e4 *\",\"pawns\":1}}"), "unknown field 'pawns'"),
        (
            format!(
                "{{\"key\":\"{key}\",\"pgn\":\"1. e4 *\",\"settings\":{{\"lines\":\"many\"}}}}"
            ),
            "settings: invalid type",
        ),
    ]
    .iter()
    .enumerate()
    {
        fs::write(place.join("board.json"), file).expect("a file");
        fs::remove_file(place.join("board.next")).ok();
        fs::write(place.join("board.next.zebu.part"), "left").expect("a file");
        let mut program = Command::new(env!("CARGO_BIN_EXE_zebu"))
            .args(["board", "--no-open", "--port", "0"])
            .env("XDG_CONFIG_HOME", &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the board runs");
        let mut told = String::new();
        let mut errors = BufReader::new(program.stderr.take().expect("its errors"));
        errors.read_line(&mut told).expect("a line");
        let mut address = String::new();
        let mut output = BufReader::new(program.stdout.take().expect("its output"));
        output.read_line(&mut address).expect("a line");
        program.kill().and_then(|()| program.wait()).expect("it ends");
        let beside = format!("board.json.{}", number + 1);
        assert!(told.contains(wanted) && told.contains(&beside), "{told}");
        assert_eq!(fs::read_to_string(place.join(beside)).ok().as_ref(), Some(file));
        assert!(!place.join("board.next.zebu.part").exists(), "what was left half written is gone");
        assert_eq!(address.contains(&key), file.contains(&key), "{address}");
    }
    let board = Board::start("damaged");
    assert!(
        event(&mut board.open(), "game").contains("\"moves\":\"e2e4 e4\""),
        "the game is there"
    );
}

/// A key that a page or a shell could read otherwise is replaced.
#[test]
fn a_key_is_letters_and_digits() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-key");
    fs::create_dir_all(folder.join("zebu/board")).expect("a folder");
    let key = "<script>alert(1)</script>/../..?";
    fs::write(folder.join("zebu/board/board.json"), format!("{{\"key\":\"{key}\"}}"))
        .expect("a file");
    let board = Board::start("key");
    assert!(
        board.key.len() == 32 && board.key.bytes().all(|it| it.is_ascii_alphanumeric()),
        "{}",
        board.key
    );
}

/// Nobody else reads what the board keeps.
#[cfg(unix)]
#[test]
fn files_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-owner/zebu/board");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("games.pgn"), "").expect("a file");
    let board = Board::start("owner");
    assert_eq!(board.ask("{\"ask\":\"set\",\"lines\":2}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"play\",\"zebu_is_white\":false}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"move\",\"mv\":\"e2e4\",\"ply\":0}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"play\",\"zebu_is_white\":false}"), "\"done\"");
    assert!(board.end());
    let mode = |path: &std::path::Path| {
        fs::metadata(path).expect("it is there").permissions().mode() & 0o777
    };
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        assert_eq!(mode(&file.path()), 0o600, "{file:?}");
    }
    let games = fs::read_to_string(folder.join("games.pgn")).expect("games");
    assert!(games.contains("1. e4"), "a game that another one replaced is kept: {games}");
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

/// Games are there when they are added, each once, and are analysed as far as is wanted; they outlive the
/// program until they are deleted.
#[test]
fn games_are_opened_and_reviewed() {
    let board = Board::fresh("review");
    let mut tab = board.open();
    let pgn = r#"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e6 2. Ke3 *\n"#;
    let add = format!("{{\"ask\":\"add\",\"pgn\":\"{pgn}\",\"games\":10,\"lines\":100}}");
    let added = board.ask(&add);
    assert!(added.contains("\"numbers\":[1,2]") && added.contains("\"edition\":2"), "{added}");
    assert!(added.contains("game 12 (White - Black), line 103: 'Ke3'"), "{added}");
    assert!(board.ask(&add).contains("\"numbers\":[1,2]"), "they are there already");
    let items = board.ask("{\"ask\":\"items\",\"after\":0}");
    assert_eq!(items.matches("\"analysed\":false").count(), 2, "{items}");
    assert_eq!(board.ask("{\"ask\":\"review\",\"games\":[1],\"time\":20}"), "\"done\"");
    let mut said = String::new();
    while !said.contains("\"runs\":false,\"done\":1.0,") || !said.contains("1 game is analysed.") {
        said = event(&mut tab, "review");
        assert!(!said.contains(" of ") || said.contains(" of 5 positions"), "{said}");
    }
    let items = board.ask("{\"ask\":\"items\",\"after\":2}");
    assert!(items.contains("\"number\":1,") && items.contains("\"analysed\":true"), "{items}");
    let game = board.ask("{\"ask\":\"game\",\"number\":1}");
    assert!(game.contains("\"judgement\":\"blunder\""), "{game}");
    let texts = board.ask("{\"ask\":\"pgn\",\"games\":[2,7,1]}");
    let texts: Vec<&str> = texts.split("\",\"").collect();
    assert!(texts.len() == 3 && texts[0].contains("1. e4 e6 *"), "{texts:?}");
    assert!(texts[1].is_empty() && texts[2].contains("2... Qh4# 0-1"), "{texts:?}");
    assert!(board.end());

    let board = Board::start("review");
    let mut tab = board.open();
    assert_eq!(board.ask("{\"ask\":\"game\",\"number\":1}"), game);
    assert!(board.ask("{\"ask\":\"page\",\"games\":[1]}").contains("<!DOCTYPE html>"));
    assert_eq!(board.ask("{\"ask\":\"delete\",\"games\":[2]}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"game\",\"number\":2}"), "{\"wrong\":\"There is no game 2.\"}");
    // Another review is stopped.
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
    let added = board.ask(&format!("{{\"ask\":\"add\",\"pgn\":\"{moves}*\"}}"));
    assert!(added.contains("\"numbers\":[3]"), "{added}");
    assert_eq!(board.ask("{\"ask\":\"review\",\"games\":[3],\"time\":600000}"), "\"done\"");
    assert_eq!(board.ask("{\"ask\":\"stop_review\"}"), "\"done\"");
    while !event(&mut tab, "review").contains("\"text\":\"Stopped. ") {}
    assert!(board.end());
    let board = Board::start("review");
    let items = board.ask("{\"ask\":\"items\",\"after\":0}");
    assert!(items.contains("\"number\":1,") && items.contains("\"number\":3,"), "{items}");
    assert!(!items.contains("\"number\":2,"), "{items}");
    // A number is never used again: what a page keeps of game 3 is of that game.
    assert_eq!(board.ask("{\"ask\":\"delete\",\"games\":[3]}"), "\"done\"");
    assert!(board.end());
    let board = Board::start("review");
    let added = board.ask("{\"ask\":\"add\",\"pgn\":\"1. d4 *\"}");
    assert!(added.contains("\"numbers\":[4]"), "{added}");
}

/// Games are downloaded in pieces, and more than a browser opens are no single page.
#[test]
fn many_games_are_downloaded_in_pieces() {
    let board = Board::fresh("many");
    let words = "a".repeat(1000);
    let game = |i: usize| format!(r#"[White \"{i}\"]\n\n1. e4 {{{words}}} e5 {{{words}}} *\n\n"#);
    let pgn: String = (0..4000).map(game).collect();
    let added = board.ask(&format!("{{\"ask\":\"add\",\"pgn\":\"{pgn}\"}}"));
    assert!(added.ends_with(",4000]}}"), "{added}");
    let numbers: Vec<String> = (1..=4000).map(|number| number.to_string()).collect();
    let ask = |what: &str, from: usize| {
        let numbers = numbers[from..].join(",");
        board.ask(&format!("{{\"ask\":\"{what}\",\"games\":[{numbers}]}}"))
    };
    let (mut count, mut pieces) = (0, 0);
    while count < numbers.len() {
        let piece = ask("pgn", count);
        assert!(piece.contains(&format!("[White \\\"{count}\\\"]")) && piece.len() < 3 << 20);
        count += piece.matches("[White ").count();
        pieces += 1;
    }
    assert_eq!((count, pieces), (4000, 5));
    assert!(ask("page", 0).contains("run `zebu analyse` on it"));
    assert!(ask("page", 3900).contains("<!DOCTYPE html>"));
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
    assert_eq!(board.ask(r#"{"ask":"items","after":0}"#), r#"{"items":[]}"#);
    assert!(event(&mut tab, "game").contains("\"zebu_is_white\":false"));
}

/// Chosen games of the list go to the coach, and all that it has comes out again as files. Without its library
/// the reason is told instead.
#[test]
fn the_coach_takes_games_and_gives_all_it_has() {
    let board = Board::fresh("coach");
    let mut tab = board.open();
    let game = |name: &str| format!(r#"[White \"{name}\"]\n\n1. e4 e5 2. Nf3 {{ why }} *\n\n"#);
    let pgn: String = ["Ann", "Bob", "Cem"].map(game).concat();
    let added = board.ask(&format!("{{\"ask\":\"add\",\"pgn\":\"{pgn}\"}}"));
    assert!(added.contains("\"numbers\":[1,2,3]"), "{added}");
    for new in ["\"known\":0,\"new\":2", "\"known\":2,\"new\":0"] {
        assert_eq!(board.ask("{\"ask\":\"learn\",\"games\":[1,3]}"), "{\"found\":null}");
        let mut state = event(&mut tab, "coach");
        while !state.contains(new) || !state.contains("\"games\":2") {
            state = event(&mut tab, "coach");
        }
    }
    let pgn = board.get("games.pgn");
    assert_eq!(status(&pgn), "200", "{pgn}");
    assert!(pgn.contains("content-disposition: attachment\r\n"), "{pgn}");
    for wanted in ["[White \"Ann\"]", "[White \"Cem\"]", "{ why }"] {
        assert!(pgn.contains(wanted), "{wanted}: {pgn}");
    }
    assert!(!pgn.contains("Bob"), "it was not chosen: {pgn}");
    let json = board.get("games.json");
    assert!(json.contains("\"names\":[]") && json.contains("\"lines\":["), "{json}");
    let second = Board::start("coach");
    let refused = second.get("games.pgn");
    assert_eq!(status(&refused), "503", "{refused}");
    assert!(refused.contains("another program has this library open"), "{refused}");
}
