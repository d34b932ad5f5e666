"""Files of other versions of the firmware."""
import os

import flash


class Store:
    """Each version is in its own folder."""

    def write(self, path, data):
        flash.write(path, data)

    def append(self, path, data):
        flash.append(path, data)

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
