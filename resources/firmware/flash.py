"""The only writer of the flash. Updates do not replace this file.

Writes a file under another name, then renames it: a power cut leaves either the old file or the new one.
"""
import os

SCRATCH = "new.part"


def write(path, data):
    """Creates the folders of the path."""
    names = path.split("/")
    for count in range(1, len(names)):
        try:
            os.mkdir("/".join(names[:count]))
        except OSError:
            pass
    put(SCRATCH, data, "wb")
    os.rename(SCRATCH, path)
    sync()


def append(path, data):
    """A power cut can leave part of the data at the end."""
    put(path, data, "ab")


def put(path, data, mode):
    with open(path, mode) as file:
        if file.write(data) != len(data):
            raise OSError(28)
    sync()


def sync():
    if hasattr(os, "sync"):
        os.sync()


class Files:
    """The files of a folder, which is created if it is missing."""

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
        write(self.folder + name, data)

    def append(self, name, data):
        append(self.folder + name, data)
