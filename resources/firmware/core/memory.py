"""Keeps in flash what a board must not forget: presses until the station has them, what it shows, its background.

The log alternates between two files. A file begins with the whole state, up to a mark; each change is then one record with
a checksum. A full file is followed by the other one, which counts only once its mark is written.
"""
import struct
from core.frames import crc32

FILES, SLOTS, LIMIT, HELD, RECENT = ("log0", "log1"), 6, 4096, 64, 8
START, VIEW, BACK, REPORT, ACK, MARK, OVER = range(1, 8)
NONE = 255


class Report:
    """A press, or with `button` None an end. `at`: when, on the clock of this run. `since`: time since the press before, or None."""

    def __init__(self, counter, token, button, hold, quantity, at, since=None):
        self.counter, self.token, self.button, self.hold = counter, token, button, hold
        self.quantity, self.at, self.since = quantity, at, since

    def ends(self):
        return self.token != 0 and self.button in (None, 0)


class View:
    """What the worker sees. `count`: what plus and minus have made of `quantity`, which is in the picture."""

    FORM = "<IIBBIIIIIBBB"

    def __init__(self):
        self.token = self.seconds = self.most = self.led = self.color = self.brightness = 0
        self.checksum = self.slot = self.count = self.quantity = None
        self.fixed = False

    def pack(self):
        has = (self.checksum is not None) | (self.count is not None) << 1 | (self.quantity is not None) << 2
        slot = NONE if self.slot is None else self.slot
        return struct.pack(self.FORM, self.token, self.checksum or 0, has, slot, self.seconds, self.quantity or 0,
                           self.count or 0, self.most, self.color, self.led, self.brightness, self.fixed)

    def unpack(self, data):
        token, checksum, has, slot, seconds, quantity, count, most, color, led, brightness, fixed = (
            struct.unpack(self.FORM, data)
        )
        self.token, self.seconds, self.most, self.color = token, seconds, most, color
        self.led, self.brightness, self.fixed = led, brightness, fixed != 0
        self.checksum = checksum if has & 1 else None
        self.count = count if has & 2 else None
        self.quantity = quantity if has & 4 else None
        self.slot = None if slot == NONE else slot
        return self

    def end(self):
        """Of the command. The picture stays until the next one."""
        self.token = self.led = self.seconds = 0
        self.count = None


class Memory:
    """`flash` has read(name) -> bytes or None, write(name, data) and append(name, data); these raise OSError."""

    def __init__(self, flash, random32):
        self.flash = flash
        self.held, self.over, self.view, self.back = [], [], View(), None
        self.generation = self.size = self.file = 0
        self.acked = self.told = 0
        self.is_broken = True  # the file cannot be appended to
        self.epoch = self.counter = self.pressed = None
        self._load()
        if self.epoch is None:
            self.epoch, self.counter = random32(), 0

    # -- Changes: in flash when the call returns. On OSError nothing has changed. --

    def report(self, token, button, hold, quantity, at):
        is_press = button is not None
        since = max(0, at - self.pressed) if is_press and self.pressed is not None else None
        report = Report(self.counter + 1, token, button, hold, quantity, at, since)
        self._write(REPORT, self._report(report))
        if is_press:
            self.pressed = at
        self._reported(report)
        return report

    def show(self, view):
        self._write(VIEW, view.pack())
        self.view = view

    def keep(self, checksum, slot):
        self._write(BACK, struct.pack("<IB", checksum, slot))
        self.back = (checksum, slot)

    def acknowledge(self, counter):
        """Stored with the next change, to halve the writes. The station recognizes a repeated report."""
        self.acked = counter
        self._drop()

    def is_full(self):
        return len(self.held) >= HELD

    # -- Pictures --

    def save(self, checksum, packing, data, busy):
        """Answers the slot: none that is known here, or `busy`."""
        used = [self.view.slot, self.back and self.back[1]] + busy
        slot = [each for each in range(SLOTS) if each not in used][0]
        head = struct.pack("<IBHI", checksum, packing, len(data), crc32(data))
        self.flash.write("picture%d" % slot, head + bytes(data))
        return slot

    def load(self, slot, checksum):
        """Packing and pixels, or None."""
        data = None if slot is None else self.flash.read("picture%d" % slot)
        if data is None or len(data) < 11:
            return None
        named, packing, size, crc = struct.unpack_from("<IBHI", data, 0)
        pixels = memoryview(data)[11:]
        good = named == checksum and len(pixels) == size and crc32(pixels) == crc
        return (packing, pixels) if good else None

    # -- The log --

    def _report(self, report):
        button = NONE if report.button is None else report.button
        has = report.quantity is not None
        return struct.pack("<IIBBBI", report.counter, report.token, button, report.hold, has, report.quantity or 0)

    def _reported(self, report):
        self.held.append(report)
        self.counter = report.counter
        view = self.view
        if report.ends():
            self.over.append(report.token)
            if len(self.over) > HELD + RECENT:
                self.over.pop(0)
            if view.token == report.token:
                view.end()
        elif report.token != 0 and view.token == report.token and report.quantity is not None:
            view.count = report.quantity

    def _drop(self):
        while self.held and self.held[0].counter <= self.acked:
            self.held.pop(0)

    def _write(self, kind, body):
        record = pack(kind, body)
        if self.acked != self.told:
            record = pack(ACK, struct.pack("<I", self.acked)) + record
        if not self.is_broken and self.size + len(record) <= LIMIT:
            self.is_broken = True  # where half of it is written
            self.flash.append(FILES[self.file], record)
            self.size += len(record)
        else:
            self._begin(record)
        self.is_broken = False
        self.told = self.acked

    def _begin(self, record):
        """The other file, from the start, with this record."""
        ending = [report.token for report in self.held if report.ends()]
        recent = [token for token in self.over if token not in ending][-RECENT:]
        parts = [pack(START, struct.pack("<III", self.generation + 1, self.epoch, self.counter))]
        parts += [pack(REPORT, self._report(report)) for report in self.held]
        parts += [pack(OVER, struct.pack("<I", token)) for token in recent]
        if self.back:
            parts.append(pack(BACK, struct.pack("<IB", *self.back)))
        parts += [pack(VIEW, self.view.pack()), pack(MARK, b""), record]
        data = b"".join(parts)
        self.flash.write(FILES[1 - self.file], data)
        self.generation, self.file, self.size = self.generation + 1, 1 - self.file, len(data)

    def _load(self):
        logs = [self.flash.read(name) or b"" for name in FILES]
        starts = [generation(log) for log in logs]
        if starts[0] is None and starts[1] is None:
            return
        self.file = 1 if starts[0] is None or (starts[1] is not None and starts[1] > starts[0]) else 0
        self.generation = starts[self.file]
        log, other = logs[self.file], logs[1 - self.file]
        self.size, self.is_broken = len(log), False
        for kind, body in records(log):
            if kind is None:
                self.is_broken = True
            else:
                self._replay(kind, body)
        self._drop()
        self.told = self.acked
        if self.is_broken:
            self.counter += 1  # the last report may be what cannot be read
        if other and starts[1 - self.file] is None:
            self.counter += LIMIT  # more than a file has: in case the newer one is what cannot be read

    def _replay(self, kind, body):
        if kind == START:
            _, self.epoch, self.counter = struct.unpack("<III", body)
        elif kind == REPORT:
            counter, token, button, hold, has, quantity = struct.unpack("<IIBBBI", body)
            last = self.counter
            button = None if button == NONE else button
            self._reported(Report(counter, token, button, hold, quantity if has else None, 0))
            self.counter = max(last, counter)
        elif kind == VIEW:
            self.view = View().unpack(body)
        elif kind == BACK:
            self.back = struct.unpack("<IB", body)
        elif kind == ACK:
            self.acked = struct.unpack("<I", body)[0]
        elif kind == OVER:
            self.over.append(struct.unpack("<I", body)[0])


def pack(kind, body):
    return struct.pack("<BB", len(body), kind) + body + struct.pack("<I", crc32(body, kind))


def records(log):
    """Yields kind and body of each record, and (None, None) once for damaged bytes."""
    view, at, is_lost = memoryview(log), 0, False
    while at < len(log):
        end = at + 6 + log[at]
        if end <= len(log) and struct.unpack_from("<I", log, end - 4)[0] == crc32(view[at + 2 : end - 4], log[at + 1]):
            yield log[at + 1], bytes(view[at + 2 : end - 4])
            at, is_lost = end, False
            continue
        if not is_lost:
            yield None, None
        at, is_lost = at + 1, True


def generation(log):
    """Of a file that is whole up to its mark; else None."""
    number = None
    for kind, body in records(log):
        if kind == START:
            number = struct.unpack_from("<I", body, 0)[0]
        elif kind == MARK:
            return number
        elif kind is None:
            return None
    return None
