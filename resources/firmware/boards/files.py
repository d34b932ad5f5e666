"""The flash of a board through its file system."""
import os


class Store:
    """Files of other versions of the firmware, in folders of theirs."""

    def write(self, path, data):
        names = path.split("/")
        for count in range(1, len(names)):
            try:
                os.mkdir("/".join(names[:count]))
            except OSError:
                pass
        put(path, data, "wb")

    def append(self, path, data):
        put(path, data, "ab")

    def read_at(self, path, at, view):
        """How much of `view` it filled."""
        with open(path, "rb") as file:
            file.seek(at)
            return file.readinto(view)

    def remove(self, path):
        os.remove(path)

    def files(self, folder):
        """The paths of all files below a folder; of none where it is not there."""
        found, folders = [], [folder]
        while folders:
            each = folders.pop()
            try:
                entries = list(os.ilistdir(each))
            except OSError:
                continue
            for entry in entries:
                (folders if entry[1] == 0x4000 else found).append(each + "/" + entry[0])
        return found

    def free(self):
        stat = os.statvfs("/")
        return stat[0] * stat[3]


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
        put(self.folder + name, data, "wb")

    def append(self, name, data):
        put(self.folder + name, data, "ab")


def put(path, data, mode):
    with open(path, mode) as file:
        if file.write(data) != len(data):
            raise OSError(28)
    if hasattr(os, "sync"):
        os.sync()
