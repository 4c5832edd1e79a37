#!/usr/bin/env bash
# The checks, as CI runs them: scripts/check.sh [quick | all | fuzz INPUTS | sanitize | soak [ZEBU...]]
#
# quick     layout, lints and quick tests, in two minutes (the default)
# all       everything that must pass; installs python-chess, formatters and a browser if it can
# fuzz      each fuzz target with so many inputs, and the page for ten minutes
# sanitize  tests under AddressSanitizer and ThreadSanitizer; needs a nightly toolchain with rust-src
#           (rustup toolchain install nightly --component rust-src)
# soak      an hour of commands, files, signals and load, with figures for tests/NOTES.md; compares games
#           under load with those of other builds; needs fastchess in PATH and python-chess
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
    echo
    echo "== $1"
    shift
    echo "\$ $*"
    local start=$SECONDS
    "$@" || return
    echo "($((SECONDS - start)) s)"
}

# Tests and checks are skipped if this machine lacks something they need, unless ZEBU_REQUIRE names that need
# ("browser python format") or is "all".
skip() {
    echo "skipped, without $1: $2"
    [[ " ${ZEBU_REQUIRE:-} " != *" $1 "* && " ${ZEBU_REQUIRE:-} " != *" all "* ]]
}

# Prepares something that tests need, and requires it from then on.
provide() {
    if step "For $1 tests" "${@:2}"; then
        export ZEBU_REQUIRE="${ZEBU_REQUIRE:-} $1"
    else
        skip "$1" "$2 failed"
    fi
}

# Prints the path of a formatter, from prepare_formatters or in PATH.
formatter() {
    local own
    for own in target/formatters/node_modules/.bin/"$1" target/python/bin/"$1"; do
        test ! -x "$own" || { echo "$own"; return; }
    done
    command -v "$1"
}

lint_javascript() {
    local biome
    biome=$(formatter biome) || { skip format "no biome"; return; }
    find src/page scripts \( -name '*.js' -o -name '*.mjs' \) -print0 | xargs -0 "$biome" ci --config-path=scripts/javascript.json
}

lint_python() {
    local ruff
    ruff=$(formatter ruff) || { skip format "no ruff"; return; }
    "$ruff" format --config scripts/ruff.toml --check scripts tests && "$ruff" check --config scripts/ruff.toml scripts tests
}

# Builds for another processor in a target folder of its own. Warnings are errors.
build_for() {
    env RUSTFLAGS="-C target-cpu=$1 -D warnings" CARGO_TARGET_DIR="target/$1" cargo "${@:2}"
}

# Every build must search the same tree.
compare_benches() {
    local counts
    counts=$(for zebu in target/release/zebu target/x86-64-v2/release/zebu target/downloads/*/zebu; do
        "$zebu" bench 10 | tail -1 | cut -d" " -f1
    done)
    echo "$counts"
    test "$(sort -u <<<"$counts" | wc -l)" = 1
}

# OpenBench builds with make and reads the last line of bench.
build_for_openbench() {
    make -C scripts -j EXE=../target/openbench && target/openbench bench | tail -1 | grep -E '^[0-9]+ nodes [0-9]+ nps$'
}

# Finds a browser by the names that the tests try, or installs one.
prepare_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome || {
        timeout 60 apt-get update -qq && timeout 120 apt-get install -qq -y --no-install-recommends chromium
    } >target/browser.log
}

prepare_python() {
    python3 -m venv target/python && target/python/bin/pip install --quiet -r scripts/requirements.txt &&
        export ZEBU_PYTHON=$PWD/target/python/bin/python
}

# Other versions may format differently.
prepare_formatters() {
    npm install --silent --prefix target/formatters @biomejs/biome@2.6.8 && target/python/bin/pip install --quiet ruff==0.17.6
}

# zero.sh resumes, so the results of an earlier run must be removed.
train_from_zero() {
    rm -rf target/zero
    scripts/zero.sh target/zero small
}

quick() {
    step "Layout" cargo fmt --check
    step "Lints" cargo clippy --release --all-targets -- -D warnings
    step "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps
    step "Layout and lints of JavaScript" lint_javascript
    step "Layout and lints of Python" lint_python
    step "Licences, duplicates, imports, documents" cargo test --release --test house
}

# Most of a build runs on one processor, so another build runs beside it, in a target folder of its own.
beside() {
    "$@" >"target/$1.txt" 2>&1 &
}

end_of() {
    local status=0
    wait "$!" || status=$?
    cat "target/$1.txt"
    return "$status"
}

web_page() {
    step "A web page" env CARGO_TARGET_DIR=target/wasm CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 scripts/web.sh ||
        { test $? = 2 && skip wasm "nothing here builds for WebAssembly"; }
}

# With what tests and single compilers leave of the processors.
other_builds() {
    renice -n 19 "$BASHPID"
    step "A binary to download" scripts/release.sh target/downloads linux-x86-64-v3
    # Only these tests depend on the instructions. Speed does not matter here.
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 step "Tests of the portable instructions" build_for x86-64-v2 test \
        --release -p zebu-engine --lib --test board --test eval
}

all() {
    mkdir -p target
    provide python prepare_python
    provide format prepare_formatters
    provide browser prepare_browser
    beside web_page
    quick
    step "What was built beside" end_of web_page
    beside other_builds
    step "Tests, as the README says" cargo test --release
    step "Tests of the build for tuning" cargo test --release -p zebu-engine --features tune --test engine --test search tunables
    step "From no network to a network" train_from_zero
    step "What was built beside" end_of other_builds
    step "The same search in each build" compare_benches
    step "A build for OpenBench" build_for_openbench
}

# Each target runs alone, for otherwise they share the time.
fuzz() {
    export ZEBU_FUZZ_INPUTS=${1:?how many inputs}
    step "Fuzzing" cargo test --release --test fuzz -- --nocapture --test-threads "$(nproc)"
    step "Fuzzing of the forge" cargo test --release --bin forge fuzz -- --nocapture --test-threads "$(nproc)"
    step "Fuzzing of the page" env ZEBU_FUZZ_SECONDS=600 cargo test --release --test clients page -- --nocapture
}

# A sanitizer needs a standard library that is built with it.
sanitized() {
    local sanitizer=$1 target
    shift
    target=$(rustc -vV | sed -n 's/^host: //p')
    env RUSTFLAGS="-Z sanitizer=$sanitizer -C target-cpu=native" CARGO_TARGET_DIR="target/$sanitizer" \
        cargo +nightly test --release -Z build-std --target "$target" "$@"
}

sanitize() {
    # Skips tests that allocate too much for it, and loom, whose stacks it reports as leaks.
    step "AddressSanitizer" sanitized address --lib --test board --test eval --test search --test fuzz \
        --test analysis --test protocol -- --skip tt:: --skip memory --skip threads_that_the_system_denies
    step "ThreadSanitizer" sanitized thread --test search threads
    step "All orders in which threads use a slot" cargo test --release --test search tt
}

# A row of the table in tests/NOTES.md: test, amount, result.
row() {
    echo "| $1 | $2 | $3 |" >>target/soak/table.md
}

# Writes the output of a command to a file, and shows the end of it if the command fails.
quietly() {
    local file="target/soak/$1.txt"
    "${@:2}" >"$file" 2>&1 || { tail -30 "$file"; return 1; }
}

soak_commands() {
    ZEBU_FUZZ_COMMANDS=$1 quietly commands cargo test --release --test protocol any_order -- --nocapture
    row "commands in any order" "$1" "$(grep -E '^threads, files|searches$' target/soak/commands.txt | paste -sd' ')"
}

soak_files() {
    ZEBU_FUZZ_INPUTS=$1 quietly files cargo test --release --test fuzz -- --nocapture --test-threads "$(nproc)"
    row "mutated files and lines" "$(grep -c ' inputs, ' target/soak/files.txt) readers, $1 inputs each" "no crash"
}

soak_signals() {
    for _ in $(seq "$1"); do
        quietly signals cargo test --release --test analysis a_signal
        quietly signals cargo test --release --test protocol -- ctrl_c a_stopped_process
    done
    row "signals" "$1 rounds" "each run ended at once, and what it left was whole"
}

# Both sides are the same program, so every loss on time is its own. Games of a kind share a file.
soak_games() {
    local kind=$1 zebu=$2 games=$3 clock=$4
    fastchess -engine "cmd=$zebu" name=a option.Hash=4 -engine "cmd=$zebu" name=b option.Hash=4 -each "$clock" \
        -rounds $((games / 2)) -concurrency "$(nproc)" -repeat -recover -config outname=target/soak/config.json >>"target/soak/$kind.txt"
}

soak_pondering() {
    python3 scripts/ponder.py "$2" --games "$3" --clock "$4" >>"target/soak/$1.txt"
}

row_of_games() {
    local file="target/soak/$1.txt"
    row "$2" "$(grep -cE '^(Finished game|game) [0-9]' "$file") games" \
        "$(grep -cE '^(Finished )?game [0-9].*(lost|loses) on time' "$file" || true) lost on time, $(grep -ciE '^(Finished )?game [0-9].*(disconnect|illegal|crash)' "$file" || true) otherwise"
}

# Runs a command beside two endless loops per processor.
busy() {
    local loops=() status=0
    for _ in $(seq $((2 * $(nproc)))); do
        while :; do :; done &
        loops+=($!)
    done
    "$@" || status=$?
    kill "${loops[@]}"
    return "$status"
}

soak() {
    command -v fastchess || { echo "soak needs fastchess in PATH"; exit 1; }
    local zebus=(target/release/zebu "$@") clock kind i
    rm -rf target/soak && mkdir -p target/soak
    step "A build" cargo build --release
    step "Commands" soak_commands 1000000
    step "Files" soak_files 1000000
    step "Signals" soak_signals 20
    for clock in tc=1 tc=1/0.02 st=0.001; do
        kind=quiet-${clock/\//-}
        step "Quiet, $clock" soak_games "$kind" target/release/zebu 600 "$clock"
        row_of_games "$kind" "quiet, $clock"
    done
    # Builds take turns, because the machine's load changes.
    for _ in 1 2 3 4 5; do
        for i in "${!zebus[@]}"; do
            step "Busy" busy soak_games "busy-$i" "${zebus[i]}" 100 tc=0.2+0.002
            step "Busy, pondering" busy soak_pondering "pondering-$i" "${zebus[i]}" 40 1+0.02
        done
    done
    for i in "${!zebus[@]}"; do
        row_of_games "busy-$i" "busy, 0.2+0.002, ${zebus[i]}"
        row_of_games "pondering-$i" "busy, pondering, 1+0.02, ${zebus[i]}"
    done
    cat target/soak/table.md
}

case ${1:-quick} in
    quick | all | sanitize) "${1:-quick}" ;;
    fuzz | soak) "$@" ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

echo
echo "All is well."
