"""Skipping tests, like tests/shared/skip.rs in Rust."""

import os
import sys


def skip(need, reason):
    """Reports a skipped test, or fails if ZEBU_REQUIRE names its need."""
    required = os.environ.get("ZEBU_REQUIRE", "").split()
    if need in required or "all" in required:
        sys.exit(f"ZEBU_REQUIRE names {need}: {reason}")
    print(f"skipped, without {need}: {reason}", file=sys.stderr)
