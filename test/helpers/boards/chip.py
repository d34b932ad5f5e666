"""Models a chip for firmware under test: the modules that only chips have, with the chip's rules for pins and buses.

Call `use(board)` first. Time is virtual: it advances while the firmware sleeps, writes to a bus or writes to flash. Facts are from
the sources of MicroPython 1.26 (ports/rp2 and ports/esp32), values of time from data sheets.
"""
import os
import sys
import time as real_time

import errno
import wired

PINS, DUTIES, SENT, ANSWERS = {}, {}, [], []
FEEDS, RESETS, CERTIFICATE, HANDSHAKES = [0], [], [0], []
DATA_BITS = 8


class Chip:
    """Differences between chips. `fast_pins`: pin handlers may be hard interrupts."""

    def __init__(self, name, platform, pins, buses, fast_pins, flash_ms):
        self.name, self.platform, self.pins, self.buses = name, platform, pins, buses
        self.fast_pins, self.flash_ms = fast_pins, flash_ms


def spi_of_rp2(bus, sck, mosi, miso):
    """Checks that a bus uses only its own pins, as in ports/rp2/machine_spi.c."""
    for name, pin, place in (("SCK", sck, 2), ("MOSI", mosi, 3), ("MISO", miso, 0)):
        if pin & 3 != place or pin >> 3 & 1 != bus:
            raise ValueError("bad %s pin" % name)


def spi_of_esp32(bus, sck, mosi, miso):
    pass  # any pin, through the chip's matrix


DEFAULT_MISO = {"rp2040": {0: 16, 1: 8}, "esp32s3": {1: 13, 2: 37}}
CHIPS = {
    "rp2040": Chip("rp2040", "rp2", range(30), {0: spi_of_rp2, 1: spi_of_rp2}, True, 120),
    # GPIO 22 to 25 do not exist, 26 to 32 are the flash.
    "esp32s3": Chip("esp32s3", "esp32", [pin for pin in range(49) if pin < 22 or pin > 32], {1: spi_of_esp32, 2: spi_of_esp32}, False, 80),
}
CHIP = CHIPS["rp2040"]
# The function that uses each pin: the last one that took it.
OWNERS = {}


# -- Time --

NOW = [0]
EDGES = []  # [at, pin, level], in order
LATE = []  # handlers that wait until the interpreter runs again
BLOCKED = [None]
QUEUE = 8  # MICROPY_SCHEDULER_DEPTH


def press(number, at, ms, level):
    """Closes a contact at this time for this duration."""
    EDGES.append([at, number, level])
    EDGES.append([at + ms, number, 1 - level])
    EDGES.sort(key=lambda edge: edge[0])


def advance(ms, blocked=None):
    """Lets time pass. `blocked`: with 'bus' only hard handlers run meanwhile, with 'flash' none."""
    end, BLOCKED[0] = NOW[0] + ms, blocked
    while EDGES and EDGES[0][0] <= end:
        at, number, level = EDGES.pop(0)
        NOW[0] = max(NOW[0], at)
        if PINS.get(number) != level:
            PINS[number] = level
            interrupt(number, Pin.IRQ_RISING if level else Pin.IRQ_FALLING)
    NOW[0], BLOCKED[0] = end, None
    late, LATE[:] = list(LATE), []
    for handler, pin in late:
        handler(pin)


def interrupt(number, edge):
    pin = HANDLED.get(number)
    if pin is None or not pin.trigger & edge:
        return
    if BLOCKED[0] is None or (BLOCKED[0] == "bus" and pin.is_hard):
        pin.handler(pin)
    elif BLOCKED[0] == "flash" and CHIP.platform == "rp2":
        # The edges are latched: the handler runs once.
        if (pin.handler, pin) not in LATE:
            LATE.append((pin.handler, pin))
    elif len(LATE) < QUEUE:
        LATE.append((pin.handler, pin))


class Time:
    ticks_ms = staticmethod(lambda: NOW[0] & 0x3FFFFFFF)
    ticks_diff = staticmethod(real_time.ticks_diff)
    ticks_add = staticmethod(real_time.ticks_add)

    @staticmethod
    def sleep_ms(ms):
        advance(ms)

    @staticmethod
    def gmtime(seconds):
        # The epoch of the ESP32 is 2000.
        return real_time.gmtime(seconds + (946684800 if CHIP.platform == "esp32" else 0))


# -- Pins --

HANDLED = {}


class Pin:
    IN, OUT, PULL_UP, PULL_DOWN = 0, 1, 2, 3
    IRQ_RISING, IRQ_FALLING = 8, 4

    def __init__(self, number, mode=0, pull=None, value=None):
        if number not in CHIP.pins:
            raise ValueError("invalid pin")
        self.number, self.handler, self.trigger, self.is_hard = number, None, 0, False
        PINS.setdefault(number, 1 if pull == Pin.PULL_UP else 0)
        if mode or pull is not None:
            OWNERS[number] = "gpio"
        if value is not None:
            self(value)

    def __call__(self, value):
        if OWNERS.get(self.number) != "gpio":
            raise AssertionError("pin %d belongs to %s" % (self.number, OWNERS.get(self.number)))
        PINS[self.number] = value
        for each in wired.PANELS:
            each.pin(self.number, value, NOW[0])

    def value(self):
        for each in wired.PANELS:
            if each.busy_pin == self.number:
                return each.busy_level if NOW[0] < each.busy_until else 1 - each.busy_level
        return PINS[self.number]

    def irq(self, handler=None, trigger=12, **more):
        if more and not CHIP.fast_pins:
            raise TypeError("extra keyword arguments given")
        self.handler, self.trigger, self.is_hard = handler, trigger, more.get("hard", False)
        HANDLED[self.number] = self


class SPI:
    def __init__(self, number, baudrate, sck, mosi, miso=None):
        if number not in CHIP.buses:
            raise ValueError("SPI(%d) doesn't exist" % number)
        miso = DEFAULT_MISO[CHIP.name][number] if miso is None else miso.number
        CHIP.buses[number](number, sck.number, mosi.number, miso)
        self.sck, self.mosi, self.baudrate = sck.number, mosi.number, baudrate
        for pin in (self.sck, self.mosi, miso):
            OWNERS[pin] = "SPI"

    def write(self, data):
        for each in wired.PANELS:
            each.write(self.sck, self.mosi, PINS, data)
        advance(len(data) * DATA_BITS * 1000 // self.baudrate, "bus")


class PWM:
    def __init__(self, pin):
        self.number = pin.number
        OWNERS[self.number] = "PWM"

    def freq(self, hz):
        pass

    def duty_u16(self, duty):
        DUTIES[self.number] = duty
        wired.LIGHTS.append((NOW[0], self.number, duty))


class ADC:
    def __init__(self, pin):
        pass

    def read_u16(self):
        return 65535


class Timer:
    ONE_SHOT, made = 0, []

    def __init__(self, number, mode, period, callback):
        if number < 0 and CHIP.platform != "rp2":
            raise ValueError
        self.period, self.callback = period, callback
        Timer.made.append(self)

    def deinit(self):
        pass


class WDT:
    """Ends the program after some rounds."""

    rounds = 15

    def __init__(self, timeout):
        FEEDS[0] = 0

    def feed(self):
        FEEDS[0] += 1
        if FEEDS[0] > WDT.rounds:
            raise KeyboardInterrupt


class RTC:
    """A clock that starts in the year 2000, like that of a chip without a battery. It does not advance."""

    now = [2000, 1, 1, 5, 0, 0, 0, 0]
    is_set = []

    def datetime(self, now=None):
        if now is None:
            return tuple(RTC.now)
        RTC.now = list(now)
        RTC.is_set.append(tuple(now))


# -- Network --


class WLAN:
    PM_NONE = 0
    is_joined, is_dead, asked, parted, state = False, False, [], [], 1010

    def __init__(self, kind):
        pass

    def isconnected(self):
        return WLAN.is_joined

    def active(self, on):
        pass

    power = None

    def config(self, **settings):
        if "pm" not in settings:
            raise ValueError
        WLAN.power = settings["pm"]

    def connect(self, ssid, password):
        WLAN.asked.append((ssid, password))
        WLAN.is_joined = WLAN.state == 1010

    def disconnect(self):
        WLAN.parted.append(NOW[0])
        WLAN.is_joined = False

    def status(self, name=None):
        return -61 if name else WLAN.state


class Socket:
    timeout = None

    def settimeout(self, seconds):
        self.timeout = seconds

    def setblocking(self, on):
        self.timeout = None if on else 0

    def connect(self, address):
        SENT.append(address)
        raise OSError(errno.EINPROGRESS)

    def readinto(self, view):
        if not ANSWERS:
            return None
        size = min(len(view), len(ANSWERS[0]))
        view[:size] = ANSWERS[0][:size]
        ANSWERS[0] = ANSWERS[0][size:]
        if not ANSWERS[0]:
            ANSWERS.pop(0)
        return size

    def write(self, view):
        SENT.append(bytes(view))
        return len(view)

    def close(self):
        SENT.append("closed")


class SSLContext:
    """Compares the certificate, which is valid from the year `CERTIFICATE`, with the clock, as mbedtls does."""

    def __init__(self, protocol):
        pass

    def load_verify_locations(self, data):
        SENT.append("trusts %d bytes" % len(data))

    def wrap_socket(self, raw, server_hostname):
        if CERTIFICATE[0] is None:  # a station that says nothing
            HANDSHAKES.append(raw.timeout)
            advance((raw.timeout or 60) * 1000)
            raise OSError(errno.ETIMEDOUT)
        if not CERTIFICATE[0] <= RTC.now[0] < CERTIFICATE[0] + 3:
            raise OSError(-9984, "MBEDTLS_ERR_X509_CERT_VERIFY_FAILED")
        SENT.append("TLS with " + server_hostname)
        return raw


class Poll:
    def register(self, what, flags):
        self.what = what

    def unregister(self, what):
        pass

    def poll(self, ms):
        if self.what is sys.stdin.buffer:
            return []
        if WLAN.is_dead:
            return []
        return [(self.what, 4)]


class Module:
    pass


def module(name, **content):
    made = Module()
    for key, value in content.items():
        setattr(made, key, value)
    sys.modules[name] = made


def reset():
    RESETS.append(NOW[0])
    raise SystemExit


CAUSE = [1]
COUNTRIES, INTERRUPTS = [], []


def sync():
    advance(CHIP.flash_ms, "flash")


def use(board):
    """Selects the chip of this board and what is wired to it."""
    global CHIP
    CHIP = CHIPS[wired.BOARDS[board]["chip"]]
    wired.connect(board)
    os.sync = sync


module(
    "machine", Timer=Timer, Pin=Pin, SPI=SPI, PWM=PWM, WDT=WDT, ADC=ADC, RTC=RTC,
    unique_id=lambda: b"chip", reset=reset, reset_cause=lambda: CAUSE[0], PWRON_RESET=1, WDT_RESET=3,
)  # fmt: skip
module("time", ticks_ms=Time.ticks_ms, ticks_diff=Time.ticks_diff, ticks_add=Time.ticks_add, sleep_ms=Time.sleep_ms, gmtime=Time.gmtime)
module("network", WLAN=WLAN, STA_IF=0, country=COUNTRIES.append)
module("tls", SSLContext=SSLContext, PROTOCOL_TLS_CLIENT=0, CERT_REQUIRED=2)
module(
    "socket",
    SOCK_STREAM=1,
    socket=Socket,
    getaddrinfo=lambda host, port, family, kind: [(2, 1, 0, "", (host, port))],
)
module("select", poll=Poll, POLLIN=1, POLLOUT=4, POLLERR=8, POLLHUP=16)
