"""Runs a board as config.json says. After an error it continues, and after many it fails."""
import gc
import json
import time

import machine
import micropython
from boards.board import open_board
from core.app import App

WATCHDOG_MS, LONGEST_MS, FASTEST_MS, MOST_ERRORS = 8000, 20, 1, 10
# At 115,200 baud the UART's buffer is full after 22 ms.
SLOW_LINK_MS = 5
HELD_MS, CTRL_C = 2000, 3


def is_parked(board):
    """Whether the front button is held while the board is plugged in. A press during any other restart means nothing."""
    if machine.reset_cause() != machine.PWRON_RESET:
        return False
    for _ in range(HELD_MS // LONGEST_MS):
        if not any(board.down() >> switch & 1 for switch, button in enumerate(board.hands) if button == 0):
            return False
        time.sleep_ms(LONGEST_MS)
    return True


def run(versions):
    micropython.kbd_intr(-1)  # a frame has bytes 3 too
    with open("config.json") as file:
        config = json.load(file)
    board = open_board(config)
    board.versions = versions
    must_park = is_parked(board)
    if must_park or board.link.is_network:
        micropython.kbd_intr(CTRL_C)
    if must_park:
        return  # to the prompt of MicroPython, where a computer can write files
    app = App(board, config)
    dog = machine.WDT(timeout=WATCHDOG_MS) if config.get("watchdog", True) else None
    longest = SLOW_LINK_MS if board.link.is_slow else LONGEST_MS
    now, errors = 0, 0
    while True:
        ticks = time.ticks_ms()
        now += time.ticks_diff(ticks, board.ticks)  # ticks begin again after some days
        board.ticks = ticks
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
        # How often it reads the link.
        time.sleep_ms(longest if wait is None else max(FASTEST_MS, min(wait, longest)))
