"""A 2.9 inch panel of 128 x 296 pixels with a UC8151, by the commands of its data sheet.

`bus` is that of ssd1680.py. The waveforms of the panel itself are safe and slow. `fast` uses ours, which no panel has run yet.
"""
from boards.turned import ALONG, turn

PANEL, POWER, OFF, ON, BOOST, OLD, REFRESH, NEW, LUTS = 0x00, 0x01, 0x02, 0x04, 0x06, 0x10, 0x12, 0x13, 0x20
PLL, SENSOR, INTERVAL, TCON, SIZE = 0x30, 0x41, 0x50, 0x60, 0x61
# What VCOM and the pixels get that stay white, become white, become black and stay black; each for 20 frames.
FAST = (0x00, 0x00, 0x80, 0x40, 0x00)
FRAMES = 20


class UC8151:
    poll_ms = 10

    def __init__(self, bus, full_every=10, flip=False, fast=False):
        self.bus, self.full_every, self.flip, self.fast = bus, full_every, flip, fast
        self.out, self.row = bytearray(4736), bytearray(4736)
        self.has_old = self.is_on = False
        self.old = bytearray(4736)

    def start(self, picture, is_full):
        """Begins a refresh. `picture`: 296 x 128, 1 is black; the panel has 1 for white."""
        bus = self.bus
        is_fast = self.fast and not is_full and self.has_old
        turn(picture, self.out, self.flip)
        # The panel takes one row of its short side after the other.
        out, row = self.out, self.row
        for along in range(ALONG):
            to = along * 16
            for page in range(16):
                row[to + 15 - page] = out[page * ALONG + along]
        bus.reset()
        self._wait()
        bus.command(PANEL, 0xBF if is_fast else 0x9F)
        bus.command(POWER, 0x03, 0x00, 0x2B, 0x2B, 0x2B)
        bus.command(BOOST, 0x17, 0x17, 0x17)
        bus.command(PLL, 0x3C)
        bus.command(SIZE, 0x80, 0x01, 0x28)
        bus.command(TCON, 0x22)
        bus.command(INTERVAL, 0x97)
        if is_fast:
            for number, level in enumerate(FAST):
                table = bytearray(44 if number == 0 else 42)
                table[0], table[1], table[5] = level, FRAMES, 1
                bus.block(LUTS + number, table)
        bus.command(ON)
        self._wait()
        self.is_on = True
        bus.block(OLD, self.old if self.has_old else row)
        bus.block(NEW, row)
        bus.command(REFRESH)
        self.old[:] = row
        self.has_old = True

    def busy(self):
        if self.bus.busy():
            return True
        if self.is_on:
            self.is_on = False
            self.bus.command(OFF)
        return False

    def _wait(self):
        for _ in range(500):
            if not self.bus.busy():
                return
            self.bus.sleep_ms(1)
        raise OSError("the panel does not answer")
