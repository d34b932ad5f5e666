"""Starts a version of the firmware, and restarts the chip after an error. Updates do not replace this file."""
import os
import sys
import time

import machine
import micropython

# First of all: a byte 3 of a frame that comes during the start must not end the program.
micropython.kbd_intr(-1)

from flash import Files, write
from versions import TRIAL_MS, Versions

REST_MS = 2000


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
        versions = Versions(Files("memory"))
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
            write("error.txt", ("%s: %s\n" % (type(error).__name__, error)).encode())
        except OSError:
            pass
        time.sleep_ms(REST_MS)
        machine.reset()


main()
