"""The time of day. A chip without a battery for its clock wakes in the year 2000, when no certificate is valid yet.

The installer writes the time into config.json, and each welcome of the station renews it.
"""
import struct
import time
from core.frames import crc32

NAME, DAY_S, EPOCH_2000_S = "clock", 86400, 946684800


class Clock:
    """`rtc` is a machine.RTC. Times are seconds since 1970, UTC. Flash gets at most one write a day."""

    def __init__(self, rtc, flash, installed):
        self.rtc, self.flash, self.installed = rtc, flash, installed or 0
        self.saved = self._load()
        self.is_doubted = False

    def catch_up(self):
        """Call it before a connection: sets the clock to the last known time, unless it is ahead of that."""
        known = self.installed if self.is_doubted else max(self.installed, self.saved)
        if known and (self.is_doubted or self.rtc.datetime()[:3] < datetime(known)[:3]):
            self.rtc.datetime(datetime(known))

    def doubt(self):
        """The certificate was refused. The station's clock may have been wrong once, so every second attempt uses the installer's time."""
        self.is_doubted = not self.is_doubted
        if not self.is_doubted and self.saved:
            self.rtc.datetime(datetime(self.saved))

    def renew(self, seconds):
        """The time of the station, unless this chip cannot count so far: some end in 2038."""
        try:
            self.rtc.datetime(datetime(seconds))
        except (OverflowError, ValueError):
            return
        self.is_doubted = False
        if abs(seconds - self.saved) >= DAY_S:
            self.saved = seconds
            data = struct.pack("<I", seconds)
            try:
                self.flash.write(NAME, data + struct.pack("<I", crc32(data)))
            except OSError:
                pass  # known until the next power cut

    def _load(self):
        data = self.flash.read(NAME) or b""
        if len(data) != 8 or struct.unpack_from("<I", data, 4)[0] != crc32(bytes(data[:4])):
            return 0
        return struct.unpack_from("<I", data, 0)[0]


def datetime(seconds):
    """As machine.RTC has it. Some chips count their seconds from 2000."""
    year, month, day, hour, minute, second, weekday = time.gmtime(seconds - epoch())[:7]
    return (year, month, day, weekday, hour, minute, second, 0)


def epoch():
    return EPOCH_2000_S if time.gmtime(0)[0] == 2000 else 0
