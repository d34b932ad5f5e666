import { startInterpreter } from './interpreter.ts';

/** Runs code on a chip with our firmware and returns the printed lines. */
export type ChipBoard = (code: string) => string[];

const OPENED = `
from chip import *
import chip, wired, os, json, sys
os.chdir("/")
if not hasattr(os, "urandom"):
    os.urandom = lambda size: bytes(range(size))
`;

/**
 * Starts a chip with the parts that the manufacturer of `board` has wired to it (test/helpers/boards/wired.py). No firmware code has run
 * yet. The clock advances only while the firmware sleeps, or writes to a bus or to flash.
 */
export async function startChipBoard(board: string): Promise<ChipBoard> {
  const python = await startInterpreter({ wires: {} });
  python.run(`${OPENED}use("${board}")\nimport time`);
  return (code) => {
    const from = python.printed().length;
    python.run(code);
    return python.printed().slice(from);
  };
}

/**
 * Returns code that opens the board with this profile and starts its app, as `run.py` does. `turns(ms)` then runs the app for `ms`
 * milliseconds.
 */
export function openApp(config: { profile: string; [name: string]: unknown }): string {
  return `
from boards.board import open_board
from core.app import App
config = json.loads(${JSON.stringify(JSON.stringify(config))})
board = open_board(config)
app = App(board, config)
now = 0
def turn():
    global now
    ticks = time.ticks_ms()
    now += time.ticks_diff(ticks, board.ticks)
    board.ticks = ticks
    wait = app.step(now)
    time.sleep_ms(20 if wait is None else max(1, min(wait, 20)))
def turns(ms):
    end = chip.NOW[0] + ms
    while chip.NOW[0] < end:
        turn()
`;
}
