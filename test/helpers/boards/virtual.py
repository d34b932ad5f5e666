"""Replaces the parts of a board in a test. The replacements are in the module `wires`."""
import gc
import sys
import wires
from uctypes import addressof
from versions import TRIAL_MS, Versions

APP = None


def check(status):
    if status < 0:
        raise OSError(-status)
    return status


def random32():
    return wires.random16() << 16 | wires.random16()


class Flash:
    def read(self, name):
        size = wires.flash_size(name)
        if size < 0:
            return None
        data = bytearray(size)
        if size:
            wires.flash_read(name, addressof(data))
        return data

    def write(self, name, data):
        check(wires.flash_write(name, addressof(data), len(data)))

    def append(self, name, data):
        check(wires.flash_append(name, addressof(data), len(data)))


class Store:
    def write(self, path, data):
        check(wires.flash_write(path, addressof(data), len(data)))

    def append(self, path, data):
        check(wires.flash_append(path, addressof(data), len(data)))

    def read_at(self, path, at, view):
        return wires.flash_part(path, at, addressof(view), len(view))

    def remove(self, path):
        wires.flash_remove(path)

    def files(self, folder):
        found = wires.flash_list(folder + "/")
        return found.split("|") if found else []

    def free(self):
        return wires.flash_free()


# Choose the version as main.py does.
VERSIONS = Versions(Flash())
FOLDER = VERSIONS.choose(lambda folder: wires.flash_size(folder + "/boards/run.py") >= 0)
if FOLDER:
    sys.path.insert(0, "/" + FOLDER)
from core.app import App
from core.clock import Clock
from core.light import NO_STATION


class Link:
    is_slow, trouble = False, NO_STATION

    def __init__(self, is_network, says_secret):
        self.is_network, self.says_secret = is_network, says_secret

    def works(self):
        pass

    def start(self):
        wires.link_start()

    def ready(self):
        return check(wires.link_ready()) == 1

    def read(self, view):
        return check(wires.link_read(addressof(view), len(view)))

    def write(self, view):
        return check(wires.link_write(addressof(view), len(view)))

    def stop(self):
        wires.link_stop()

    def pause_ms(self):
        return 0


class Panel:
    full_every, poll_ms = 10, 10

    def start(self, picture, is_full):
        wires.panel_start(addressof(picture), len(picture), is_full)

    def busy(self):
        return wires.panel_busy()


class Rtc:
    """A clock that has not been set yet."""

    time = (2000, 1, 1, 5, 0, 0, 0, 0)

    def datetime(self, time=None):
        if time is None:
            return Rtc.time
        Rtc.time = time


class Board:
    def __init__(self, link):
        self.link, self.flash, self.panel = link, Flash(), Panel()
        self.buttons = wires.buttons()
        self.led, self.tone, self.log = wires.led, wires.tone, wires.log
        self.hands = list(range(self.buttons))
        self.clock = Clock(Rtc(), self.flash, None)
        self.store, self.versions, self.reset = Store(), VERSIONS, wires.reset
        self.battery, self.rssi, self.down = wires.battery, wires.rssi, wires.down

    def edges(self, now):
        return ()

    def fresh(self, now):
        return now

    def random32(self):
        return random32()

    def unique_id(self):
        return wires.unique_id().encode()


def boot(config):
    global APP
    link = Link(config["transport"] != "usb", config["transport"] == "tcp")
    if config["transport"] == "wifi":
        from core.websocket import WebSocket

        link = WebSocket(link, random32, config["host"], config["path"], config)
    APP = App(Board(link), config)


def step(now):
    wait = APP.step(now)
    return -1 if wait is None else wait


def press(button, hold, now):
    """Returns the counter of the report, or 0 if the press is refused."""
    report = APP.device.press(button, hold, now)
    return report.counter if report else 0


def is_ready():
    return APP is not None and APP.device.is_ready


def collect():
    gc.collect()


def allocated():
    return gc.mem_alloc()


def frames():
    return APP.session.count


def epoch():
    return "%d" % APP.device.memory.epoch


def counter():
    return APP.device.memory.counter


def token():
    return "%d" % APP.device.memory.view.token


def look(now):
    """Returns what a worker sees (token, number or -1, whether it is lit) and the number of held reports."""
    device = APP.device
    view = device.memory.view
    count = view.count if view.token and view.count is not None else -1
    is_lit = view.token != 0 and not device.has_ended(view.token, now)
    return "%d %d %d %d" % (view.token, count, is_lit, len(device.memory.held))


def trial_ms():
    return TRIAL_MS if VERSIONS.is_on_trial() else -1


def running():
    return FOLDER
