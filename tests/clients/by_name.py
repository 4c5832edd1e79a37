"""Games by a player's name at `zebu board`, from a server that answers as lichess and chess.com do.

The browser takes its address for theirs. ZEBU_SHOTS names a folder for pictures.
"""

import http.server
import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from browser import View, with_browser
from skips import skip

ENGINE = sys.argv[1]
GAMES = (Path(__file__).parent.parent / "coach" / "games.pgn").read_text()
MONTHS = "https://api.chess.com/pub/player/ann/games"


class Sites(http.server.BaseHTTPRequestHandler):
    """lichess, which streams, and chess.com, which has months."""

    asked = []

    def log_message(self, *_):
        pass

    def answer(self, status, *parts, length=None):
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(length or sum(map(len, parts))))
        self.end_headers()
        for part in parts:
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(0.1)

    def do_GET(self):
        self.asked.append(self.path)
        path = urlsplit(self.path).path
        name = path.split("/")[4 if path.startswith("/api") else 3]
        games = GAMES.replace("2026.03", "2026.04").encode() if "/2026/" in path else GAMES.encode()
        if name == "busy":
            self.answer(429)
        elif name == "nobody":
            self.answer(404)
        elif path.endswith("archives"):
            months = [f"{MONTHS}/2026/{month:02}" for month in (10, 11)]
            self.answer(200, json.dumps({"archives": months}).encode())
        elif "since" in parse_qs(urlsplit(self.path).query):
            self.answer(200, b"")
        elif name == "broken":
            # The connection ends in the middle.
            self.answer(200, games[:900], length=len(games))
        else:
            self.answer(200, games[:500], games[500:])


def serve(folder):
    """Starts the server with a certificate of its own. Returns its port."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", key, "-out", certificate, "-subj", "/CN=lichess.org"]
    subprocess.run(command, check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sites)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def fetch(view, site, name):
    place = 'document.querySelector("#welcome .bring")'
    view.run('location.hash = "#start"')
    view.until('$("welcome").checkVisibility()')
    view.press(site)
    view.run(f"""(() => {{ const field = {place}.querySelector("input:not([type])");
        field.value = {json.dumps(name)}; field.dispatchEvent(new Event("input")); }})()""")
    view.press("Fetch")


def use(folder, browser):
    command = [ENGINE, "board", "--no-open", "--port", "0"]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder)}
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    browser.call("Network.enable")
    view = View(browser)
    try:
        address = program.stdout.readline().split()[-1]
        browser.open(address)
        begun = time.monotonic()
        fetch(view, "lichess", "ann")
        view.until("location.hash === '#coach'")
        view.until("document.body.innerText.includes(' of ann')")
        view.until("/reviewed|[1-9][0-9]* reviewed/.test(document.querySelector('.who').innerText)")
        view.until("+document.querySelector('.rail [data-mode=coach]').dataset.due > 0")
        print(f"by_name: from the name to a first exercise {time.monotonic() - begun:.1f} s")
        # Only new games are asked for, unless all are wanted.
        fetch(view, "lichess", "ann")
        view.until("$('notice').innerText.includes('ann has no new games there.')")
        assert "since=" in Sites.asked[-1], Sites.asked
        fetch(view, "chess.com", "Ann")
        view.until("$('notice').innerText.includes('of Ann')")
        assert [path.split("/")[-2:] for path in Sites.asked[-2:]] == [["11", "pgn"], ["10", "pgn"]]
        for site, name, wanted in [
            ("lichess", "nobody", "lichess knows no player nobody."),
            ("chess.com", "busy", "chess.com asks to wait: try again in a minute."),
            ("lichess", "broken", "The connection to lichess broke."),
            ("lichess", "", "Type your user name there."),
        ]:
            fetch(view, site, name)
            view.until(
                f"document.querySelector('#welcome .bring .wrong').innerText.includes({json.dumps(wanted)})"
            )
        view.shot("by-name")
        sites = {urlsplit(url).netloc for url in browser.asked if url.startswith("http")}
        assert sites == {urlsplit(address).netloc, "lichess.org", "api.chess.com"}, sites
        assert not browser.errors, browser.errors
    finally:
        program.kill()


def main():
    if not shutil.which("openssl"):
        return skip("openssl", "no openssl in PATH")
    with tempfile.TemporaryDirectory() as folder:
        port = serve(Path(folder))
        sites = ",".join(
            f"MAP {site} 127.0.0.1:{port}" for site in ("lichess.org", "api.chess.com")
        )
        with_browser(use, f"--host-resolver-rules={sites}", "--ignore-certificate-errors")


main()
