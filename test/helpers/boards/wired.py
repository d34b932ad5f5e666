"""Models of panels, and the wiring by their manufacturers. Nothing here comes from our firmware.

Sources: pimoroni/pimoroni-pico (drivers/uc8151, pico_graphics_pen_1bitY.cpp, picographics.cpp), pimoroni/badger2040 (pins.csv,
badger2040.py), Elecrow's example programs for the CrowPanel 2.9 (spi.h, EPD_Init.cpp, EPD.cpp, 2.9_key.ino), and the data sheets of
both chips.
"""
LONG, SHORT = 296, 128
PANELS, LIGHTS = [], []

BADGER = {"chip": "rp2040", "panel": "UC8151", "sck": 18, "mosi": 19, "cs": 17, "dc": 20, "reset": 21, "busy": 26, "power": 10}
GENERIC = {"sck": 10, "mosi": 11, "cs": 9, "dc": 8, "reset": 14, "busy": 13, "power": None, "panel": "SSD1680"}
# `source`: the first output of the chip that is wired to the glass.
BOARDS = {
    "badger2040": dict(BADGER, led=[25]),
    "badger2040w": dict(BADGER, led=[22]),
    "esp32s3": {
        "chip": "esp32s3", "panel": "SSD1680", "sck": 12, "mosi": 11, "cs": 45, "dc": 46, "reset": 47, "busy": 48, "power": 7,
        "source": 0, "led": [41],
    },
    "generic": dict(GENERIC, chip="rp2040", source=8),
    "generic on esp32s3": dict(GENERIC, chip="esp32s3", source=8),
}  # fmt: skip


class Wires:
    """Receives bytes only over the panel's own wires, while it is selected and has power."""

    def __init__(self, wires):
        self.wires, self.busy_pin, self.busy_until = wires, wires["busy"], 0
        self.said, self.number, self.data, self.now = [], None, bytearray(), 0

    def pin(self, number, value, now):
        self.now = now
        wires = self.wires
        if number == wires["reset"] and value == 0:
            self.end()
            self.said.append("reset")
            self.busy_until = 0
            self.reset()
        elif number == wires["cs"] and value == 1:
            self.end()

    def write(self, sck, mosi, pins, data):
        wires = self.wires
        has_power = wires["power"] is None or pins.get(wires["power"]) == 1
        if (sck, mosi) != (wires["sck"], wires["mosi"]) or pins.get(wires["cs"]) != 0 or not has_power:
            return
        if pins.get(wires["dc"]) == 0:
            self.end()
            self.number = data[0]
        else:
            self.data += data

    def end(self):
        """Runs a command once its data is complete."""
        if self.number is None:
            return
        number, data = self.number, bytes(self.data)
        self.number, self.data = None, bytearray()
        shown = "".join(" %02x" % byte for byte in data) if len(data) < 50 else " [%d]" % len(data)
        self.said.append("%02x%s" % (number, shown))
        if self.now < self.busy_until and number not in self.WHILE_BUSY:
            raise AssertionError("command %02x while the panel is busy" % number)
        self.take(number, data)

    def put(self, x, y, is_black):
        at, mask = y * 37 + (x >> 3), 128 >> (x & 7)
        self.screen[at] = self.screen[at] | mask if is_black else self.screen[at] & ~mask & 255

    def wait(self, ms):
        self.busy_until = max(self.busy_until, self.now) + ms


class UC8151(Wires):
    """Wiring of the glass: a pixel is at x = gate and y = source output, as in the manufacturer's driver with PSR 0x97."""

    busy_level = 0
    WHILE_BUSY = ()

    def __init__(self, wires):
        Wires.__init__(self, wires)
        self.screen = bytearray(LONG * SHORT // 8)
        self.refreshes = []  # milliseconds of each
        self.reset()

    def reset(self):
        self.registers, self.ram, self.is_on, self.tables = {0x00: b"\x0f"}, bytes(4736), False, {}

    def take(self, number, data):
        if 0x20 <= number <= 0x24:
            if len(data) != (44 if number == 0x20 else 42):
                raise AssertionError("a table of %d bytes" % len(data))
            self.tables[number] = data
        elif number == 0x04:
            self.is_on = True
            self.wait(40)
        elif number == 0x02:
            self.is_on = False
            self.wait(20)
        elif number == 0x13:
            self.ram = data
        elif number == 0x12:
            self.refresh()
        else:
            self.registers[number] = data

    def refresh(self):
        if not self.is_on:
            raise AssertionError("a refresh without power")
        psr = self.registers[0x00][0]
        if psr >> 6 != 2 or not psr & 0x10 or not psr & 2:
            raise AssertionError("PSR %02x: not 128 x 296 in black and white with the booster on" % psr)
        # DDX sets the meaning of a bit in the picture: here 1 is white.
        if self.registers[0x50][0] >> 4 & 3 != 1:
            raise AssertionError("CDI inverts")
        for row in range(LONG):
            gate = LONG - 1 - row if psr & 8 else row  # UD: 1 scans up
            for at in range(SHORT):
                source = at if psr & 4 else SHORT - 1 - at  # SHL: 1 shifts right
                bit = self.ram[row * 16 + (at >> 3)] >> (7 - (at & 7)) & 1
                self.put(gate, source, 1 - bit)
        ms = 4500 if not psr & 0x20 else frames(self.tables[0x20]) * 1000 // HZ[self.registers[0x30][0]]
        self.refreshes.append(ms)
        self.wait(ms)


HZ = {0x3C: 50, 0x3A: 100, 0x39: 200}


def frames(table):
    """Counts the frames of a waveform. Each of its seven phases has a byte of levels, four frame counts and a repeat count."""
    return sum(sum(table[at + 1 : at + 5]) * table[at + 5] for at in range(0, 42, 6))


class SSD1680(Wires):
    """Wiring of the glass: a pixel is at y = source output and x = 295 - gate, as in Elecrow's examples."""

    busy_level = 1
    WHILE_BUSY = ()

    def __init__(self, wires):
        Wires.__init__(self, wires)
        self.screen = bytearray(LONG * SHORT // 8)
        self.refreshes = []
        self.ram = {0x24: bytearray(4736), 0x26: bytearray(4736)}
        self.reset()

    def reset(self):
        self.registers = {0x11: b"\x03", 0x21: b"\x00\x00", 0x44: b"\x00\x15", 0x45: b"\x00\x00\x27\x01"}
        self.x = self.y = 0
        self.wait(1)

    def take(self, number, data):
        if number == 0x12:
            self.reset()
        elif number in (0x24, 0x26):
            self.fill(self.ram[number], data)
        elif number == 0x4E:
            self.x = data[0]
        elif number == 0x4F:
            self.y = data[0] | data[1] << 8
        elif number == 0x20:
            self.refresh()
        else:
            self.registers[number] = data

    def fill(self, ram, data):
        """Writes from the current address in the direction of register 0x11, within the window."""
        mode = self.registers[0x11][0]
        x, y = self.registers[0x44], self.registers[0x45]
        first_x, last_x = x[0], x[1]
        first_y, last_y = y[0] | y[1] << 8, y[2] | y[3] << 8
        step_x, step_y = (1 if mode & 1 else -1), (1 if mode & 2 else -1)
        for byte in data:
            ram[self.y * 16 + self.x] = byte
            if mode & 4:
                if self.y == last_y:
                    self.y = first_y
                    self.x = first_x if self.x == last_x else self.x + step_x
                else:
                    self.y += step_y
            elif self.x == last_x:
                self.x = first_x
                self.y = first_y if self.y == last_y else self.y + step_y
            else:
                self.x += step_x

    def refresh(self):
        sequence = self.registers[0x22][0]
        if sequence & 0xC4 != 0xC4:
            raise AssertionError("sequence %02x: no clock, no power or no picture" % sequence)
        if self.registers[0x01] != b"\x27\x01\x00":
            raise AssertionError("not 296 gates from the first")
        # The first byte of the memory drives the first output of the mode: S0, or S8.
        source = 8 if self.registers[0x21][1] & 0x80 else 0
        shift = source - self.wires["source"]
        is_partial = sequence & 8
        ram, old = self.ram[0x24], self.ram[0x26]
        for gate in range(LONG):
            for at in range(SHORT):
                place = gate * 16 + (at >> 3)
                bit = ram[place] >> (7 - (at & 7)) & 1
                if is_partial and old[place] >> (7 - (at & 7)) & 1 == bit:
                    continue  # this waveform drives only pixels that differ from the old picture
                y = at + shift
                if 0 <= y < SHORT:
                    self.put(LONG - 1 - gate, y, 1 - bit)
        ms = 300 if is_partial else 2000
        self.refreshes.append(ms)
        self.wait(ms)


CHIPS = {"UC8151": UC8151, "SSD1680": SSD1680}


def connect(board):
    wires = BOARDS[board]
    PANELS[:] = [CHIPS[wires["panel"]](wires)]
    LIGHTS[:] = []


def seen():
    """Returns what a person sees on the panel: 128 rows of 37 bytes, where 1 is black."""
    return PANELS[0].screen
