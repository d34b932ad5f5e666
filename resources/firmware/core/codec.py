"""What a board reads and says: the messages of docs/turbo-protocol.md that a turbo with one device needs."""
import struct
from core.frames import u32

HELLO, WELCOME, HEARTBEAT, ACK, SHOW, SHOWN, BUTTON, ENDED, KEEP = 1, 2, 3, 4, 0x10, 0x11, 0x12, 0x13, 0x14
STATUS, SYNC, SYNCED, UPDATE, PART = 0x20, 0x21, 0x22, 0x30, 0x31
OK, UNKNOWN, UNREACHABLE, BUSY, UNSUPPORTED, MALFORMED, REFUSED, ALREADY_ENDED, MISSING, FULL, DAMAGED, FORGED = range(12)
SAME, FIELDS, BITMAP = range(3)
REPLY, PROTOCOL, WINDOW, CAN_DRAW_BITMAPS = 1, 1, 8, 2
CHALLENGED = 5
# From 67 on the station draws large elements and arrows in their corners.
FIRMWARE = 101


class Malformed(Exception):
    pass


class Cursor:
    """Reads a payload from the front."""

    def over(self, data):
        self.data, self.at, self.end = data, 0, len(data)
        return self

    def take(self, count):
        at = self.at
        if at + count > self.end:
            raise Malformed
        self.at = at + count
        return at

    def u8(self):
        return self.data[self.take(1)]

    def u16(self):
        return struct.unpack_from("<H", self.data, self.take(2))[0]

    def u32(self):
        return struct.unpack_from("<I", self.data, self.take(4))[0]

    def word(self, count):
        value = self.u8()
        if value >= count:
            raise Malformed
        return value

    def optional(self):
        return self.u32() if self.at < self.end and self.u8() else None

    def optional16(self):
        """Bytes with their length, or None."""
        return bytes(self.octets(self.u16())) if self.at < self.end and self.u8() else None

    def octets(self, count):
        at = self.take(count)
        return self.data[at : at + count]


class Show:
    """What is to be shown, or is. `source`: where its pixels are: the message, a slot of the flash, or nowhere."""

    def __init__(self):
        self.device = bytearray(6)
        self.sound = ""
        self.pixels = None
        self.dark()

    def dark(self):
        """Of a background: it lights nothing."""
        self.token = self.seconds = self.led = self.color = self.brightness = self.packing = 0
        self.checksum = self.quantity = self.slot = None
        self.fixed, self.sound, self.form = False, "", SAME
        self.is_seen = False  # lit before its picture
        return self

    def read(self, cursor, is_keep):
        """Fills it from a `show` or `keep`. `pixels` belong to the reader."""
        self.dark()
        self.device[:] = cursor.octets(6)
        self.pixels = None
        if not is_keep:
            self.token = cursor.u32()
        self.checksum = cursor.u32()
        if not is_keep:
            self.seconds, self.quantity, self.led = cursor.u32(), cursor.optional(), cursor.word(3)
            rgb = cursor.take(3)
            data = cursor.data
            self.color = data[rgb] << 16 | data[rgb + 1] << 8 | data[rgb + 2]
            self.brightness, self.fixed = cursor.u8(), cursor.u8() != 0
            size = cursor.u16()
            tune = cursor.octets(size)
            try:
                self.sound = bytes(tune).decode() if size else ""
            except UnicodeError:
                pass  # no tune
        self.form = cursor.word(3)
        if self.form == FIELDS:
            skip_fields(cursor)
        elif self.form == BITMAP:
            self.packing = cursor.word(2)
            self.pixels = cursor.octets(cursor.u16())


def skip_fields(cursor):
    cursor.take(cursor.u8())
    for _ in range(cursor.u8()):
        cursor.take(cursor.u8())
    cursor.optional()
    if cursor.at < cursor.end and cursor.u8():
        cursor.word(8)
    for _ in range(3):
        cursor.take(cursor.u8())


def put_hello(out, identity, boot, uptime, window, proof=None, software=None, update_nonce=None):
    """`identity`: serial number, name, user, secret; the last two None where the link has signed in, the last also with `proof`.
    `software`: of a board that can be updated; `update_nonce`: it takes only signed updates."""
    serial, name, user, secret = identity
    out.put("<B", PROTOCOL)
    out.text8(serial)
    out.text8(name)
    out.put("<HIIB", FIRMWARE, boot, u32(uptime), window)
    for text in (user, secret):
        out.put("<B", 0 if text is None else 1)
        if text is not None:
            out.text8(text)
    for octets in (proof and proof.nonce, proof and proof.answer):
        if octets is not None:
            out.put("<BH", 1, len(octets))
            out.octets(octets)
        elif software is not None:
            out.put("<B", 0)
    if software is not None:
        out.put("<B", 1)
        out.text8(software)
        if update_nonce is not None:
            out.put("<BH", 1, len(update_nonce))
            out.octets(update_nonce)


def put_shown(out, device, token, checksum, age):
    out.octets(device)
    out.put("<III", token, checksum, u32(age))


def put_report(out, device, epoch, report, age):
    """A press or an end, as `memory.Report`; answers the number of its message."""
    out.octets(device)
    out.put("<III", epoch, report.counter, report.token)
    if report.button is not None:
        out.put("<BB", report.button, report.hold)
    out.put("<I", u32(age))
    out.optional(report.quantity)
    if report.since is not None:
        out.optional(u32(report.since))
    return ENDED if report.button is None else BUTTON


def put_status(out, device, epoch, firmware, buttons, battery, rssi, uptime, shown, left, pending, back):
    """`shown` and `pending`: token and checksum; `pending` None: nothing is coming."""
    out.octets(device)
    rssi = max(-128, min(127, rssi))
    out.put("<IHBBHbI", epoch, firmware, buttons, CAN_DRAW_BITMAPS, min(65535, battery), rssi, u32(uptime))
    out.put("<I", shown[0])
    out.optional(shown[1])
    out.optional(left)
    out.put("<B", 1)
    out.optional(pending and pending[0])
    out.optional(pending and pending[1])
    out.optional(back)
