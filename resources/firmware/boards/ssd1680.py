"""A 2.9 inch panel of 128 x 296 pixels with an SSD1680, by the commands of its data sheet.

`bus` has command(number, *data), block(number, data), reset(), busy() and sleep_ms(ms).
"""
from boards.turned import turn

RESET, OUTPUT, ENTRY, BORDER, SENSOR, CONTROL = 0x12, 0x01, 0x11, 0x3C, 0x18, 0x21
WINDOW_X, WINDOW_Y, AT_X, AT_Y, NEW, OLD, SEQUENCE, START, SLEEP = 0x44, 0x45, 0x4E, 0x4F, 0x24, 0x26, 0x22, 0x20, 0x10


class SSD1680:
    poll_ms = 10

    def __init__(self, bus, full_every=10, flip=False, full=0xF7, partial=0xFF):
        self.bus, self.full_every, self.flip, self.full, self.partial = bus, full_every, flip, full, partial
        self.out = bytearray(4736)
        self.is_new = False

    def start(self, picture, is_full):
        """Begins a refresh. `picture`: 296 x 128, 1 is black; the panel has 1 for white."""
        turn(picture, self.out, self.flip)
        bus = self.bus
        bus.reset()
        bus.command(RESET)
        self._wait()
        bus.command(OUTPUT, 0x27, 0x01, 0x00)
        # Along the long side first, and from the last column of bytes: so the picture lies on its side.
        bus.command(ENTRY, 0x06)
        bus.command(BORDER, 0x05 if is_full else 0x80)
        bus.command(CONTROL, 0x00, 0x80)
        bus.command(SENSOR, 0x80)
        bus.command(WINDOW_X, 0x0F, 0x00)
        bus.command(WINDOW_Y, 0x00, 0x00, 0x27, 0x01)
        self._write(NEW)
        if is_full:
            self._write(OLD)
        bus.command(SEQUENCE, self.full if is_full else self.partial)
        bus.command(START)
        self.is_new = True

    def busy(self):
        if self.bus.busy():
            return True
        if self.is_new:
            # What the next partial refresh compares with.
            self.is_new = False
            self._write(OLD)
        return False

    def _write(self, number):
        self.bus.command(AT_X, 0x0F)
        self.bus.command(AT_Y, 0x00, 0x00)
        self.bus.block(number, self.out)

    def _wait(self):
        for _ in range(100):
            if not self.bus.busy():
                return
            self.bus.sleep_ms(1)
        raise OSError("the panel does not answer")
