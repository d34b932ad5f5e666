"""Starts a board by config.json, and starts it again whatever happens."""
import gc
import json
import time

import machine

WATCHDOG_MS, LONGEST_MS, FASTEST_MS = 8000, 20, 1


def run():
    from boards.board import open_board
    from core.app import App

    with open("config.json") as file:
        config = json.load(file)
    board = open_board(config)
    if board.down() & 1:
        return  # the front button is held: to the prompt of MicroPython, where a computer can write files
    app = App(board, config)
    dog = machine.WDT(timeout=WATCHDOG_MS) if config.get("watchdog", True) else None
    last, now = time.ticks_ms(), 0
    while True:
        ticks = time.ticks_ms()
        now += time.ticks_diff(ticks, last)  # ticks begin again after some days
        last = ticks
        try:
            wait = app.step(now)
        except Exception as error:  # one thing that went wrong is no reason to go dark
            board.log("%s: %s" % (type(error).__name__, error))
            app.session._lost(now, error)
            wait = None
        if dog:
            dog.feed()
        if gc.mem_free() < 40000:
            gc.collect()
        # Buttons and the link are looked at that often.
        time.sleep_ms(LONGEST_MS if wait is None else max(FASTEST_MS, min(wait, LONGEST_MS)))


def main():
    try:
        run()
    except KeyboardInterrupt:
        raise
    except Exception as error:
        try:
            with open("error.txt", "w") as file:
                file.write("%s: %s\n" % (type(error).__name__, error))
        except OSError:
            pass
        time.sleep_ms(5000)
        machine.reset()


main()
