#!/usr/bin/env bash
# From no network to a network: the simple evaluation teaches by its games, a network learns from
# them, plays games itself, the next one learns from those, and so on.
#
#   scripts/zero.sh FOLDER          the whole way: about an hour on 2 cores, 100 MB
#   scripts/zero.sh FOLDER small    the same way in steps so short that a minute or two is enough
#
# All that it makes is in the folder. It may be stopped at any moment; the same command goes on.
# Settings are taken from the environment: GENERATIONS=9 HIDDEN=256 scripts/zero.sh FOLDER
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${2:-small}" != small ]; then
    echo "usage: scripts/zero.sh FOLDER [small]" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

if [ "${2:-}" = small ]; then
    # Few nodes make poor scores, but that many games; their results then teach more.
    : "${GENERATIONS:=2}" "${POSITIONS:=700000}" "${GROWTH:=1}" "${NODES:=40}" "${HASH:=1}"
    : "${HIDDEN:=32}" "${BUCKETS:=4}" "${RESULT:=0.4}" "${EPOCHS:=8}"
    : "${BATCH:=4096}" "${RATE:=0.002}" "${HELD_OUT:=0.1}"
else
    # Many quick generations gain the most. Each plays this many times as many positions as the one
    # before: a better player's games are worth more.
    : "${GENERATIONS:=5}" "${POSITIONS:=1000000}" "${GROWTH:=1.7}"
    # 300 to 350 nodes a move gave more strength for the hour than 1,000 and more.
    : "${NODES:=350}" "${HASH:=4}"
    # As wide as some million positions can carry.
    : "${HIDDEN:=128}" "${BUCKETS:=8}"
    # With fewer than 100,000 games a large share of the result is learned by heart: from the
    # teacher's games 0.7 lost 207 Elo against the teacher and 0.2 gained 180; later 0.1 gained 57
    # where 0.25 lost 59.
    : "${RESULT:=0.1}" "${EPOCHS:=14}"
    : "${BATCH:=16384}" "${RATE:=0.001}" "${HELD_OUT:=0.02}"
fi

# Builds the workshop, with the network of a generation in it: one of any size can play so.
build() {
    if [ "$1" -gt 0 ]; then
        export ZEBU_NET="$folder/$1.net"
    fi
    cargo build --release --features forge --bin forge
}

forge() {
    "${CARGO_TARGET_DIR:-target}/release/forge" "$@" ${THREADS:+--threads "$THREADS"}
}

positions() {
    awk -v first="$POSITIONS" -v growth="$GROWTH" -v generation="$1" \
        'BEGIN { printf "%.0f", first * growth ^ (generation - 1) }'
}

play() {
    local judge=()
    if [ "$1" = 1 ]; then
        judge=(--teacher)
    fi
    forge play "$folder/$1.games" --positions "$(positions "$1")" --nodes "$NODES" --hash "$HASH" \
        --seed "$1" "${judge[@]}"
}

# Two generations' games teach more than one's; older ones were played too badly.
train() {
    local games=("$folder/$1.games") resume=()
    if [ "$1" -gt 1 ]; then
        games=("$folder/$(($1 - 1)).games" "${games[@]}")
    fi
    if [ -e "$folder/$1.checkpoint" ]; then
        resume=(--resume)
    fi
    forge train "${games[@]}" --out "$folder/$1.net" --hidden "$HIDDEN" --buckets "$BUCKETS" \
        --result "$RESULT" --epochs "$EPOCHS" --batch "$BATCH" --rate "$RATE" \
        --held-out "$HELD_OUT" "${resume[@]}" | tee "$folder/$1.report.new"
    mv "$folder/$1.report.new" "$folder/$1.report"
}

# How well the results of games that nobody learned from are foretold: by the network, and by the
# scores it was taught, which had a search to look ahead.
compare() {
    awk -v generation="$1" '/^log loss/ {
        gsub(",", "")
        printf "network %d foretells results with log loss %s, its teacher'\''s scores with %s\n",
            generation, $6, $NF
        better = $6 < $NF
    } END { exit !better }' "$folder/$1.report"
}

for generation in $(seq "$GENERATIONS"); do
    if [ ! -e "$folder/$generation.report" ]; then
        echo "== generation $generation of $GENERATIONS"
        build $((generation - 1))
        play "$generation"
        train "$generation"
    fi
done

echo
for generation in $(seq "$GENERATIONS"); do
    if compare "$generation"; then better=true; else better=false; fi
done
echo "To play with the last: ZEBU_NET=$folder/$GENERATIONS.net cargo run --release"
# With more nodes a search may foretell better than the network, which has none.
if [ "${2:-}" = small ] && ! $better; then
    echo "the last network foretells no better than its teacher" >&2
    exit 1
fi
