"""Starts a version of the firmware, and restarts the chip after an error. Updates do not replace this file."""
import os
import sys
import time

import machine
import micropython

# First of all: a byte 3 of a frame that comes during the start must not end the program.
micropython.kbd_intr(-1)

from versions import TRIAL_MS, Versions

REST_MS = 2000


class Flash:
    def read(self, name):
        try:
            with open("memory/" + name, "rb") as file:
                return file.read()
        except OSError:
            return None

    def write(self, name, data):
        try:
            os.mkdir("memory")
        except OSError:
            pass
        with open("memory/" + name, "wb") as file:
            file.write(data)
        if hasattr(os, "sync"):
            os.sync()


def has(folder):
    try:
        os.stat(folder + "/boards/run.py")
        return True
    except OSError:
        return False


def guard(versions):
    """Restarts a version on trial that is not answered in time, even where it hangs."""

    def look(_):
        if versions.is_on_trial():
            machine.reset()

    for number in (-1, 0):  # not every chip has virtual timers
        try:
            return machine.Timer(number, mode=machine.Timer.ONE_SHOT, period=TRIAL_MS, callback=look)
        except ValueError:
            pass


def main():
    try:
        versions = Versions(Flash())
        folder = versions.choose(has)
        if folder:
            sys.path.insert(0, "/" + folder)
        timer = guard(versions) if versions.is_on_trial() else None
        from boards.run import run

        run(versions)
        if timer:
            timer.deinit()
    except KeyboardInterrupt:
        raise
    except Exception as error:
        try:
            with open("error.txt", "w") as file:
                file.write("%s: %s\n" % (type(error).__name__, error))
        except OSError:
            pass
        time.sleep_ms(REST_MS)
        machine.reset()


main()
