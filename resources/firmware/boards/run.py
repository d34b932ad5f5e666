"""Runs a board as config.json says. After an error it continues, and after many it fails."""
import gc
import json
import time

import machine
from boards.board import open_board
from core.app import App

WATCHDOG_MS, LONGEST_MS, FASTEST_MS, MOST_ERRORS = 8000, 20, 1, 10


def run(versions):
    with open("config.json") as file:
        config = json.load(file)
    board = open_board(config)
    board.versions = versions
    if board.down() & 1:
        return  # the front button is held: to the prompt of MicroPython, where a computer can write files
    app = App(board, config)
    dog = machine.WDT(timeout=WATCHDOG_MS) if config.get("watchdog", True) else None
    last, now, errors = time.ticks_ms(), 0, 0
    while True:
        ticks = time.ticks_ms()
        now += time.ticks_diff(ticks, last)  # ticks begin again after some days
        last = ticks
        try:
            wait = app.step(now)
            errors = 0
        except Exception as error:
            errors += 1
            if errors > MOST_ERRORS:
                raise
            board.log("%s: %s" % (type(error).__name__, error))
            app.session.lose(now, error)
            wait = None
        if dog:
            dog.feed()
        if gc.mem_free() < 40000:
            gc.collect()
        # How often it reads buttons and the link.
        time.sleep_ms(LONGEST_MS if wait is None else max(FASTEST_MS, min(wait, LONGEST_MS)))
