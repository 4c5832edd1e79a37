#!/usr/bin/env bash
# Zebu as a web page: scripts/web.sh [FOLDER]
#
# Writes target/web or FOLDER, for any static web host, and FOLDER.html, a single self-contained file. Needs
# node, and rustup with the target wasm32-unknown-unknown or Debian's rustc-web, cargo-web, rust-web-src and
# lld. `ZEBU_PAGE=target/web.html cargo build --release` embeds the file in the program, for zebu analyse
# --live.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
build=(rustc --release --locked --package zebu --lib --crate-type cdylib --target $target)
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    cargo "${build[@]}"
elif [ -x /usr/bin/wasm-ld ] && [ -x /usr/bin/rustc ]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    /usr/bin/cargo "${build[@]}" -Z build-std=std,panic_abort
else
    echo "There is neither rustup's target $target nor Debian's rustc-web, rust-web-src and lld." >&2
    exit 2
fi
built=${CARGO_TARGET_DIR:-target}/$target/release
node scripts/web.mjs "$built/zebu.wasm" "$(ls -t "$built"/build/zebu-engine-*/out/net_rows | head -1)" "${1:-target/web}"
