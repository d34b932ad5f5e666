"""A 2.9 inch panel of 128 x 296 pixels with an SSD1680. Values as in Elecrow's examples for the CrowPanel 2.9, where not said.

`bus` has command(number, *data), block(number, data), reset(), busy() and sleep_ms(ms).
"""
from boards.turned import TOP_FIRST, TOP_LAST, turn

RESET, OUTPUT, ENTRY, BORDER, SENSOR, CONTROL = 0x12, 0x01, 0x11, 0x3C, 0x18, 0x21
WINDOW_X, WINDOW_Y, AT_X, AT_Y, NEW, OLD, SEQUENCE, START = 0x44, 0x45, 0x4E, 0x4F, 0x24, 0x26, 0x22, 0x20
# 0x01: 296 gates (0x127 + 1), from the first to the last (TB 0), in order (SM 0), beginning with G0 (GD 0).
GATES = (0x27, 0x01, 0x00)
# 0x11, bit 2 AM: along the gates first; bit 1: gates up; bit 0: sources up. Elecrow's examples draw x = 295 - gate, y = source; turned
# by half a circle it is the other way round in both.
TOWARDS_FIRST_GATE, TOWARDS_LAST_GATE = 0x05, 0x06
# 0x18: the sensor within the chip. 0x3C: the border follows the waveform of white (VBD 00, GS 01).
WITHIN, WHITE_BORDER = 0x80, 0x01
# 0x22, bits 7 to 0: clock on, power on, read the temperature, load the waveform, mode 2 (partial), display, power off, clock off.
FULL, PARTIAL = 0xF7, 0xFF
# 0x21, second byte, bit 7: the first byte of the memory drives the source S8. Not in Elecrow's examples; in GxEPD2 for bare panels.
FROM_S8 = 0x80


class SSD1680:
    poll_ms = 10

    def __init__(self, bus, full_every=10, flip=False, source=0, full=FULL, partial=PARTIAL):
        self.bus, self.full_every, self.flip, self.source, self.full, self.partial = bus, full_every, flip, source, full, partial
        self.out = bytearray(4736)
        self.is_new = False

    def start(self, picture, is_full):
        """Begins a refresh. `picture`: 296 x 128, 1 is black; the panel has 1 for white."""
        turn(picture, self.out, TOP_LAST if self.flip else TOP_FIRST)
        bus = self.bus
        bus.reset()
        self._wait()
        bus.command(RESET)
        self._wait()
        bus.command(OUTPUT, *GATES)
        # The picture comes row by row of eight pixels, so the panel turns it.
        if self.flip:
            bus.command(ENTRY, TOWARDS_LAST_GATE)
            bus.command(WINDOW_X, 0x0F, 0x00)
            bus.command(WINDOW_Y, 0x00, 0x00, 0x27, 0x01)
        else:
            bus.command(ENTRY, TOWARDS_FIRST_GATE)
            bus.command(WINDOW_X, 0x00, 0x0F)
            bus.command(WINDOW_Y, 0x27, 0x01, 0x00, 0x00)
        bus.command(BORDER, WHITE_BORDER)
        bus.command(SENSOR, WITHIN)
        if self.source:
            bus.command(CONTROL, 0x00, FROM_S8)
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
        self.bus.command(AT_X, 0x0F if self.flip else 0x00)
        self.bus.command(AT_Y, *((0x00, 0x00) if self.flip else (0x27, 0x01)))
        self.bus.block(number, self.out)

    def _wait(self):
        for _ in range(100):
            if not self.bus.busy():
                return
            self.bus.sleep_ms(1)
        raise OSError("the panel does not answer")
