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
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("web-{name}"));
        fs::create_dir_all(&folder).expect("a folder");
        let mut program = Command::new(env!("CARGO_BIN_EXE_zebu"))
            .args(["board", "--no-open", "--port", "0"])
            .env("XDG_CONFIG_HOME", &folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the board runs");
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
        ("{\"ask\":\"review\",\"pgn\":\"\",\"time\":0}", "{\"wrong\":"),
        ("{\"ask\":\"set\",\"threads\":100000}", "{\"wrong\":\"option Threads"),
        ("{\"ask\":\"set\",\"file\":\"/etc/passwd\"}", "unknown field `file`"),
    ] {
        let answer = board.ask(question);
        assert!(answer.starts_with(wanted), "{question}: {answer}");
    }
    assert_eq!(event(&mut board.open(), "game"), before);
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

#[test]
fn a_damaged_file_is_named_and_the_board_begins_anew() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web-damaged");
    fs::create_dir_all(folder.join("zebu/board")).expect("a folder");
    fs::write(folder.join("zebu/board/board.json"), "{\"pgn\": 3}").expect("a file");
    let mut program = Command::new(env!("CARGO_BIN_EXE_zebu"))
        .args(["board", "--no-open", "--port", "0"])
        .env("XDG_CONFIG_HOME", &folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the board runs");
    let mut told = String::new();
    BufReader::new(program.stderr.take().expect("its errors"))
        .read_line(&mut told)
        .expect("a line");
    let still_runs = program.try_wait().expect("it can be asked").is_none();
    program.kill().and_then(|()| program.wait()).expect("it ends");
    assert!(told.contains("board.json: invalid type") && still_runs, "{told}");
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

#[test]
fn games_are_reviewed() {
    let board = Board::fresh("review");
    let mut tab = board.open();
    let pgn = r#"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e6 2. Ke3 *\n"#;
    let question = format!("{{\"ask\":\"review\",\"pgn\":\"{pgn}\",\"time\":20}}");
    assert_eq!(board.ask(&question), "\"done\"");
    while !event(&mut tab, "review")
        .contains("\"runs\":false,\"done\":1.0,\"items\":3,\"text\":\"2 games are analysed.\"")
    {
    }
    let items = board.ask("{\"ask\":\"items\",\"from\":0}");
    assert_eq!(items.matches("{\"game\":{").count(), 2, "{items}");
    assert!(
        items.contains("\"judgement\":\"blunder\"")
            && items.contains("{\"broken\":\"game 2 (White - Black), line "),
        "{items}"
    );
    assert_eq!(board.ask("{\"ask\":\"items\",\"from\":3}"), "{\"items\":[]}");
    assert!(board.ask("{\"ask\":\"page\"}").contains("<!DOCTYPE html>"));
    // Another one is stopped.
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
    assert_eq!(
        board.ask(&format!("{{\"ask\":\"review\",\"pgn\":\"{moves}*\",\"time\":600000}}")),
        "\"done\""
    );
    assert_eq!(board.ask("{\"ask\":\"stop_review\"}"), "\"done\"");
    while !event(&mut tab, "review").contains("\"text\":\"Stopped. ") {}
}
