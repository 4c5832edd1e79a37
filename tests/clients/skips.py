"""Tests that need what a machine may lack. tests/shared/skip.rs is its counterpart in Rust."""

import os
import sys


def skip(need, reason):
    """Says that a test is skipped, or fails if ZEBU_REQUIRE names what it needs."""
    required = os.environ.get("ZEBU_REQUIRE", "").split()
    if need in required or "all" in required:
        sys.exit(f"ZEBU_REQUIRE names {need}: {reason}")
    print(f"skipped, without {need}: {reason}", file=sys.stderr)
