"""Modules that only a chip has, as much of them as the firmware calls."""
import sys

import errno

PINS, SPI_SENT, DUTIES, SENT, ANSWERS = {}, [], {}, [], []
FEEDS, RESETS = [0], []


class Pin:
    IN, OUT, PULL_UP, PULL_DOWN = 0, 1, 2, 3

    def __init__(self, number, mode=0, pull=None, value=None):
        self.number = number
        PINS.setdefault(number, 1 if pull == Pin.PULL_UP else 0)
        if value is not None:
            PINS[number] = value

    def __call__(self, value):
        PINS[self.number] = value

    def value(self):
        return PINS[self.number]


class SPI:
    def __init__(self, number, baudrate, sck, mosi):
        pass

    def write(self, data):
        SPI_SENT.append(bytes(data))


class PWM:
    def __init__(self, pin):
        self.number = pin.number

    def freq(self, hz):
        pass

    def duty_u16(self, duty):
        DUTIES[self.number] = duty


class Timer:
    ONE_SHOT, made = 0, []

    def __init__(self, number, mode, period, callback):
        if number < 0:
            raise ValueError
        self.period, self.callback = period, callback
        Timer.made.append(self)

    def deinit(self):
        pass


class WDT:
    """Ends the program after some rounds."""

    def __init__(self, timeout):
        FEEDS[0] = 0

    def feed(self):
        FEEDS[0] += 1
        if FEEDS[0] > 15:
            raise KeyboardInterrupt


class WLAN:
    is_joined, asked = False, []

    def __init__(self, kind):
        pass

    def isconnected(self):
        return WLAN.is_joined

    def active(self, on):
        pass

    def config(self, **settings):
        if "pm" not in settings:
            raise ValueError

    def connect(self, ssid, password):
        WLAN.asked.append((ssid, password))
        WLAN.is_joined = True

    def status(self, name):
        return -61


class Socket:
    def setblocking(self, on):
        pass

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


class Poll:
    def register(self, what, flags):
        self.what = what

    def unregister(self, what):
        pass

    def poll(self, ms):
        return [(self.what, 4)]


class Module:
    pass


def module(name, **content):
    made = Module()
    for key, value in content.items():
        setattr(made, key, value)
    sys.modules[name] = made


def reset():
    RESETS.append(1)
    raise SystemExit


module("machine", Timer=Timer, Pin=Pin, SPI=SPI, PWM=PWM, WDT=WDT, unique_id=lambda: b"chip", reset=reset)
module("network", WLAN=WLAN, STA_IF=0)
module(
    "socket",
    SOCK_STREAM=1,
    socket=Socket,
    getaddrinfo=lambda host, port, family, kind: [(2, 1, 0, "", (host, port))],
)
module("select", poll=Poll, POLLIN=1, POLLOUT=4, POLLERR=8, POLLHUP=16)
