"""A board: its device, its session and its hands. `step` does what is due and says when it wants to be called again."""
from hashlib import sha256
from core.device import Device, soonest
from core.hands import Hands
from core.memory import Memory
from core.proof import Proof
from core.session import Session
from core.update import Update


def device_id(unique):
    """Six bytes from the chip's unique id."""
    return sha256(unique).digest()[-6:]


def name_of(device):
    digits = "".join("%02X" % byte for byte in device)
    return digits[:6] + ":" + digits[6:]


def sign_in(config, board, serial):
    """User and secret for the hello, and what proves the key: it crosses the air only within TLS."""
    user, key, link = config.get("user"), config.get("key"), board.link
    if not link.is_network or not key:
        return None, None, None
    if config.get("ca"):
        return (user, key, None) if link.says_secret else (None, None, None)
    return user, None, Proof(serial, user, key, board.random32)


class App:
    def __init__(self, board, config):
        self.board = board
        board.device = device_id(board.unique_id())
        serial = config.get("serial") or "board-" + name_of(board.device)
        user, secret, proof = sign_in(config, board, serial)
        self.device = Device(board, Memory(board.flash, board.random32))
        board.update = self.update = Update(board, self.device, serial, config.get("key"))
        self.session = Session(board, self.device, (serial, config.get("name") or serial, user, secret), proof)
        self.hands = Hands(board.hands)
        self.is_started = False

    def step(self, now):
        if not self.is_started:
            self.is_started = True
            self.device.start(now)
        self.device.light.code = self.session.code(now)
        for button, hold, at in self.hands.step(now, self.board.down(), self.board.edges(now)):
            self.device.press(button, hold, now, at)
        waits = [self.device.step(now), self.hands.wait(now)]
        # Until the picture is whole, the station must not count on this device.
        if self.device.is_ready:
            waits.append(self.session.step(now))
        waits.append(self.update.step(now))
        return soonest(waits)
