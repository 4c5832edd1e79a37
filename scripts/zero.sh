#!/usr/bin/env bash
# Trains a network from nothing: the piece-square teacher plays games, a network is trained on them and plays
# the games for the next one, and so on.
#
#   scripts/zero.sh FOLDER          five generations: about an hour on 2 cores, 100 MB
#   scripts/zero.sh FOLDER small    the same in small steps: a minute or two
#   scripts/zero.sh FOLDER full     thirteen more generations, to a network of the size and the training
#                                   that Zebu's has: 38 core-hours, 1.7 GB, 3 GB of memory
#
# All results are in the folder. After a stop, the same command continues. The environment overrides settings,
# for all generations or from one on: GENERATIONS=9 HIDDEN=256 NODES_9=40 scripts/zero.sh FOLDER
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [[ ${2:-small} != @(small|full) ]]; then
    echo "usage: scripts/zero.sh FOLDER [small | full]" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

if [ "${2:-}" = small ]; then
    # Few nodes give many games with poor scores, so results get more weight. They are soon memorised: at four
    # times this learning rate the second network predicts worse than the scores.
    : "${GENERATIONS:=2}" "${POSITIONS:=700000}" "${GROWTH:=1}" "${NODES:=40}" "${HASH:=1}"
    : "${HIDDEN:=32}" "${KING_BUCKETS:=4}" "${BUCKETS:=4}" "${SUMS:=2}" "${WDL:=0.4}" "${EPOCHS:=8}"
    # The scores to surpass are those of the searches alone.
    : "${BATCH:=4096}" "${LR:=0.0005}" "${LAMBDA:=0}" "${VALIDATION:=0.1}"
else
    if [ "${2:-}" = full ]; then
        # 80 nodes and fewer gained the most for their time, once the network was good.
        : "${GENERATIONS:=18}"
        : "${POSITIONS_6:=30000000}" "${NODES_6:=80}" "${HASH_6:=1}" "${HIDDEN_6:=256}"
        : "${POSITIONS_7:=120000000}" "${NODES_7:=60}"
        : "${HIDDEN_7:=512}" "${KING_BUCKETS_7:=4}" "${BATCH_7:=32768}" "${EPOCHS_7:=20}"
        : "${POSITIONS_8:=100000000}" "${NODES_8:=50}" "${EPOCHS_8:=13}"
        : "${POSITIONS_9:=70000000}" "${GAMES_OF_9:=3}" "${EPOCHS_9:=9}"
        : "${POSITIONS_10:=100000000}" "${NODES_10:=30}" "${GAMES_OF_10:=4}" "${EPOCHS_10:=7}"
        # The network soon sees what so few nodes see. From here on, each network continues from the previous
        # one with the scores of deeper searches of its own, less wild games.
        : "${FROM_11:=before}" "${POSITIONS_11:=12000000}" "${GAMES_OF_11:=1}"
        : "${NODES_11:=700}" "${FORCING_11:=150}" "${HASH_11:=8}" "${WIN_11:=700}" "${PLAYED_OUT_11:=0.05}"
        : "${BATCH_11:=16384}" "${EPOCHS_11:=4}" "${LR_11:=0.0016}" "${LAMBDA_11:=0}" "${WDL_11:=0.1}"
        # Only the new second layers learn fast.
        : "${SUMS_11:=4}" "${FEATURE_SHARE_11:=0.06}" "${THREAT_SHARE_11:=0.06}"
        # Without new parts, a high learning rate forgets more than fresh games teach, and results teach
        # nothing.
        : "${POSITIONS_12:=12000000}" "${EPOCHS_12:=3}" "${LR_12:=0.001}" "${WDL_12:=0}"
        : "${FEATURE_SHARE_12:=0.15}" "${THREAT_SHARE_12:=0.12}"
        # From here on games of several networks teach together. With so many, all weights may learn faster.
        : "${POSITIONS_13:=20000000}" "${NODES_13:=550}" "${GAMES_OF_13:=3}" "${EPOCHS_13:=4}"
        : "${POSITIONS_14:=20000000}" "${NODES_14:=350}" "${GAMES_OF_14:=4}"
        : "${FEATURE_SHARE_14:=0.4}" "${THREAT_SHARE_14:=0.4}"
        # A second pass over the same games learns them by heart.
        : "${POSITIONS_15:=22000000}" "${GAMES_OF_15:=5}" "${EPOCHS_15:=1}" "${LR_15:=0.0007}"
        : "${POSITIONS_16:=15000000}" "${GAMES_OF_16:=6}"
        # What a pass teaches is partly chance, and the mean with what was before has less of that.
        : "${POSITIONS_17:=37000000}" "${GAMES_OF_17:=5}" "${MEAN_17:=yes}"
        : "${POSITIONS_18:=28000000}" "${GAMES_OF_18:=6}" "${LR_18:=0.0005}"
    fi
    # Many quick generations gain the most. The number of positions grows by this factor, because the games of
    # a better network are worth more.
    : "${GENERATIONS:=5}" "${POSITIONS:=1000000}" "${GROWTH:=1.7}"
    # 300 to 350 nodes per move gained more per hour than 1,000 and more.
    : "${NODES:=350}" "${HASH:=4}"
    # Wide enough for some million positions.
    : "${HIDDEN:=128}" "${KING_BUCKETS:=1}" "${BUCKETS:=8}" "${SUMS:=0}"
    # With fewer than 100,000 games the network memorises their results: on the teacher's games a share of 0.7
    # lost 207 Elo to the teacher and 0.2 gained 180; later, 0.1 gained 57 and 0.25 lost 59.
    : "${WDL:=0.1}" "${EPOCHS:=14}"
    : "${BATCH:=16384}" "${LR:=0.001}" "${LAMBDA:=0.5}" "${VALIDATION:=0.02}"
fi

# A score of 20 pawns is a win, forcing positions are searched like others, training starts from random weights,
# and its network is taken as it is.
: "${WIN:=2000}" "${PLAYED_OUT:=0}" "${FORCING:=}" "${FROM:=}" "${MEAN:=}"

# All weights learn at the same rate.
: "${FEATURE_SHARE:=1}" "${THREAT_SHARE:=1}"

# The games of two generations teach more than those of one; older ones are too weak at first.
: "${GAMES_OF:=2}"

# Builds the forge of a generation, with the previous network embedded, which may have any size.
build() {
    if [ "$1" -gt 1 ]; then
        export ZEBU_NET="$folder/$(($1 - 1)).net"
    fi
    cargo build --release --bin forge
}

forge() {
    "${CARGO_TARGET_DIR:-target}/release/forge" "$@" ${THREADS:+--threads "$THREADS"}
}

# The setting of a generation: its own, or the previous one's, or the general one.
setting() {
    local own=$1_$2
    if [ -n "${!own:-}" ]; then
        echo "${!own}"
    elif [ "$2" -gt 1 ]; then
        setting "$1" $(($2 - 1))
    else
        echo "${!1}"
    fi
}

positions() {
    local own=POSITIONS_$1
    if [ -n "${!own:-}" ]; then
        echo "${!own}"
        return
    fi
    awk -v first="$POSITIONS" -v growth="$GROWTH" -v generation="$1" \
        'BEGIN { printf "%.0f", first * growth ^ (generation - 1) }'
}

play() {
    local evaluation=()
    if [ "$1" = 1 ]; then
        evaluation=(--teacher)
    fi
    local forcing
    forcing=$(setting FORCING "$1")
    forge play "$folder/$1.games" --positions "$(positions "$1")" --nodes "$(setting NODES "$1")" \
        --hash "$(setting HASH "$1")" --seed "$1" --win "$(setting WIN "$1")" \
        --played-out "$(setting PLAYED_OUT "$1")" ${forcing:+--forcing-nodes "$forcing"} "${evaluation[@]}"
}

# Trains on the games of the last GAMES_OF generations.
train() {
    local games=() resume=() from=() number=$(($1 - $(setting GAMES_OF "$1") + 1))
    for ((number = number > 1 ? number : 1; number <= $1; number++)); do
        games+=("$folder/$number.games")
    done
    if [ -e "$folder/$1.checkpoint" ]; then
        resume=(--resume)
    fi
    if [ "$(setting FROM "$1")" = before ]; then
        from=(--from "$folder/$(($1 - 1)).net")
    fi
    forge train "${games[@]}" --out "$folder/$1.net" --hidden "$(setting HIDDEN "$1")" \
        --king-buckets "$(setting KING_BUCKETS "$1")" --output-buckets "$(setting BUCKETS "$1")" \
        --sums "$(setting SUMS "$1")" --feature-share "$(setting FEATURE_SHARE "$1")" \
        --threat-share "$(setting THREAT_SHARE "$1")" \
        --wdl "$(setting WDL "$1")" --epochs "$(setting EPOCHS "$1")" --batch "$(setting BATCH "$1")" \
        --lr "$(setting LR "$1")" --lambda "$(setting LAMBDA "$1")" --validation "$(setting VALIDATION "$1")" \
        "${from[@]}" "${resume[@]}" | tee "$folder/$1.report.new"
    if [ -n "$(setting MEAN "$1")" ]; then
        mean "$1"
    fi
    mv "$folder/$1.report.new" "$folder/$1.report"
}

# The mean of what was trained in this generation and in those before it that are means, too, and of the network
# from which they went on.
mean() {
    local number=$1 networks=()
    mv "$folder/$1.net" "$folder/$1.trained.net"
    while [ -n "$(setting MEAN "$number")" ]; do
        networks+=("$folder/$number.trained.net")
        number=$((number - 1))
    done
    THREADS='' forge mean "$folder/$number.net" "${networks[@]}" --out "$folder/$1.net"
}

# Compares the log loss of results in the validation set: of the network, which sees a single position, and of
# the games' scores, which come from searches.
compare() {
    awk -v generation="$1" '/^log loss/ {
        gsub(",", "")
        printf "network %d: log loss of results %s, of the games'\'' scores %s\n",
            generation, $5, $NF
        better = $5 < $NF
    } END { exit !better }' "$folder/$1.report"
}

for generation in $(seq "$GENERATIONS"); do
    if [ ! -e "$folder/$generation.report" ]; then
        echo "== generation $generation of $GENERATIONS"
        build "$generation"
        play "$generation"
        train "$generation"
    fi
done

echo
for generation in $(seq "$GENERATIONS"); do
    if compare "$generation"; then better=true; else better=false; fi
done
echo "To play with the last: ZEBU_NET=$folder/$GENERATIONS.net cargo run --release"
# With more nodes, the scores may predict better than the network.
if [ "${2:-}" = small ] && ! $better; then
    echo "the last network predicts no better than the scores it was trained on" >&2
    exit 1
fi
