"""Which version of the firmware starts. Updates do not replace this file, main.py or flash.py.

The first version is beside this file; updates are written to the folders `a` and `b` in turn. A new version is on trial: it has a
few starts until the station answers its hello, then the last one that was answered starts again.
"""
import struct
from hashlib import sha256

FOLDERS, SLOTS, STARTS, TRIAL_MS = ("", "a", "b"), ("boot0", "boot1"), 3, 60000
FORM, SIZE = "<IBBB", 7


class Versions:
    """`flash` has read(name) -> bytes or None and write(name, data). The newer one of two records counts."""

    def __init__(self, flash):
        self.flash = flash
        self.running = self.good = self.trial = self.left = self.generation = 0
        for name in SLOTS:
            data = bytes(flash.read(name) or b"")
            if len(data) == SIZE + 4 and check(data[:SIZE]) == data[SIZE:]:
                record = struct.unpack(FORM, data[:SIZE])
                if record[0] > self.generation and max(record[1:3]) < len(FOLDERS):
                    self.generation, self.good, self.trial, self.left = record

    def choose(self, has):
        """The folder of the version to start, before it starts. `has`: whether a folder has a version."""
        try:
            if self.trial:
                if self.left:
                    self._write(self.good, self.trial, self.left - 1)
                else:
                    self._write(self.good, 0, 0)
            self.running = self.trial or self.good
        except OSError:
            self.running = self.good  # its starts cannot be counted
        if self.running and not has(FOLDERS[self.running]):
            self.running = 0
        return FOLDERS[self.running]

    def is_on_trial(self):
        return self.trial != 0 and self.running == self.trial

    def confirm(self):
        """The station has answered its hello."""
        if self.is_on_trial():
            self._write(self.trial, 0, 0)

    def other(self):
        """Where an update is written."""
        return 2 if self.running == 1 else 1

    def switch(self, number):
        """Starts this version next, on trial."""
        self._write(self.running, number, STARTS)

    def _write(self, good, trial, left):
        data = struct.pack(FORM, self.generation + 1, good, trial, left)
        self.flash.write(SLOTS[self.generation & 1], data + check(data))
        self.generation, self.good, self.trial, self.left = self.generation + 1, good, trial, left


def check(data):
    return sha256(data).digest()[:4]
