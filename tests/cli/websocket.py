"""A small WebSocket client, and a process that serves pages until it is told to end."""

import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from program import PATIENCE, SINEW

PAGE = "<html><body>the page</body></html>\n"


def get(url, **headers):
    """(status, body)"""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


class Serving:
    """sinew ARGUMENTS with a page of our own; `url` is what it printed, `hint` the line after that."""

    def __init__(self, case, *arguments):
        (case.folder / "viewer").mkdir(exist_ok=True)
        (case.folder / "viewer/index.html").write_text(PAGE)
        self.process = subprocess.Popen([SINEW, *map(str, arguments)], cwd=case.folder, text=True,
                                        env={**os.environ, "SINEW_VIEWER": str(case.folder / "viewer")},
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        case.addCleanup(self.close)
        shown = self.process.stderr if "--live" in arguments else self.process.stdout
        line = shown.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            raise AssertionError(f"no address is printed: {line}{self.process.communicate(timeout=PATIENCE)}")
        self.url = found.group()
        self.hint = "" if "--live" in arguments else shown.readline()

    def close(self):
        self.process.kill()
        self.process.communicate()

    def end(self, by=signal.SIGINT):
        """(exit code, rest of stdout, rest of stderr)"""
        self.process.send_signal(by)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


class Page:
    """A page that looks at what is being computed."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)
        self.stream = self.socket.makefile("rb")
        query = f"?{parts.query}" if parts.query else ""
        self.socket.sendall(f"GET /live{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: http://{parts.netloc}\r\n"
                            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode())
        self.signals = 1
        self.status = int(self.stream.readline().split()[1])
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def close(self):
        self.stream.close()
        self.socket.close()

    def send(self, **message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def messages(self):
        """Texts as objects, rows as (generation, list of rows); ends with the connection."""
        while True:
            head = self.stream.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if head[0] & 15 == 1:
                message = json.loads(data)
                self.signals = len(message.get("signals", "")) or self.signals
                yield message
            elif head[0] & 15 == 2:
                generation, count = struct.unpack_from("<II", data)
                numbers = struct.unpack_from(f"<{count * self.signals}d", data, 8)
                yield generation, [numbers[i:i + self.signals] for i in range(0, len(numbers), self.signals)]

    def next(self, kind):
        """The next message of this type, or the next "rows"."""
        for message in self.messages():
            if kind == ("rows" if isinstance(message, tuple) else message["type"]):
                return message
        raise AssertionError(f"the connection ends before {kind} comes")
