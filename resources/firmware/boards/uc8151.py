"""A 2.9 inch panel of 128 x 296 pixels with a UC8151. Values and their order as in Pimoroni's driver for its Badgers.

`bus` is that of ssd1680.py. A full refresh uses the waveform in the panel: slow, without ghosts. Others use `waveform`.
"""
from boards.turned import ALONG, TOP_FIRST, turn

PANEL, POWER, OFF, POWER_OFF_TIME, ON, BOOST = 0x00, 0x01, 0x02, 0x03, 0x04, 0x06
STOP, REFRESH, NEW, LUTS, PLL, SENSOR, INTERVAL, TCON, WHOLE = 0x11, 0x12, 0x13, 0x20, 0x30, 0x41, 0x50, 0x60, 0x92
# 0x00: bits 7 and 6, 128 x 296; bit 5, waveforms from the registers; bit 4, black and white; bit 3 UD, scan up; bit 2 SHL, shift right;
# bit 1, booster on; bit 0, no reset.
UPRIGHT, TURNED, OUR_WAVES = 0x80 | 0x10 | 0x04 | 0x02 | 0x01, 0x80 | 0x10 | 0x08 | 0x02 | 0x01, 0x20
# 0x01: VDS and VDG from within; VCOM from VD, gates +-16 V; VDH, VDL and VDHR 11 V.
VOLTAGES = (0x03, 0x00, 0x2B, 0x2B, 0x2B)
# 0x06, for each of three phases: soft start of 10 ms (bits 7 and 6), strength 3 (bits 5 to 3), off for 6.58 us (bits 2 to 0).
SOFT_START = (0x17, 0x17, 0x17)
# 0x03: power off within 1 frame. 0x41: the sensor within, offset 0. 0x60: the same gap between gates and sources as after a reset.
ONE_FRAME, WITHIN, GAPS = 0x00, 0x00, 0x22
# 0x50: border floats (VBD 10), 1 is white (DDX 01), interval 12.
WHITE_IS_1 = 0x9C
HZ_100 = 0x3A
# What VCOM and the pixels get that stay white, become white, become black and stay black, in each of three phases. Both ways to white are
# the same, so the panel need not know the old picture.
LEVELS = ((0x00, 0x00, 0x00), (0x54, 0x60, 0xA8), (0x54, 0x60, 0xA8), (0xA8, 0x60, 0x54), (0xA8, 0x60, 0x54))
# Of each phase: frames of its four levels and how often it is repeated. At 100 Hz: 2.5, 0.9 and 0.3 s.
WAVEFORMS = {
    "medium": ((22, 22, 13, 0, 1), (35, 35, 0, 0, 2), (22, 22, 13, 0, 1)),
    "fast": ((4, 4, 7, 0, 1), (12, 12, 0, 0, 2), (4, 4, 7, 0, 2)),
    "turbo": ((1, 1, 2, 0, 1), (2, 2, 0, 0, 2), (2, 2, 3, 0, 2)),
}


def tables(waveform):
    """Yields the number of each register and its bytes: seven phases of six bytes, of VCOM also two more."""
    for number, levels in enumerate(LEVELS):
        table = bytearray(44 if number == 0 else 42)
        for phase, times in enumerate(WAVEFORMS[waveform]):
            table[phase * 6] = levels[phase]
            table[phase * 6 + 1 : phase * 6 + 6] = bytes(times)
        yield LUTS + number, table


class UC8151:
    poll_ms = 10

    def __init__(self, bus, full_every=20, flip=False, waveform="fast"):
        self.bus, self.full_every, self.waveform = bus, full_every, waveform
        self.setting = TURNED if flip else UPRIGHT
        self.out, self.rows = bytearray(4736), bytearray(4736)
        self.is_on = False

    def start(self, picture, is_full):
        """Begins a refresh. `picture`: 296 x 128, 1 is black; the panel has 1 for white."""
        bus = self.bus
        turn(picture, self.out, TOP_FIRST)
        # The panel takes one row of its short side after the other.
        out, rows = self.out, self.rows
        for page in range(16):
            at = page * ALONG
            for to in range(page, 4736, 16):
                rows[to] = out[at]
                at += 1
        bus.reset()
        self._wait()
        bus.command(PANEL, self.setting if is_full else self.setting | OUR_WAVES)
        if not is_full:
            for number, table in tables(self.waveform):
                bus.block(number, table)
        bus.command(POWER, *VOLTAGES)
        bus.command(ON)
        self._wait()
        bus.command(BOOST, *SOFT_START)
        bus.command(POWER_OFF_TIME, ONE_FRAME)
        bus.command(SENSOR, WITHIN)
        bus.command(TCON, GAPS)
        bus.command(INTERVAL, WHITE_IS_1)
        bus.command(PLL, HZ_100)
        bus.command(WHOLE)
        bus.block(NEW, rows)
        bus.command(STOP)
        bus.command(REFRESH)
        self.is_on = True

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
