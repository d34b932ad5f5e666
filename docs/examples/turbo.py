#!/usr/bin/env python3
"""A turbo with virtual devices, as a starting point for firmware. ../turbo-protocol.md explains the protocol.

    PICKSTATION_TURBO_SECRET=my-key python3 turbo.py --tcp 127.0.0.1:PORT --user turbo-1
    python3 turbo.py --serial /dev/ttyUSB0
    python3 turbo.py --self-test

While it runs, each line on its standard input is an action of a worker or an event at a device:
`press ID`, `hold ID` (a long press), `plus ID`, `minus ID`, `away ID` (out of reach of the radio) and `back ID`.

For firmware authors: frames, session and requests run on the turbo. `Device` runs on the devices; a radio replaces the calls
between the two. With --state, a file replaces the flash memory of the devices, so that held presses survive a restart of this
program.
"""
import argparse
import heapq
import json
import os
import random
import re
import selectors
import socket
import ssl
import struct
import sys
import termios
import time
import tty
import zlib
from collections import OrderedDict, deque

PROTOCOL, WINDOW, FIRMWARE, HEARTBEAT_MS = 1, 32, 1, 5000
HELD_REPORTS, HELD_SHOWN, KEPT_ANSWERS, ENDED_S = 64, 4, 256, 60
HALF_FRAME, REFUSED_PAUSE, BUSY_PAUSE, RECONNECT_PAUSE = 1.0, 30.0, 1.0, 1.0
MAX_PAYLOAD, REPLY = 8192, 1
CAN_DRAW_FIELDS, CAN_DRAW_BITMAPS, BITMAP_BYTES = 1, 2, 128 * 37

# ---- Messages: a field is a name and a type; a type is a word of the page, or (kind, what the kind is of). ----

STATUSES = "ok unknownDevice unreachable busy unsupported malformed refused alreadyEnded contentMissing".split()
WELCOMES = "accepted wrongVersion refused notSignedIn numberTaken".split()
ARROWS = "left right top bottom topleft topright bottomleft bottomright".split()
FORMS = {
    "same": [],
    "fields": [("label", "text8"), ("lines", ("list", "text8")), ("quantity", ("optional", "u32")),
               ("arrow", ("optional", ("enum", ARROWS))), ("barcode", "text8"), ("qrcode", "text8"), ("icon", "text8")],
    "bitmap": [("packing", ("enum", ["raw", "packBits"])), ("pixels", "bytes16")],
}
REPORT = [("device", "deviceId"), ("epoch", "u32"), ("counter", "u32"), ("token", "u32")]
SHORT, LONG = (1.5, 1.5), (1.5, 10.0)
# name: (id, fields, seconds until the first repetition and the longest between two; None where nothing answers it)
MESSAGES = {
    "hello": (0x01, [("protocol", "u8"), ("serialNumber", "text8"), ("name", "text8"), ("firmware", "u16"),
                     ("bootId", "u32"), ("uptimeS", "u32"), ("window", "u8"), ("username", ("optional", "text8")),
                     ("secret", ("optional", "text8"))], (1.0, 1.0)),
    "welcome": (0x02, [("protocol", "u8"), ("status", ("enum", WELCOMES)),
                       ("sessionId", "u32"), ("heartbeatMs", "u16"), ("window", "u8")], None),
    "heartbeat": (0x03, [("uptimeS", "u32")], SHORT),
    "ack": (0x04, [("status", ("enum", STATUSES))], None),
    "show": (0x10, [("device", "deviceId"), ("token", "u32"), ("checksum", "u32"), ("seconds", "u32"),
                    ("quantity", ("optional", "u32")), ("led", ("enum", ["off", "steady", "blink"])), ("color", "rgb"),
                    ("brightness", "u8"), ("fixedBrightness", "bool"), ("sound", "text16"), ("screen", "screen")], LONG),
    "shown": (0x11, [("device", "deviceId"), ("token", "u32"), ("checksum", "u32"), ("ageMs", "u32")], LONG),
    "button": (0x12, REPORT + [("button", ("enum", ["front", "plus", "minus"])), ("hold", ("enum", ["short", "long"])),
                               ("ageMs", "u32"), ("quantity", ("optional", "u32")), ("sinceMs", ("added", "u32"))], LONG),
    "ended": (0x13, REPORT + [("ageMs", "u32"), ("quantity", ("optional", "u32"))], LONG),
    "keep": (0x14, [("device", "deviceId"), ("checksum", "u32"), ("screen", "screen")], LONG),
    "deviceStatus": (0x20, [("device", "deviceId"), ("epoch", "u32"), ("firmware", "u16"), ("buttons", "u8"),
                            ("capabilities", "u8"), ("batteryMv", "u16"), ("rssiDbm", "i8"), ("uptimeS", "u32"),
                            ("shownToken", "u32"), ("shownChecksum", ("optional", "u32")),
                            ("remainingMs", ("optional", "u32")), ("reachable", "bool"),
                            ("pendingToken", ("optional", "u32")), ("pendingChecksum", ("optional", "u32")),
                            ("backgroundChecksum", ("optional", "u32"))], LONG),
    "sync": (0x21, [], LONG),
    "synced": (0x22, [("devices", "u16")], None),
}
NAMES = {number: name for name, (number, _, _) in MESSAGES.items()}
FORM = ("enum", list(FORMS))
NUMBERS = {"u8": ("<B", 0, 255), "u16": ("<H", 0, 65535), "u32": ("<I", 0, 2**32 - 1), "i8": ("<b", -128, 127),
           "bool": ("<?", False, True)}


class Malformed(Exception):
    pass


def encode(kind, value):
    if isinstance(kind, tuple):
        kind, of = kind
        if kind == "optional":
            return b"\0" if value is None else b"\1" + encode(of, value)
        if kind == "added":  # the last field: nothing is written if the value is absent
            return b"" if value is None else b"\1" + encode(of, value)
        if kind == "list":
            return encode("u8", len(value)) + b"".join(encode(of, each) for each in value)
        return encode("u8", of.index(value))
    if kind in NUMBERS:
        form, low, high = NUMBERS[kind]
        return struct.pack(form, max(low, min(high, int(value))))
    if kind == "rgb":
        return value.to_bytes(3, "big")
    if kind == "deviceId":
        return bytes.fromhex(value.replace(":", ""))
    if kind == "screen":
        return encode(FORM, value["form"]) + encode_fields(FORMS[value["form"]], value)
    data = value if kind == "bytes16" else value.encode()
    return encode("u8" if kind == "text8" else "u16", len(data)) + data


def encode_fields(fields, values):
    return b"".join(encode(kind, values.get(name)) for name, kind in fields)


def decode(kind, data):
    """Removes a value from the beginning of `data`, a bytearray, and returns it."""
    if isinstance(kind, tuple):
        kind, of = kind
        if kind in ("optional", "added"):  # at the end of a payload the byte of an absent value may be missing
            return decode(of, data) if data and decode("u8", data) else None
        number = decode("u8", data)
        if kind == "list":
            return [decode(of, data) for _ in range(number)]
        if number >= len(of):
            raise Malformed
        return of[number]
    if kind in NUMBERS:
        form = NUMBERS[kind][0]
        return struct.unpack(form, take(struct.calcsize(form), data))[0]
    if kind == "rgb":
        return int.from_bytes(take(3, data), "big")
    if kind == "deviceId":
        digits = take(6, data).hex().upper()
        return f"{digits[:6]}:{digits[6:]}"
    if kind == "screen":
        form = decode(FORM, data)
        return {"form": form, **decode_fields(FORMS[form], data)}
    octets = take(decode("u8" if kind == "text8" else "u16", data), data)
    return octets if kind == "bytes16" else octets.decode(errors="replace")


def decode_fields(fields, data):
    """Ignores bytes after the last field: a newer station may send more fields."""
    return {name: decode(kind, data) for name, kind in fields}


def take(count, data):
    if count > len(data):
        raise Malformed
    octets = bytes(data[:count])
    del data[:count]
    return octets


def unpack_bits(data):
    out, at = bytearray(), 0
    while at < len(data):
        n, at = data[at], at + 1
        if n < 128:
            out += data[at:at + n + 1]
            at += n + 1
        elif n > 128:
            out += data[at:at + 1] * (257 - n)
            at += 1
    return bytes(out)


# ---- Frames ----

def frame(name, values, seq, flags=0):
    number, fields, _ = MESSAGES[name]
    payload = encode_fields(fields, values)
    head = struct.pack("<BBHH", number, flags, seq, len(payload))
    body = head + struct.pack("<H", zlib.crc32(head) & 0xFFFF) + payload
    return b"\xa5\x5a" + body + struct.pack("<I", zlib.crc32(body))


class FrameReader:
    """Finds frames in a stream that arrives in any pieces and may have lost or changed bytes. Skips damaged data byte by byte,
    so that it does not lose a good frame after it."""

    def __init__(self):
        self.data = bytearray()
        self.arrived = deque()  # (how many bytes from the beginning, when), to know how old the first byte is
        self.skipped = 0

    def feed(self, data, now):
        self.data += data
        self.arrived.append([len(self.data), now])

    def drop(self, count):
        del self.data[:count]
        for piece in self.arrived:
            piece[0] -= count
        while self.arrived and self.arrived[0][0] <= 0:
            self.arrived.popleft()

    def frames(self, now):
        """Yields (type, flags, seq, payload)."""
        while self.data:
            size = self.size()
            if size is None and now - self.arrived[0][1] < HALF_FRAME:
                return  # the rest is on its way
            if size:
                number, flags, seq = struct.unpack_from("<BBH", self.data, 2)
                payload = bytes(self.data[10:size - 4])
                self.drop(size)
                yield number, flags, seq, payload
                continue
            # Skip to the next byte that can begin a frame.
            start = self.data.find(b"\xa5", 1)
            count = start if start > 0 else len(self.data)
            self.skipped += count
            self.drop(count)

    def size(self):
        """The size of the frame at the first byte. 0: no frame. None: too few bytes to decide."""
        data = self.data
        if data[:2] != b"\xa5\x5a"[:len(data)]:
            return 0
        if len(data) < 10:
            return None
        length, check = struct.unpack_from("<HH", data, 6)
        if length > MAX_PAYLOAD or check != zlib.crc32(data[2:8]) & 0xFFFF:
            return 0
        if len(data) < length + 14:
            return None
        good = zlib.crc32(data[2:10 + length]) == struct.unpack_from("<I", data, 10 + length)[0]
        return length + 14 if good else 0

    def waits_until(self):
        return self.arrived[0][1] + HALF_FRAME if self.arrived else None


class Timers:
    def __init__(self):
        self.heap, self.count = [], 0

    def after(self, seconds, act):
        self.count += 1
        timer = [time.monotonic() + seconds, self.count, act]
        heapq.heappush(self.heap, timer)
        return timer

    @staticmethod
    def cancel(timer):
        if timer:
            timer[2] = None

    def run(self, now):
        while self.heap and (self.heap[0][0] <= now or self.heap[0][2] is None):
            act = heapq.heappop(self.heap)[2]
            if act:
                act()

    def next(self):
        return self.heap[0][0] if self.heap else None


# ---- Devices ----

class Device:
    # The fields in flash. Without them, a device has another epoch after a reset, and loses what it held.
    KEPT = "epoch counter token checksum content until count most led background held shown ended".split()

    def __init__(self, name, turbo, options):
        self.id, self.turbo, self.options = name, turbo, options
        self.buttons, self.capabilities, self.reachable = options.buttons, options.capabilities, True
        self.epoch, self.counter = random.getrandbits(32), 0
        self.token, self.checksum, self.content = 0, None, None  # what is on the screen
        self.until, self.count, self.most, self.led = None, None, 0, "off"
        self.pressed_at = None  # of this run of the program
        self.background = None  # (checksum, content)
        self.held = []  # presses and ends that the station has not stored yet, oldest first
        self.shown = []  # the newest four
        self.ended = []  # [token, when its report was acknowledged]
        self.pending = None  # accepted, but not on the screen yet
        self.drawing = self.timer = self.thumb = None
        # On the turbo: which reports are in flight, and whether the status is due.
        self.flying, self.status_due = set(), True

    def restore(self, kept):
        # The clock keeps running while this program is stopped, like that of a device while its turbo is away.
        for name in self.KEPT:
            setattr(self, name, kept[name])
        self.count_down()

    def kept(self):
        return {name: getattr(self, name) for name in self.KEPT}

    def take(self, show):
        """Accepts or refuses a `show` that came by radio. Returns the status of its `ack`."""
        if not self.reachable:
            return "unreachable"
        self.ended = [each for each in self.ended if each[1] is None or time.monotonic() - each[1] < ENDED_S]
        if any(token == show["token"] for token, _ in self.ended):
            return "alreadyEnded"
        if len(self.held) >= HELD_REPORTS:
            return "busy"
        content = self.drawable(show)
        if isinstance(content, str):
            return content
        if show["token"] == 0:
            self.background = [show["checksum"], content]
        self.draw({**show, "screen": content})
        return "ok"

    def keep(self, background):
        """Stores the background. Draws it at once if the background is on the screen, or about to be drawn."""
        if not self.reachable:
            return "unreachable"
        content = self.drawable(background)
        if isinstance(content, str):
            return content
        self.background = [background["checksum"], content]
        say(f"{self.id} keeps {' / '.join(content.get('lines', [content['form']]))!r}")
        if (self.pending or {"token": self.token})["token"] == 0:
            self.draw_background()
        self.turbo.unsaved = True
        return "ok"

    def drawable(self, message):
        """The content to draw, or the status that says why it cannot be drawn."""
        screen = message["screen"]
        if screen["form"] == "same":
            return self.known(message["checksum"]) or "contentMissing"
        if not self.capabilities & (CAN_DRAW_FIELDS if screen["form"] == "fields" else CAN_DRAW_BITMAPS):
            return "refused"
        if screen["form"] == "fields":
            return screen
        pixels = screen["pixels"] if screen["packing"] == "raw" else unpack_bits(screen["pixels"])
        return {"form": "bitmap", "pixels": pixels.hex()} if len(pixels) == BITMAP_BYTES else "malformed"

    def known(self, checksum):
        known = {self.checksum: self.content}
        if self.background:
            known[self.background[0]] = self.background[1]
        if self.pending:
            known[self.pending["checksum"]] = self.pending["screen"]
        return known.get(checksum)

    def draw(self, show):
        """Skips the refresh, which costs most of the energy, if the screen already has this content."""
        self.pending = show
        if not self.drawing:
            refresh = 0 if show["checksum"] == self.checksum else self.options.refresh_ms / 1000
            self.drawing = self.turbo.timers.after(refresh, self.drawn)
        self.turbo.unsaved = True

    def drawn(self):
        """Changes LED and token after the refresh, so that a press belongs to what the worker saw."""
        self.drawing, show, self.pending = None, self.pending, None
        if show is None:
            return
        # If the shown command changes, the count of the worker stays.
        if show["token"] != self.token or show["quantity"] is None or self.count is None:
            self.count = show["quantity"]
        self.most = max(999, show["quantity"] or 0)
        self.token, self.checksum, self.content, self.led = show["token"], show["checksum"], show["screen"], show["led"]
        self.until = time.monotonic() + show["seconds"] if show["token"] and show["seconds"] else None
        self.count_down()
        self.shown = (self.shown + [{"token": self.token, "checksum": self.checksum, "at": time.monotonic()}])[-HELD_SHOWN:]
        self.turbo.unsaved = True
        self.turbo.save()  # before the worker sees it
        text = " / ".join(self.content.get("lines", [self.content["form"]]))
        say(f"{self.id} shows {self.token}: {self.led} #{show['color']:06x} {text!r} {self.count if self.token else ''}")
        if self.token and self.options.press_after is not None:
            Timers.cancel(self.thumb)
            self.thumb = self.turbo.timers.after(self.options.press_after / 1000, lambda: self.press("front"))

    def count_down(self):
        Timers.cancel(self.timer)
        self.timer = None
        if self.until is not None:
            self.timer = self.turbo.timers.after(max(0, self.until - time.monotonic()), self.time_is_up)

    def press(self, button, hold="short"):
        if button != "front" and self.buttons == 1:
            return say(f"{self.id} has no {button} button")
        if len(self.held) >= HELD_REPORTS:
            return say(f"{self.id} is full and refuses the press")  # its LED flickers white
        if button != "front" and self.token and self.count is not None:
            self.count = max(0, min(self.most, self.count + (1 if button == "plus" else -1)))
        pressed_before, self.pressed_at = self.pressed_at, time.monotonic()
        since = None if pressed_before is None else (self.pressed_at - pressed_before) * 1000
        self.report("button", button=button, hold=hold, sinceMs=since)

    def time_is_up(self):
        # Held even if 64 reports are: at most one more, because a full device accepts no `show`.
        self.report("ended")

    def report(self, name, **more):
        self.counter += 1
        count = self.count if self.token else None
        self.held.append({"name": name, "counter": self.counter, "token": self.token, "at": time.monotonic(),
                          "quantity": count, **more})
        token = self.token
        if token and more.get("button", "front") == "front":
            self.end()
        self.turbo.unsaved = True
        self.turbo.save()  # before the light goes out
        say(f"{self.id} {more.get('button', name)} of {token}, report {self.counter}")

    def acknowledged(self, kind, report):
        getattr(self, kind)[:] = [each for each in getattr(self, kind) if each is not report]
        for each in self.ended:
            if each[0] == report["token"] and each[1] is None and kind == "held" and report.get("button") in (None, "front"):
                each[1] = time.monotonic()
        self.turbo.unsaved = True

    def end(self):
        self.ended.append([self.token, None])
        token, self.token, self.led, self.until, self.count = self.token, 0, "off", None, None
        self.count_down()
        if self.pending and self.pending["token"] == token:
            self.pending = None  # a late change of the command that has just ended
        if not self.pending and self.background:
            self.draw_background()
        elif not self.pending:
            self.checksum = self.content = None  # a blank screen
        self.turbo.unsaved = True

    def draw_background(self):
        checksum, content = self.background
        self.draw({"token": 0, "checksum": checksum, "screen": content, "seconds": 0, "quantity": None,
                   "led": "off", "color": 0})

    def status(self):
        remaining = None if self.until is None else max(0, self.until - time.monotonic()) * 1000
        pending = self.pending or {}
        return {"device": self.id, "epoch": self.epoch, "firmware": FIRMWARE, "buttons": self.buttons,
                "capabilities": self.capabilities, "batteryMv": 3000, "rssiDbm": -60,
                "uptimeS": self.turbo.uptime(), "shownToken": self.token, "shownChecksum": self.checksum,
                "remainingMs": remaining, "reachable": self.reachable, "pendingToken": pending.get("token"),
                "pendingChecksum": pending.get("checksum"),
                "backgroundChecksum": self.background[0] if self.background else None}


# ---- Links: read and write without waiting ----

class TcpLink:
    def __init__(self, options):
        # Firmware has to connect without waiting, because a worker can press meanwhile.
        host, _, port = options.tcp.rpartition(":")
        host = host.strip("[]")
        self.socket = socket.create_connection((host, int(port)), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if options.tls:
            context = ssl.create_default_context(cafile=options.ca)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            self.socket = context.wrap_socket(self.socket, server_hostname=host)
        self.socket.setblocking(False)
        self.read, self.write = lambda: self.socket.recv(65536), self.socket.send
        self.fileno, self.close = self.socket.fileno, self.socket.close


class SerialLink:
    def __init__(self, options):
        self.file = os.open(options.serial, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            tty.setraw(self.file)  # 8 bits, no parity, no echo, no translation of any byte
            settings = termios.tcgetattr(self.file)
            settings[2] = settings[2] & ~(termios.CSTOPB | termios.CRTSCTS) | termios.CLOCAL | termios.CREAD
            settings[4] = settings[5] = getattr(termios, f"B{options.baud}")
            termios.tcsetattr(self.file, termios.TCSANOW, settings)
            termios.tcflush(self.file, termios.TCIOFLUSH)
        except termios.error as error:
            self.close()
            raise OSError(*error.args) from error

    def read(self):
        return os.read(self.file, 65536)

    def write(self, data):
        return os.write(self.file, data)

    def fileno(self):
        return self.file

    def close(self):
        os.close(self.file)


# ---- The turbo ----

class Request:
    def __init__(self, name, values, answered, key=None):
        self.name, self.values, self.answered, self.key = name, values, answered, key
        self.wait, self.longest = MESSAGES[name][2]
        self.timer = None


class Turbo:
    def __init__(self, options):
        self.options, self.timers, self.selector = options, Timers(), selectors.PollSelector()
        self.boot, self.started = random.getrandbits(32), time.monotonic()
        self.seq = random.randrange(65536)
        self.link = self.pulse = self.watch = None
        self.reader, self.output, self.written, self.leaving = FrameReader(), bytearray(), 0, deque()
        self.requests, self.devices, self.not_before, self.interval = {}, {}, 0, HEARTBEAT_MS / 1000
        self.forget()
        count, first = options.devices, int(options.first.replace(":", ""), 16)
        names = [f"{first + n:012X}" for n in range(count)]
        for name in (f"{n[:6]}:{n[6:]}" for n in names):
            self.devices[name] = Device(name, self, options)
        self.load()

    def uptime(self):
        return time.monotonic() - self.started

    def load(self):
        self.unsaved = False
        try:
            with open(self.options.state or os.devnull, encoding="utf-8") as file:
                for name, kept in json.loads(file.read() or "{}").items():
                    if name in self.devices:
                        self.devices[name].restore(kept)
        except FileNotFoundError:
            pass

    def save(self):
        """Called before anything is sent. Replaces the file only when the new one is complete."""
        if self.unsaved and self.options.state:
            with open(self.options.state + ".new", "w", encoding="utf-8") as file:
                json.dump({name: device.kept() for name, device in self.devices.items()}, file)
            os.replace(self.options.state + ".new", self.options.state)
        self.unsaved = False

    # -- The link --

    def connect(self):
        self.reader, self.output, self.written, self.leaving = FrameReader(), bytearray(), 0, deque()
        try:
            self.link = TcpLink(self.options) if self.options.tcp else SerialLink(self.options)
        except OSError as error:
            return self.reconnect(error)
        self.selector.register(self.link, selectors.EVENT_READ, self.link_event)
        self.hello()

    def reconnect(self, reason):
        """Retries without end, after a random pause, so that not all turbos connect to a restarted station at once."""
        say(f"No link: {reason}")
        if self.link:
            self.selector.unregister(self.link)
            self.link.close()
        self.link = None
        self.forget()
        pause = max(RECONNECT_PAUSE * random.uniform(1, 2), self.not_before - time.monotonic())
        self.timers.after(pause, self.connect)

    def forget(self):
        """Clears the state of the session. The devices keep theirs."""
        for timer in [self.pulse, self.watch, *(request.timer for request in self.requests.values())]:
            Timers.cancel(timer)
        self.requests, self.handling, self.answers, self.syncs = {}, set(), OrderedDict(), []
        self.session, self.window = None, 1
        for device in self.devices.values():
            device.flying, device.status_due = set(), False

    def link_event(self, events):
        try:
            if events & selectors.EVENT_WRITE:
                count = self.link.write(self.output)
                del self.output[:count]
                self.written += count
            while True:
                data = self.link.read()
                if not data:
                    return self.reconnect("the other side has closed it")
                self.reader.feed(data, time.monotonic())
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError as error:
            return self.reconnect(error)
        # The time until a repetition begins when the bytes have been sent, because a slow port can have a queue.
        while self.leaving and self.leaving[0][0] <= self.written:
            request = self.leaving.popleft()[1]
            request.timer = self.timers.after(request.wait, lambda request=request: self.repeat(request))
            request.wait = min(request.wait * 2, request.longest)

    # -- Requests of the turbo --

    def request(self, name, values, answered=lambda status: None, key=None):
        """Calls `values` for each transmission, so that ages are correct."""
        while self.seq in self.requests:
            self.seq = (self.seq + 1) % 65536
        request = self.requests[self.seq] = Request(name, values, answered, key)
        request.seq, self.seq = self.seq, (self.seq + 1) % 65536
        self.transmit(request)

    def transmit(self, request):
        self.output += frame(request.name, request.values(), request.seq)
        self.leaving.append((self.written + len(self.output), request))

    def repeat(self, request):
        if self.requests.get(request.seq) is request:
            self.transmit(request)

    def reply(self, seq, name, values):
        answer = frame(name, values, seq, REPLY)
        self.handling.discard(seq)
        self.answers[seq] = answer
        while len(self.answers) > KEPT_ANSWERS:
            self.answers.popitem(last=False)
        self.output += answer

    def hello(self):
        """Begins a session, without requests of an earlier one."""
        self.forget()
        self.heard = time.monotonic()
        self.watch = self.timers.after(3 * self.interval, self.silent)
        secret = os.environ.get("PICKSTATION_TURBO_SECRET") if self.options.tcp else None
        self.request("hello", lambda: {
            "protocol": PROTOCOL, "serialNumber": self.options.serial_number, "name": self.options.name,
            "firmware": FIRMWARE, "bootId": self.boot, "uptimeS": self.uptime(), "window": WINDOW,
            "username": self.options.user if secret else None, "secret": secret})

    def welcome(self, body):
        if body["status"] != "accepted":
            say(f"The station says {body['status']}")
            Timers.cancel(self.watch)
            self.not_before = time.monotonic() + REFUSED_PAUSE
            self.pulse = self.timers.after(REFUSED_PAUSE, self.hello)
            return
        self.session, self.window = body["sessionId"], max(1, body["window"])
        self.interval = body["heartbeatMs"] / 1000
        self.pulse = self.timers.after(self.interval, self.heartbeat)
        say("Welcome")

    def heartbeat(self):
        self.pulse = self.timers.after(self.interval, self.heartbeat)
        # An unanswered heartbeat is repeated anyway.
        if not any(request.name == "heartbeat" for request in self.requests.values()):
            self.request("heartbeat", lambda: {"uptimeS": self.uptime()})

    def silent(self):
        left = self.heard + 3 * self.interval - time.monotonic()
        if left > 0:
            self.watch = self.timers.after(left, self.silent)
        elif self.options.tcp:
            self.reconnect("silence")
        else:
            self.hello()

    # -- Received frames --

    def received(self, number, flags, seq, payload):
        name = NAMES.get(number)
        self.heard = time.monotonic()
        try:
            body = decode_fields(MESSAGES[name][1], bytearray(payload)) if name else None
        except Malformed:
            body = None
        if flags & REPLY:
            request = self.requests.get(seq)
            # The reply to `hello` is `welcome`, to everything else `ack`. Ignore replies that fit no request.
            if request and body and name == ("welcome" if request.name == "hello" else "ack"):
                Timers.cancel(self.requests.pop(seq).timer)
                self.answered(request, name, body)
            return
        if self.session is None or seq in self.handling:
            return
        if seq in self.answers:
            self.output += self.answers[seq]
            return
        self.handling.add(seq)
        if name in ("show", "keep", "sync") and body is None:
            self.reply(seq, "ack", {"status": "malformed"})
        elif name in ("show", "keep"):
            device = self.devices.get(body["device"])
            take = device and (device.take if name == "show" else device.keep)
            self.reply(seq, "ack", {"status": take(body) if take else "unknownDevice"})
        elif name == "sync":
            self.sync(seq)
        else:
            self.reply(seq, "ack", {"status": "unsupported"})

    def answered(self, request, name, body):
        if name == "welcome":
            self.welcome(body)
        elif body["status"] == "refused":
            say("The session is over")
            self.hello()
        else:
            request.answered(body["status"])

    def sync(self, seq):
        self.syncs.append((seq, set(self.devices.values())))
        for device in self.devices.values():
            device.status_due = True

    # -- Reports of the devices --

    def pump(self):
        """Sends presses before everything else. An eighth of the window is reserved for them."""
        if self.session is None:
            return
        for device in self.devices.values():
            if len(self.requests) >= self.window:
                return
            if device.held and device.reachable and "held" not in device.flying:
                self.tell(device, "held", device.held)
        for device in self.devices.values():
            if len(self.requests) >= self.window - self.window // 8:
                return
            if device.shown and device.reachable and "shown" not in device.flying:
                self.tell(device, "shown", device.shown)
            # After everything that the device holds: until then, the station sends it no `show`.
            silent = not device.reachable or not (device.held or device.shown)
            if device.status_due and silent and "status" not in device.flying:
                self.tell_status(device)
        for seq, waiting in self.syncs[:]:
            if not waiting:
                self.syncs.remove((seq, waiting))
                self.reply(seq, "synced", {"devices": len(self.devices)})

    def tell(self, device, kind, reports):
        report = reports[0]
        device.flying.add(kind)

        def values():
            age = max(0, time.monotonic() - report["at"]) * 1000
            return {"device": device.id, "epoch": device.epoch, **report, "ageMs": age}

        def answered(status):
            if status in ("busy", "unreachable"):
                # Send the same report again later.
                self.timers.after(BUSY_PAUSE, lambda: device.flying.discard(kind))
                return
            if status != "ok":
                say(f"{device.id}: the station will never take {report}: {status}")
            device.flying.discard(kind)
            device.acknowledged(kind, report)

        self.request(report.get("name", "shown"), values, answered)

    def tell_status(self, device):
        device.status_due = False
        device.flying.add("status")
        status = device.status()

        def answered(_):
            device.flying.discard("status")
            for _, waiting in self.syncs if not device.status_due else []:
                waiting.discard(device)

        self.request("deviceStatus", lambda: status, answered)

    # -- The loop --

    def command(self, line):
        word, _, name = line.strip().partition(" ")
        device = self.devices.get(name.strip().upper())
        if device is None:
            say(f"No device of mine: {line.strip()}")
        elif word in ("press", "hold"):
            device.press("front", "long" if word == "hold" else "short")
        elif word in ("plus", "minus"):
            device.press(word)
        elif word in ("away", "back"):
            device.reachable, device.status_due = word == "back", self.session is not None
        else:
            say(f"press, hold, plus, minus, away or back, not {word}")

    def stdin_event(self, _):
        data = os.read(0, 65536)
        if not data:
            self.selector.unregister(0)
        *lines, self.line = (self.line + data.decode(errors="replace")).split("\n")
        for line in filter(str.strip, lines):
            self.command(line)

    def run(self):
        self.line = ""
        self.selector.register(0, selectors.EVENT_READ, self.stdin_event)
        self.connect()
        while True:
            if self.link:
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self.output else 0)
                self.selector.modify(self.link, events, self.link_event)
            half = self.reader.waits_until() if self.link else None
            due = min((at for at in (self.timers.next(), half) if at is not None), default=None)
            for key, events in self.selector.select(None if due is None else max(0, due - time.monotonic())):
                key.data(events)
            now = time.monotonic()
            for each in self.reader.frames(now) if self.link else ():
                self.received(*each)
            self.timers.run(now)
            self.save()
            self.pump()


def say(text):
    print(text, flush=True)


def self_test(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    vectors = re.findall(r"### Example of (\w+)\n+```\n(.*?)```\n+```json\n(.*?)```", text, re.S)
    # The messages of updates are for turbos that can be updated.
    vectors = [each for each in vectors if not each[0].startswith("update")]
    assert sorted(name for name, _, _ in vectors) == sorted(MESSAGES), "a vector for each message"
    for name, octets, values in vectors:
        wanted, values = bytes.fromhex(octets), json.loads(values)
        flags = REPLY if MESSAGES[name][2] is None else 0
        assert frame(name, values, 0x102, flags) == wanted, name
        # Before the frame: garbage, a false beginning and a corrupt copy; all byte by byte.
        corrupt = bytes([*wanted[:-1], wanted[-1] ^ 1])
        stream, reader, found = b"\xa5\x00\xa5\xa5\x5a" + corrupt + wanted, FrameReader(), []
        for byte in stream:
            reader.feed(bytes([byte]), 0)
            found += reader.frames(0)
        assert [each[:3] for each in found] == [(MESSAGES[name][0], flags, 0x102)], name
        assert decode_fields(MESSAGES[name][1], bytearray(found[0][3])) == values, name
        # Half a frame, then silence: the reader finds the next frame.
        reader, half = FrameReader(), wanted[:len(wanted) - 1]
        reader.feed(half, 0)
        assert list(reader.frames(0.9)) == []
        assert list(reader.frames(1.1)) == [] and reader.skipped >= len(half) - 1
        reader.feed(wanted, 2)
        assert len(list(reader.frames(2))) == 1, name
    assert unpack_bits(bytes([2, 1, 2, 3, 254, 9, 128])) == bytes([1, 2, 3, 9, 9, 9])
    say(f"{len(vectors)} vectors are right.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--tcp", metavar="HOST:PORT")
    way.add_argument("--serial", metavar="PATH")
    way.add_argument("--self-test", nargs="?", metavar="PAGE",
                     const=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "turbo-protocol.md"))
    parser.add_argument("--user", default="turbo", metavar="NAME")
    parser.add_argument("--tls", action="store_true", help="where the station speaks HTTPS")
    parser.add_argument("--ca", metavar="FILE", help="the certificate to trust")
    parser.add_argument("--baud", type=int, default=921600)
    parser.add_argument("--name", default="Turbo in Python")
    parser.add_argument("--serial-number", default="PY-1", metavar="TEXT")
    parser.add_argument("--devices", type=int, default=3, metavar="N")
    parser.add_argument("--first", default="7C0000:000001", metavar="ID", help="of the devices; they are numbered on")
    parser.add_argument("--buttons", type=int, default=3, choices=(1, 3))
    parser.add_argument("--capabilities", type=int, default=3, choices=(1, 2, 3), help="1: fields, 2: bitmaps, 3: both")
    parser.add_argument("--refresh-ms", type=int, default=1500, metavar="MS", help="how long a display draws")
    parser.add_argument("--press-after", type=int, metavar="MS", help="a worker who presses that long after it is lit")
    parser.add_argument("--state", metavar="FILE", help="the memory of the devices")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.self_test)
    Turbo(options).run()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
