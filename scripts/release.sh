#!/usr/bin/env bash
# Builds the downloads: an archive per system and processor, with checksums.
#
#   scripts/release.sh FOLDER                     all builds
#   scripts/release.sh FOLDER linux-x86-64-v3 ... only these
#
# Linux binaries are static. Other systems need their target (`rustup target add`), or the distribution's Rust
# with sources, and a linker: gcc-mingw-w64-x86-64, gcc-aarch64-linux-gnu. All binaries must search the same
# tree: bench counts are compared where this machine can run them, Windows under Wine, arm64 with qemu-user.
# Archives contain no path and no time of the build. notes.md, the newest section of the changelog, becomes
# the release notes.
set -euo pipefail

BUILDS=(linux-x86-64-v2 linux-x86-64-v3 linux-x86-64-v4 linux-arm64
    windows-x86-64-v2 windows-x86-64-v3 windows-x86-64-v4)

# The board's instructions beyond x86-64-v4: Ice Lake, Zen 4 and newer.
EXTENSIONS=+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512bitalg,+gfni

# Deep enough to tell trees apart, and quick enough for an emulator.
BENCH_DEPTH=10

if [ $# -lt 1 ]; then
    echo "usage: scripts/release.sh FOLDER [BUILD ...]" >&2
    exit 2
fi
folder=$1
shift
for build in "$@"; do
    if [[ " ${BUILDS[*]} " != *" $build "* ]]; then
        echo "release.sh: there is no build $build, only ${BUILDS[*]}" >&2
        exit 2
    fi
done
if [ $# -gt 0 ]; then
    BUILDS=("$@")
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

version=$(sed -nE '0,/^version/s/^version = "([^"]+)"/\1/p' Cargo.toml)
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc

target_of() {
    case $1 in
        linux-x86-64-*) echo x86_64-unknown-linux-gnu ;;
        linux-arm64) echo aarch64-unknown-linux-gnu ;;
        windows-*) echo x86_64-pc-windows-gnu ;;
    esac
}

flags_of() {
    case $1 in
        *-v4) echo -n "-C target-cpu=x86-64-v4 -C target-feature=$EXTENSIONS" ;;
        *-x86-64-*) echo -n "-C target-cpu=${1#*-}" ;;
    esac
    case $1 in
        linux-*) echo -n " -C target-feature=+crt-static" ;;
        # Keeps the linker from writing the time.
        windows-*) echo -n " -C target-feature=+crt-static -C link-arg=-Wl,--no-insert-timestamp" ;;
    esac
    echo " --remap-path-prefix=$PWD=zebu --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
}

compile() {
    local target arguments
    local -x CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_PANIC=abort
    target=$(target_of "$1")
    arguments=(build --release --locked --bin zebu --target "$target" --target-dir "target/downloads-$1")
    if [ -d "$(rustc --print target-libdir --target "$target")" ]; then
        RUSTFLAGS=$(flags_of "$1") cargo "${arguments[@]}"
    else
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS=$(flags_of "$1") /usr/bin/cargo \
            "${arguments[@]}" -Z build-std=std,panic_abort
    fi
}

# Wine 8 lacks a Windows library with one function, for random numbers.
prepare_wine() {
    mkdir -p "$1"
    x86_64-w64-mingw32-gcc -shared -O1 -o "$1/bcryptprimitives.dll" -xc - <<'C'
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t size)
{
    return SystemFunction036(data, (unsigned long)size);
}
C
}

# Prints the last line of a binary's bench, or nothing if this machine cannot run it.
bench() {
    local runner=() output
    case $1 in
        *windows*)
            if ! command -v wine >/dev/null || ! prepare_wine target/wine 2>/dev/null; then return 0; fi
            runner=(env WINEDEBUG=-all "WINEPATH=$PWD/target/wine" wine)
            ;;
        *arm64*)
            if ! command -v qemu-aarch64 >/dev/null; then return 0; fi
            runner=(qemu-aarch64)
            ;;
    esac
    if output=$("${runner[@]}" "$2" bench "$BENCH_DEPTH" 2>&1 | tr -d '\r'); then
        tail -1 <<<"$output"
    elif [[ $output != *"this processor lacks"* ]]; then
        echo "release.sh: $1 fails: $output" >&2
        return 1
    fi
}

# Makes reproducible archives: sorted names, the time of the commit, no owner.
pack() {
    if [[ $1 == *windows* ]]; then
        python3 - "$1" <<'PY'
import pathlib, sys, time, os, zipfile
name = sys.argv[1]
date = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
with zipfile.ZipFile(name + ".zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(pathlib.Path(name).rglob("*")):
        if path.is_file():
            archive.writestr(zipfile.ZipInfo(str(path), date), path.read_bytes(), zipfile.ZIP_DEFLATED)
PY
        echo "$1.zip"
    else
        tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$1" |
            gzip -9n >"$1.tar.gz"
        echo "$1.tar.gz"
    fi
}

# The newest section of the changelog, without its heading.
changes() { awk '/^## /{n++; next} n == 1' .github/CHANGELOG.md; }

# Lists the licences of all crates in the program. Releases set ZEBU_REQUIRE=licences.
list_licences() {
    if cargo bundle-licenses --version >/dev/null 2>&1; then
        RUST_LOG=error cargo bundle-licenses --format yaml --prefer MIT --output "$1"
        python3 scripts/licences.py "$1"
    else
        echo "release.sh: no $1 without cargo-bundle-licenses: cargo install --locked cargo-bundle-licenses" >&2
        [[ " ${ZEBU_REQUIRE:-} " != *" licences "* ]]
    fi
}

# Output that does not depend on the build.
cargo build --release --locked --bin zebu --target-dir target
texts=target/downloads-texts
mkdir -p "$texts/completions"
target/release/zebu man >"$texts/zebu.1"
list_licences "$texts/THIRD-PARTY.yaml"
changes >"$folder/notes.md"
for shell in bash zsh fish powershell; do
    target/release/zebu completions "$shell" >"$texts/completions/zebu.$shell"
done

# Set only now: crates that read it would be rebuilt in target, here and at the next build.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

archives=() expected=""
for build in "${BUILDS[@]}"; do
    name=zebu-$version-$build
    compile "$build"
    rm -rf "${folder:?}/$name"
    mkdir "$folder/$name"
    suffix=$([[ $build == windows-* ]] && echo .exe || true)
    cp "target/downloads-$build/$(target_of "$build")/release/zebu$suffix" "$folder/$name/"
    cp -r LICENSE scripts/NOTICE.txt engine.toml "$texts/." "$folder/$name/"
    sed "s/VERSION/$version/; s/BUILD/$build/" scripts/release.txt | cat - "$folder/notes.md" >"$folder/$name/README.txt"
    line=$(bench "$build" "$folder/$name/zebu$suffix")
    echo "$name: $(stat -c %s "$folder/$name/zebu$suffix") bytes, ${line:-not run here}"
    nodes=${line%% *}
    if [ -n "$nodes" ] && [ "$nodes" != "${expected:=$nodes}" ]; then
        echo "release.sh: $name counts $nodes nodes, the others $expected" >&2
        exit 1
    fi
    archives+=("$(cd "$folder" && pack "$name")")
done

cd "$folder"
sha256sum "${archives[@]}" | tee SHA256SUMS
