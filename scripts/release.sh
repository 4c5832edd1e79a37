#!/usr/bin/env bash
# Builds the binaries to download, one for each x86-64 level, with their checksums.
#
#   scripts/release.sh FOLDER                   all levels
#   scripts/release.sh FOLDER x86-64-v3 ...     only these
#
# All must search the same tree, so their bench counts must agree. Binaries that this processor
# cannot run are built but not checked.
set -euo pipefail

LEVELS=(x86-64-v2 x86-64-v3 x86-64-v4)

# What the vector backend of the board needs beyond x86-64-v4: Ice Lake, Zen 4 and newer.
EXTENSIONS=+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512bitalg,+gfni

if [ $# -lt 1 ]; then
    echo "usage: scripts/release.sh FOLDER [LEVEL ...]" >&2
    exit 2
fi
folder=$1
shift
if [ $# -gt 0 ]; then
    for level in "$@"; do
        if [[ " ${LEVELS[*]} " != *" $level "* ]]; then
            echo "release.sh: there is no level $level, only ${LEVELS[*]}" >&2
            exit 2
        fi
    done
    LEVELS=("$@")
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

version=$(cargo metadata --no-deps --format-version 1 | sed -E 's/.*"name":"zebu","version":"([^"]+)".*/\1/')
system=$(rustc -vV | sed -nE 's/^host: [^-]+-([^-]+-)?(linux|windows|darwin).*/\2/p')
suffix=$([ "$system" = windows ] && echo .exe || true)

build() {
    local flags="-C target-cpu=$1"
    if [ "$1" = x86-64-v4 ]; then
        flags+=" -C target-feature=$EXTENSIONS"
    fi
    RUSTFLAGS=$flags cargo build --release --bin zebu --target-dir "target/$1"
}

# The node count of a binary's bench; nothing if this processor cannot run it.
count_nodes() {
    local output
    if output=$("$1" bench 2>&1); then
        tail -1 <<<"$output" | cut -d" " -f1
    elif [[ $output != *"this processor lacks"* ]]; then
        echo "release.sh: $1 fails: $output" >&2
        return 1
    fi
}

names=() expected=""
for level in "${LEVELS[@]}"; do
    name=zebu-$version-$system-$level$suffix
    build "$level"
    cp "target/$level/release/zebu$suffix" "$folder/$name"
    nodes=$(count_nodes "$folder/$name")
    echo "$name: ${nodes:-not run, this processor lacks what it needs}"
    if [ -n "$nodes" ] && [ "$nodes" != "${expected:=$nodes}" ]; then
        echo "release.sh: $name counts $nodes nodes, the others $expected" >&2
        exit 1
    fi
    names+=("$name")
done

cd "$folder"
sha256sum "${names[@]}" | tee SHA256SUMS
