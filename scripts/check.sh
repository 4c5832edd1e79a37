#!/usr/bin/env bash
# The checks, as CI runs them: scripts/check.sh [quick | all | fuzz INPUTS | sanitize | soak]
#
# quick     layout, lints, and the tests that take seconds: two minutes (the default)
# all       everything that must pass, the quick part first; python-chess and a browser are fetched
# fuzz      each target with so many inputs, the page for ten minutes, then a session of a million commands
# sanitize  the tests under AddressSanitizer and the threads under ThreadSanitizer; takes a nightly
#           toolchain with rust-src (rustup toolchain install nightly --component rust-src)
# soak      thousands of games at very fast clocks; takes fastchess in PATH
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

# A build for another processor, in a target folder of its own. Its warnings are errors.
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

# The test of match reports skips what needs a browser if there is none.
prepare_browser() {
    command -v chromium || {
        timeout 60 apt-get update -qq && timeout 120 apt-get install -qq -y --no-install-recommends chromium
    } >target/browser.log
}

prepare_python() {
    python3 -m venv target/python && target/python/bin/pip install --quiet -r scripts/requirements.txt
}

# zero.sh resumes, so what an earlier run left must go. Its forge is built without tuning, and must say
# what a match needs.
train_from_zero() {
    rm -rf target/zero
    scripts/zero.sh target/zero small &&
        target/release/forge match - --nodes 100 2>&1 | grep -F -- '--features "forge tune"'
}

quick() {
    # Nothing is timed here, and what is compiled in parts is compiled by all cores.
    export CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    step "Layout" cargo fmt --check
    step "Lints" cargo clippy --release --all-targets -- -D warnings
    step "Licences, duplicates, imports, documents" cargo test --release --test house
}

all() {
    quick
    step "Lints of the forge and of the build for tuning" cargo clippy --release --all-targets --features "forge tune" -- -D warnings
    step "Tests, as the README says" cargo test --release
    step "Tests of the forge" cargo test --release --features "forge tune" --bin forge --test forge
    step "Tests of the build for tuning" cargo test --release --features "forge tune" --test protocol --test search tunables
    # The other tests do not depend on the instructions.
    step "Tests of the portable instructions" build_for x86-64-v2 test --release --no-default-features \
        --lib --test board --test eval
    step "A binary to download" scripts/release.sh target/downloads linux-x86-64-v3
    step "The same search in each build" compare_benches
    step "A build for OpenBench" build_for_openbench
    step "A web page" scripts/web.sh || { test $? = 2 && echo "skipped: nothing here builds for WebAssembly"; }
    step "A browser" prepare_browser || echo "skipped: no browser, and none to install"
    if step "python-chess" prepare_python; then
        step "Games" env ZEBU_PYTHON=target/python/bin/python cargo test --release --test clients -- --nocapture
    else
        echo "skipped: no python3 with venv and pip"
    fi
    step "From no network to a network" train_from_zero
}

# Each target by itself: they share the time otherwise.
fuzz() {
    export ZEBU_FUZZ_INPUTS=${1:?how many inputs}
    step "Fuzzing" cargo test --release --test fuzz -- --nocapture --test-threads "$(nproc)"
    step "Fuzzing of the forge" cargo test --release --features "forge tune" --bin forge fuzz -- --nocapture --test-threads "$(nproc)"
    step "Fuzzing of the page" env ZEBU_FUZZ_SECONDS=600 cargo test --release --test clients page -- --nocapture
    export ZEBU_FUZZ_COMMANDS=1000000
    step "A million commands" cargo test --release --test protocol any_order -- --nocapture
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
    # It takes a lot of memory itself, and loom's stacks for leaks.
    step "AddressSanitizer" sanitized address --lib --test board --test eval --test search --test fuzz \
        --test analysis --test protocol -- --skip tt:: --skip memory --skip threads_that_the_system_denies
    step "ThreadSanitizer" sanitized thread --test search threads
    step "All orders in which threads use a slot" cargo test --release --test search tt
}

# Both sides are Zebu: a loss on time is a loss of ours.
play_fast() {
    local name=$1
    shift
    fastchess -engine cmd=target/release/zebu name=a option.Hash=4 -engine cmd=target/release/zebu name=b option.Hash=4 \
        -concurrency "$(nproc)" -repeat -recover -each "$@" >"target/soak/$name.txt"
    grep -cE "on time|disconnect|illegal|crash" "target/soak/$name.txt" || true
}

# With other work on every core.
busy() {
    local loops=() status=0
    for _ in $(seq "$(nproc)"); do
        while :; do :; done &
        loops+=($!)
    done
    "$@" || status=$?
    kill "${loops[@]}"
    return "$status"
}

soak() {
    command -v fastchess || { echo "soak needs fastchess in PATH"; exit 1; }
    mkdir -p target/soak
    step "A build" cargo build --release
    step "0.2+0.002" play_fast increment tc=0.2+0.002 -rounds 400
    step "Sudden death in a second" play_fast sudden tc=1 -rounds 400
    step "One move to the control" play_fast control tc=1/0.02 -rounds 400
    step "1 ms a move" play_fast movetime st=0.001 -rounds 300
    step "0.2+0.002 on a busy machine" busy play_fast busy tc=0.2+0.002 -rounds 250
}

case ${1:-quick} in
    quick | all | sanitize | soak) "${1:-quick}" ;;
    fuzz) fuzz "${2:-}" ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

echo
echo "All is well."
