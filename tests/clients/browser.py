"""Drives chromium, or what ZEBU_BROWSER names. ZEBU_SHOTS names a folder for pictures."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from skips import skip

SHOTS = os.environ.get("ZEBU_SHOTS")
# A busy machine reviews games slowly.
DEADLINE = 300.0


def find():
    """Finds the browser's program."""
    names = [os.environ.get("ZEBU_BROWSER", ""), "chromium", "chromium-browser", "google-chrome"]
    return next((program for program in map(shutil.which, filter(None, names)) if program), None)


def with_browser(use, *options):
    """Calls `use` with a new folder and a browser with options, which are gone afterwards, or skips the test."""
    program = find()
    if not program:
        skip("browser", "no Chromium in PATH")
        return
    with tempfile.TemporaryDirectory(prefix="zebu-browser-", ignore_cleanup_errors=True) as folder:
        folder = Path(folder)
        browser = Browser(program, folder / "profile", options)
        try:
            use(folder, browser)
        finally:
            browser.close()


class Browser:
    """Chromium, driven through its debugging pipe."""

    def __init__(self, program, folder, options=()):
        to_read, self.output = os.pipe()
        self.input, to_write = os.pipe()
        command = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--mute-audio",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
            *options,
        ]
        shell = ["sh", "-c", f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}', *command]
        self.process = subprocess.Popen(
            shell, pass_fds=(to_read, to_write), stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.errors, self.asked, self.session = b"", 0, [], [], None
        self.tab()

    def tab(self):
        """Opens a tab and drives it from now on. Returns the session of the previous one."""
        before, self.session = self.session, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Page.setDownloadBehavior", behavior="deny")
        return before

    def message(self):
        while b"\0" not in self.buffer:
            read = os.read(self.input, 1 << 16)
            if not read:
                raise SystemExit("the browser is gone")
            self.buffer += read
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"])
        return message

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                # The page that was asked is gone for the next one: it has no answer.
                if "navigated" in answer.get("error", {}).get("message", ""):
                    return {"result": {}}
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            self.errors.append(
                answer["exceptionDetails"].get("exception", {}).get("description", "an error")
            )
        return answer["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        while (
            self.run("document.readyState") != "complete"
            or self.run("location.href") == "about:blank"
        ):
            time.sleep(0.02)
        # The history has no entry outside the page.
        self.call("Page.resetNavigationHistory")

    def mouse(self, kind, x, y, buttons=0, **more):
        button = "left" if kind in ("mousePressed", "mouseReleased") else "none"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=buttons,
            clickCount=1,
            **more,
        )

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def drag(self, start, end):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, 1)
        self.mouse("mouseMoved", *end, 1)
        self.mouse("mouseReleased", *end)

    def touch(self, *places):
        self.call(
            "Input.dispatchTouchEvent",
            type="touchStart",
            touchPoints=[{"x": places[0][0], "y": places[0][1]}],
        )
        for x, y in places[1:]:
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key):
        more = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def close(self):
        self.process.kill()
        self.process.wait()


class View:
    """The board's page as its user sees it."""

    def __init__(self, browser):
        self.browser, self.run = browser, browser.run

    def until(self, condition):
        """Waits until an expression is true in the page."""
        end = time.monotonic() + DEADLINE
        while not self.run(f"!!({condition})"):
            if self.browser.errors or time.monotonic() > end:
                self.shot("failed")
                raise SystemExit(
                    f"not so: {condition}; {self.browser.errors}\n{self.run('document.body.innerText')}"
                )
            time.sleep(0.02)

    def shot(self, name):
        if SHOTS:
            data = self.browser.call("Page.captureScreenshot", format="png")["data"]
            Path(SHOTS, f"{name}.png").write_bytes(base64.b64decode(data))

    def press(self, text):
        wanted = f"""[...(document.querySelector("dialog[open]") ?? document).querySelectorAll("button, a")].find((it) =>
            it.textContent.trim() === {json.dumps(text)} && it.checkVisibility())"""
        self.until(wanted)
        self.run(f"{wanted}.click()")
