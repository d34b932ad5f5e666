"""The stream of a turbo within a WebSocket, over any stream of bytes (RFC 6455)."""
import struct
from binascii import b2a_base64
from core.light import REFUSED

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
# Anybody can be between the board and the station: neither a pause without end nor all the memory.
LONGEST_PAUSE_S, LONGEST_CONTROL = 600, 125


def masked(kind, data, mask):
    """A whole frame of ours: each is short."""
    size = len(data)
    head = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254, size >> 8, size & 255))
    out = bytearray(head + mask + data)
    at = len(head) + 4
    for index in range(size):
        out[at + index] ^= mask[index & 3]
    return out


class WebSocket:
    is_network, says_secret, is_slow = True, False, False

    def __init__(self, link, random32, host, path, config):
        """Without a certificate to trust, the key is not sent: the hello signs in."""
        self.link, self.random32, self.head = link, random32, bytearray(14)
        sign_in = ""
        if config.get("ca"):
            basic = b2a_base64((config["user"] + ":" + config["key"]).encode()).strip().decode()
            sign_in = "Authorization: Basic %s\r\n" % basic
        else:
            path += "?sign_in=challenge"
        self.hello = (
            "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: %%s\r\n%s\r\n" % (path, host, sign_in)
        )
        self.pause, self.is_refused = 0, False

    @property
    def trouble(self):
        return REFUSED if self.is_refused else self.link.trouble

    def works(self):
        self.is_refused = False
        self.link.works()

    def random(self):
        return struct.pack("<I", self.random32())

    def start(self):
        self.answer, self.is_asked, self.is_up = b"", False, False
        self.pause = 0
        self.used = self.left = 0  # of a head that is half here; of the payload that is coming
        self.kind, self.out, self.small = 0, b"", b""
        self.link.start()

    def ready(self):
        if self.is_up:
            return True
        if not self.link.ready():
            return False
        if not self.is_asked:
            self.is_asked = True
            self.out = (self.hello % b2a_base64(self.random() + self.random() + self.random() + self.random()).strip().decode()).encode()
        self.flush()
        one = memoryview(self.head)[:1]
        # Byte by byte: what follows the answer is not of it.
        while self.link.read(one):
            self.answer += bytes(one)
            if self.answer[-4:] == b"\r\n\r\n":
                return self._answered()
            if len(self.answer) > 2048:
                raise OSError("no answer of a WebSocket")
        return False

    def _answered(self):
        lines = self.answer.decode().split("\r\n")
        self.answer = b""
        if lines[0].split(" ")[1:2] == ["101"]:
            self.is_up = True
            return True
        for line in lines:
            name, _, value = line.partition(":")
            if name.lower() == "retry-after" and value.strip().isdigit():
                self.pause = min(int(value), LONGEST_PAUSE_S) * 1000
        if lines[0].split(" ")[1:2] in (["401"], ["403"]):
            self.is_refused = True
        raise OSError(lines[0])

    def pause_ms(self):
        return self.pause

    def read(self, view):
        while True:
            if self.left and self.kind < CLOSE:
                count = self.link.read(view[: self.left] if self.left < len(view) else view)
                self.left -= count
                return count
            if self.left:
                part = bytearray(self.left)
                count = self.link.read(part)
                self.small += part[:count]
                self.left -= count
                if self.left:
                    return 0
                self._control()
            elif not self._next():
                return 0

    def _next(self):
        """The head of the next frame; whether it is here."""
        head = memoryview(self.head)
        while True:
            size = self.used and 2
            if self.used >= 2:
                size = 2 + {126: 2, 127: 8}.get(self.head[1] & 127, 0)
            if self.used >= 2 and self.used == size:
                break
            count = self.link.read(head[self.used : max(2, size)])
            if not count:
                return False
            self.used += count
        length = self.head[1]
        if length > 125:
            length = 0
            for at in range(2, self.used):
                length = length << 8 | self.head[at]
        self.kind, self.left, self.used, self.small = self.head[0] & 15, length, 0, b""
        if self.kind >= CLOSE and length > LONGEST_CONTROL:
            raise OSError("not a WebSocket")
        if not length and self.kind >= CLOSE:
            self._control()
        return True

    def _control(self):
        if self.kind == CLOSE:
            raise OSError("closed by the station")
        if self.kind == PING:
            self.out += masked(PONG, self.small, self.random())
            self.flush()

    def flush(self):
        if self.out:
            self.out = self.out[self.link.write(memoryview(self.out)) :]

    def write(self, view):
        self.flush()
        if self.out:
            return 0
        self.out = bytes(masked(BINARY, bytes(view), self.random()))
        self.flush()
        return len(view)

    def stop(self):
        self.link.stop()
