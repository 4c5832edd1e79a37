"""The list of licences of a release: texts that are missing are found in the crates."""

import tempfile
from pathlib import Path

import scripts  # noqa: F401 (puts scripts on the path)
from licences import completed

LIST = """root_name: zebu
third_party_libraries:
- package_name: queue
  package_version: 2.7.0
  license: LGPL-3.0-or-later OR MPL-2.0
  licenses:
  - license: LGPL-3.0-or-later
    text: NOT FOUND
  - license: MPL-2.0
    text: NOT FOUND
- package_name: other
  package_version: 1.0.0
  license: MIT
  licenses:
  - license: MIT
    text: |
      MIT
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        places = {("queue", "2.7.0"): folder}
        assert completed(LIST, places) == (LIST, ["queue"])
        (folder / "LGPL-3.0-or-later.txt").write_text("  Lesser\n\ntext\n")
        text, without = completed(LIST, places)
        wanted = "    text: |2-\n        Lesser\n\n      text\n  - license: MPL-2.0\n"
        assert wanted in text and not without, (text, without)
        assert text.count("NOT FOUND") == 1, text


main()
