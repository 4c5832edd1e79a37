#!/usr/bin/env bash
# Packages a release: a Debian package, the context of a container image, and descriptions for Homebrew (zebu.rb),
# AUR (PKGBUILD), Scoop (zebu.json) and winget (zebu.yaml).
#
#   scripts/packages.sh FOLDER        the output of scripts/release.sh
#
# The address comes from Cargo.toml, the checksums from the archives. The Debian package needs `cargo install
# cargo-deb`. Descriptions without their archive are skipped.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: scripts/packages.sh FOLDER" >&2
    exit 2
fi
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
value() { sed -nE "0,/^$1 = /s/^$1 = \"([^\"]+)\"/\1/p" Cargo.toml; }
version=$(value version)
address=$(value repository)
packages=$folder/packages
mkdir -p "$packages"

sum() { sha256sum "$1" | cut -d" " -f1; }
cp scripts/packages/start.sh "$folder/"
for file in zebu.rb PKGBUILD zebu.json zebu.yaml; do
    text=$(sed "s|ADDRESS|$address|g; s|VERSION|$version|g" "scripts/packages/$file")
    missing=
    for name in $(grep -oE 'SHA256\([^)]+\)' <<<"$text" | sort -u); do
        part=${name#SHA256(}
        part=${part%)}
        archive=$folder/zebu-$version-$part
        test "$part" != start.sh || archive=$folder/start.sh
        if [ -f "$archive" ]; then
            text=${text//"$name"/$(sum "$archive")}
        else
            missing+=" $part"
        fi
    done
    if [ -n "$missing" ]; then
        echo "packages.sh: no $file without$missing" >&2
    else
        echo "$text" >"$packages/$file"
    fi
done

sed "s|\${VERSION}|$version|; /^ARG/d" scripts/packages/Containerfile >"$folder/Containerfile"

builds=target/debian
rm -rf "$builds" && mkdir -p "$builds"
for build in v2 v3 v4; do
    cp "$folder/zebu-$version-linux-x86-64-$build/zebu" "$builds/zebu-$build"
done
(cd "$folder/zebu-$version-linux-x86-64-v2" && cp zebu.1 completions/zebu.bash THIRD-PARTY.yaml "$OLDPWD/$builds/")
cargo deb --no-build --no-strip --output "$packages/"
