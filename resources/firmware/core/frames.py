"""Reads frames of the turbo protocol from a lossy stream, and writes them into a buffer. Nothing allocates per byte."""
import struct

try:
    from binascii import crc32
except ImportError:  # small builds lack it

    def crc32(data, crc=0):
        crc ^= 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
        return crc ^ 0xFFFFFFFF


HEAD, TAIL, MOST, HALF_MS = 10, 4, 8192, 1000


class Reader:
    """Skips one byte where no frame begins, so rubbish never costs the good frame behind it."""

    def __init__(self):
        self.data = bytearray(HEAD + MOST + TAIL)
        self.view = memoryview(self.data)
        self.number = self.flags = self.seq = self.skipped = 0
        self.clear()

    def clear(self):
        self.start = self.end = self.fed = self.since = 0

    def space(self):
        """Where the next bytes are to be put, never empty."""
        if self.start == self.end:
            self.start = self.end = 0
        elif self.end == len(self.data) or self.start > 1024:
            size = self.end - self.start
            self.view[0:size] = self.view[self.start : self.end]
            self.start, self.end = 0, size
        return self.view[self.end :]

    def feed(self, count, now):
        if self.start == self.end:
            self.since = now
        self.end += count
        self.fed = now

    def next(self, now):
        """The payload of the next frame, valid until `space`; None: there is none yet."""
        data = self.data
        while self.start < self.end:
            size = self._size()
            if size is None and now - self.since < HALF_MS:
                return None  # the rest is on its way
            if size:
                at = self.start
                self.number, self.flags, self.seq = struct.unpack_from("<BBH", data, at + 2)
                self.start, self.since = at + size, self.fed
                return self.view[at + HEAD : at + size - TAIL]
            at = self.start + 1
            while at < self.end and data[at] != 0xA5:
                at += 1
            self.skipped += at - self.start
            self.start, self.since = at, self.fed
        return None

    def missing(self):
        """Bytes still missing from the frame that has begun; 0 if unknown."""
        have = self.end - self.start
        if have < HEAD or self._size() is not None:
            return 0
        return HEAD + struct.unpack_from("<H", self.data, self.start + 6)[0] + TAIL - have

    def is_half(self):
        return self.start != self.end

    def _size(self):
        """Of the frame at the first byte: 0 where there is none, None while that cannot be said."""
        data, at, have = self.data, self.start, self.end - self.start
        if data[at] != 0xA5 or (have > 1 and data[at + 1] != 0x5A):
            return 0
        if have < HEAD:
            return None
        length, check = struct.unpack_from("<HH", data, at + 6)
        if length > MOST or check != crc32(self.view[at + 2 : at + 8]) & 0xFFFF:
            return 0
        size = HEAD + length + TAIL
        if have < size:
            return None
        good = crc32(self.view[at + 2 : at + size - TAIL])
        return size if good == struct.unpack_from("<I", data, at + size - TAIL)[0] else 0


class Writer:
    """Frames that wait for the link. Drops a frame that does not fit: requests are repeated."""

    def __init__(self, size=1024):
        self.data = bytearray(size)
        self.view = memoryview(self.data)
        self.at = self.used = 0
        self.fits = True

    def clear(self):
        self.used = 0

    def begin(self):
        self.at, self.fits = self.used + HEAD, self.used + HEAD + TAIL <= len(self.data)

    def put(self, form, *values):
        size = struct.calcsize(form)
        if self.at + size + TAIL > len(self.data):
            self.fits = False
        elif self.fits:
            struct.pack_into(form, self.data, self.at, *values)
            self.at += size

    def octets(self, data):
        if self.at + len(data) + TAIL > len(self.data):
            self.fits = False
        elif self.fits:
            self.view[self.at : self.at + len(data)] = data
            self.at += len(data)

    def text8(self, text):
        data = text.encode()[:255]
        self.put("<B", len(data))
        self.octets(data)

    def optional(self, value):
        if value is None:
            self.put("<B", 0)
        else:
            self.put("<BI", 1, u32(value))

    def end(self, number, flags, seq):
        """Whether the frame is in the buffer, whole."""
        if not self.fits:
            return False
        start, length = self.used, self.at - self.used - HEAD
        struct.pack_into("<BBBBHH", self.data, start, 0xA5, 0x5A, number, flags, seq, length)
        struct.pack_into("<H", self.data, start + 8, crc32(self.view[start + 2 : start + 8]) & 0xFFFF)
        struct.pack_into("<I", self.data, self.at, crc32(self.view[start + 2 : self.at]))
        self.used = self.at + TAIL
        return True

    def sent(self, count):
        if count:
            left = self.used - count
            self.view[0:left] = self.view[count : self.used]
            self.used = left


def u32(value):
    return max(0, min(0xFFFFFFFF, int(value)))
