"""A board by its profile: which pins its panel, buttons, light and buzzer are at."""
import json
import os
import struct
import time

import machine
from boards.buttons import Buttons
from boards.files import Store
from core.clock import Clock
from flash import Files


HERE = __file__.rsplit("/", 1)[0]


def open_board(config):
    with open("%s/%s.json" % (HERE, config["profile"])) as file:
        return Board(json.load(file), config)


class Bus:
    """The wires of a panel."""

    def __init__(self, pins):
        out = machine.Pin.OUT
        self.cs, self.dc = machine.Pin(pins["cs"], out, value=1), machine.Pin(pins["dc"], out)
        self.rst, self.line = machine.Pin(pins["reset"], out, value=1), machine.Pin(pins["busy"], machine.Pin.IN)
        self.level = pins["busy_level"]
        # SPI always claims a MISO pin. Without this, it would claim a default pin that is in use.
        wires = {name: machine.Pin(pins[name]) for name in ("sck", "mosi", "miso") if name in pins}
        self.spi = machine.SPI(pins["spi"], baudrate=pins.get("baud", 4000000), **wires)
        self.sleep_ms = time.sleep_ms
        self.byte = bytearray(1)

    def command(self, number, *data):
        self.block(number, bytes(data))

    def block(self, number, data):
        self.byte[0] = number
        self.cs(0)
        self.dc(0)
        self.spi.write(self.byte)
        self.dc(1)
        if data:
            self.spi.write(data)
        self.cs(1)

    def reset(self):
        self.rst(0)
        time.sleep_ms(10)
        self.rst(1)
        time.sleep_ms(10)

    def busy(self):
        return self.line.value() == self.level


class Board:
    def __init__(self, profile, config):
        self.profile = profile
        for pin in profile.get("power", []):
            machine.Pin(pin, machine.Pin.OUT, value=1)
        self.panel = panel_of(profile["panel"])
        self.switches = Buttons(profile["buttons"], profile["pressed"])
        self.hands, self.down = self.switches.of, self.switches.down
        self.buttons = 3 if "plus" in profile["buttons"] else 1
        self.lamps = [lamp(pin) for pin in profile.get("led", [])]
        self.pixel = None
        if "neopixel" in profile:
            import neopixel

            self.pixel = neopixel.NeoPixel(machine.Pin(profile["neopixel"]), 1)
        self.buzzer = lamp(profile["buzzer"]) if "buzzer" in profile else None
        self.meter = machine.ADC(machine.Pin(profile["battery"]["pin"])) if "battery" in profile else None
        self.flash, self.store, self.versions = Files("memory"), Store(), None
        self.clock = Clock(machine.RTC(), self.flash, config.get("time"))
        self.link = link_of(config, profile, self.clock, self.random32)
        self.ticks = time.ticks_ms()
        self.measured, self.millivolts = None, 3300

    def reset(self):
        machine.reset()

    def random32(self):
        return struct.unpack("<I", os.urandom(4))[0]

    def unique_id(self):
        return machine.unique_id()

    def fresh(self, now):
        """The time, on the clock of this round, which began at `now`."""
        return now + time.ticks_diff(time.ticks_ms(), self.ticks)

    def edges(self, now):
        """Of the switches since the last call: [(switch, is_down, at)]."""
        edge = self.switches.take()
        if edge is None:
            return ()  # as in most rounds, which leave no garbage
        found = []
        while edge:
            found.append((edge[0], edge[1], now + time.ticks_diff(edge[2], self.ticks)))
            edge = self.switches.take()
        return found

    def led(self, red, green, blue):
        if self.pixel:
            self.pixel[0] = (red, green, blue)
            self.pixel.write()
        levels = (max(red, green, blue),) if len(self.lamps) == 1 else (red, green, blue)
        for each, level in zip(self.lamps, levels):
            each.duty_u16(level * 257)

    def tone(self, hz):
        if self.buzzer:
            if hz:
                self.buzzer.freq(hz)
            self.buzzer.duty_u16(32768 if hz else 0)

    def battery(self):
        """Measured once a minute; without a meter what USB gives."""
        now = time.ticks_ms()
        if self.meter and (self.measured is None or time.ticks_diff(now, self.measured) > 60000):
            self.measured = now
            self.millivolts = self.meter.read_u16() * self.profile["battery"]["full_mv"] // 65535
        return self.millivolts

    def rssi(self):
        try:
            return self.link.radio.status("rssi") if self.link.is_network else -30
        except (AttributeError, OSError, ValueError, TypeError):
            return -60

    def log(self, text):
        """The USB port is the link of some boards, and then says nothing else."""
        if self.link.is_network:
            print(text)


def lamp(pin):
    pwm = machine.PWM(machine.Pin(pin))
    pwm.freq(1000)
    pwm.duty_u16(0)
    return pwm


def panel_of(panel):
    bus, more = Bus(panel["pins"]), panel.get("more", {})
    if panel["chip"] == "ssd1680":
        from boards.ssd1680 import SSD1680

        return SSD1680(bus, **more)
    from boards.uc8151 import UC8151

    return UC8151(bus, **more)


def link_of(config, profile, clock, random32):
    if config["transport"] == "usb":
        from boards.usb import Usb

        return Usb(profile.get("uart", False))
    from boards.wifi import Wifi

    host, _, port = config["station"].rpartition(":")
    is_stream = config["transport"] == "tcp"
    wifi = Wifi(config, host, int(port), is_stream, clock, machine.reset)
    if is_stream:
        return wifi
    from core.websocket import WebSocket

    socket = WebSocket(wifi, random32, config["station"], "/turbo/", config)
    socket.radio = wifi.radio
    return socket
