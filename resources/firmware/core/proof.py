"""Sign-in by a key that does not cross the wire: docs/turbo-protocol.md, "Sign-in by challenge"."""
import struct
from hashlib import sha256

NONCE, PROOF, STATION, UPDATE = 16, 32, 0, 255


def hmac(key, data):
    """HMAC-SHA-256 with a key of at most 64 bytes. One hash at a time: some chips cannot do two."""
    key = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + data).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def new_nonce(random32):
    return b"".join(struct.pack("<I", random32()) for _ in range(NONCE // 4))


def text8(text):
    octets = text.encode()[:255]
    return bytes((len(octets),)) + octets


def is_same(one, other):
    """In a time that says nothing about where they differ."""
    differs = len(one) ^ len(other)
    for left, right in zip(one, other):
        differs |= left ^ right
    return differs == 0


def signature(key_hash, serial, nonce, count, digest):
    """Of an update with so many files and this hash over all of them, for one board and one session of it."""
    return hmac(key_hash, bytes((UPDATE,)) + text8(serial) + nonce + struct.pack("<H", count) + digest)


class Proof:
    """One sign-in after another. `answer`: for the next hello; None: a challenge is to be asked for."""

    def __init__(self, serial, user, key, random32):
        self.key, self.hash, self.random32 = key.encode(), sha256(key.encode()).digest(), random32
        self.names = text8(serial) + text8(user)
        self.nonce = self.answer = None

    def begin(self):
        self.nonce = new_nonce(self.random32)
        self.answer = None

    def meet(self, challenge):
        """Whether the challenge is of the station that has the hash of the key. Any other gets an empty answer."""
        self.answer = b""
        said = self.names + self.nonce + challenge[:NONCE]
        proof = hmac(self.hash, bytes((STATION,)) + said)
        if not any(is_same(challenge[at : at + PROOF], proof) for at in range(NONCE, len(challenge), PROOF)):
            return False
        mask = b""
        while len(mask) < len(self.key):
            mask += hmac(self.hash, bytes((STATION + 1 + len(mask) // PROOF,)) + said)
        self.answer = bytes(one ^ other for one, other in zip(self.key, mask))
        return True
