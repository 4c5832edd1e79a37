//! How quick the answers are. One of several tries counts; a machine that stands still makes all
//! answers late for a while, so late ones are followed by a pause.

use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::driver::memory;
use crate::driver::{Engine, command};

const TRIES: usize = 10;

fn is_quick(what: &str, bound: u64, mut time: impl FnMut() -> Duration) {
    let bound = Duration::from_millis(bound);
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        quickest = quickest.min(time());
        if quickest < bound {
            return;
        }
        sleep(Duration::from_secs(1));
    }
    panic!("{what}: {quickest:?}, not {bound:?}");
}

fn searching(go: &str) -> Engine {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 c7c5");
    engine.send(go);
    engine.wait_for("info depth 6");
    engine
}

#[test]
fn isready_during_a_search() {
    let mut engine = searching("go infinite");
    is_quick("isready", 10, || {
        engine.send("isready");
        engine.time_until("readyok")
    });
}

#[test]
fn stop_during_a_search() {
    for setup in ["", "setoption name Threads value 2"] {
        is_quick("stop", 20, || {
            let mut engine = Engine::start();
            engine.send(setup);
            engine.send("go infinite");
            engine.wait_for("info depth 6");
            engine.send("stop");
            engine.time_until("bestmove")
        });
    }
}

#[test]
fn ponderhit_after_the_search_is_over() {
    is_quick("ponderhit", 20, || {
        let mut engine = Engine::start();
        engine.send("go ponder depth 1");
        engine.sync();
        engine.send("ponderhit");
        engine.time_until("bestmove")
    });
}

#[test]
fn quit_and_the_end_of_input() {
    for (go, is_endless) in [
        ("isready", true),
        ("go infinite", true),
        ("go ponder wtime 9000 btime 9000", true),
        ("go perft 9", false),
        ("bench 30", false),
    ] {
        // What ends by itself is finished when the input ends.
        for quits in if is_endless { &[true, false][..] } else { &[true] } {
            is_quick(&format!("{go}, quit: {quits}"), 100, || {
                let mut engine = Engine::start();
                engine.send(go);
                engine.sync();
                let start = Instant::now();
                if *quits {
                    engine.send("quit")
                } else {
                    engine.close_input()
                }
                assert!(engine.end().success());
                start.elapsed()
            });
        }
    }
}

#[test]
fn start() {
    is_quick("uci", if cfg!(debug_assertions) { 60 } else { 15 }, || {
        let start = Instant::now();
        let mut engine = Engine::start();
        engine.send("uci");
        engine.wait_for("uciok");
        start.elapsed()
    });
}

#[test]
#[cfg(target_os = "linux")]
fn memory_of_a_search() {
    let mut engine = Engine::start_by(command());
    engine.talk(&["setoption name Hash value 16", "go nodes 300000"]);
    let peak = memory(engine.id(), "VmHWM");
    assert!(peak < 40 << 20, "{peak}");
}

/// The first of 1,024 threads had to wait for all the others, and each took 12 MB.
#[test]
#[cfg(target_os = "linux")]
fn many_threads() {
    for (go, bound) in [("go nodes 5000", 500), ("go wtime 1000 btime 1000", 1000)] {
        is_quick(go, bound, || {
            let mut engine = Engine::start();
            engine.talk(&["setoption name Threads value 1024"]);
            engine.send(go);
            let time = engine.time_until("bestmove");
            let most = std::thread::available_parallelism().map_or(1, |count| count.get()) as u64;
            assert!(memory(engine.id(), "VmHWM") < (60 + most * 80) << 20);
            time
        });
    }
}

#[test]
fn moves_at_the_last_moment() {
    for go in ["go wtime 100 btime 100", "go wtime 20 btime 20 winc 10 binc 10", "go movetime 30"] {
        is_quick(go, 60, || {
            let mut engine = Engine::start();
            engine.sync();
            engine.send(go);
            engine.time_until("bestmove")
        });
    }
}
