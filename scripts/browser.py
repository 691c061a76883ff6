"""Runs Chromium without a window, with the standard library alone: opens a page, evaluates expressions in it and photographs it
over the pipe of the DevTools.

The tests of the player and scripts/draw_player.py use it. WebGL is drawn in software.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--force-device-scale-factor=1",
)


def found():
    """The path of Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A context manager. `complaints` holds the warnings and errors that pages wrote to their console, and their exceptions."""

    def __init__(self, width=960, height=640, seconds=600):
        self.complaints, self._seconds, self._number, self._rest = [], seconds, 0, b""
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        move = lambda: (os.dup2(to_read, 3), os.dup2(to_write, 4))  # noqa: E731
        keep = [os.dup(to_read), os.dup(to_write)]  # these are above 4, whatever descriptors were free
        while min(to_read, to_write) <= 4:
            to_read, to_write = os.dup(to_read), os.dup(to_write)
        self._process = subprocess.Popen(
            [found(), *FLAGS, f"--user-data-dir={self._home.name}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=move, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for descriptor in {to_read, to_write, *keep}:
            os.close(descriptor)
        self._session = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _message(self, until):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, until - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("the browser does not answer" if not ready else "the browser ended")
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _hear(self, message):
        method, said = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.complaints.append(said["entry"]["text"])

    def _ask(self, method, **arguments):
        self._number += 1
        message = {"id": self._number, "method": method, "params": arguments}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self._seconds
        while True:
            answer = self._message(until)
            self._hear(answer)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path, fragment=""):
        """Opens a file with the part of the address after #, and waits until it is loaded."""
        self._ask("Page.navigate", url="about:blank")
        self._ask("Page.navigate", url=f"file://{os.path.abspath(path)}#{fragment}")
        while self.ask("location.protocol + document.readyState") != "file:complete":
            time.sleep(0.02)

    def ask(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise. Raises RuntimeError with the exception that it threw."""
        answer = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def picture(self):
        """A picture of the page as PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._session = None
        try:
            os.write(self._write, b'{"id": 0, "method": "Browser.close"}\0')
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._home.cleanup()
