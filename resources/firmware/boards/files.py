"""The flash of a board through its file system."""
import os


class Files:
    """`folder` is made if it is not there."""

    def __init__(self, folder):
        self.folder = folder + "/"
        try:
            os.mkdir(folder)
        except OSError:
            pass

    def read(self, name):
        try:
            with open(self.folder + name, "rb") as file:
                return file.read()
        except OSError:
            return None

    def write(self, name, data):
        self._put(name, data, "wb")

    def append(self, name, data):
        self._put(name, data, "ab")

    def _put(self, name, data, mode):
        with open(self.folder + name, mode) as file:
            if file.write(data) != len(data):
                raise OSError(28)
        if hasattr(os, "sync"):
            os.sync()
