import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Box = { x: number; y: number; width: number; height: number };

export type WindowState = {
  /** Position and size of the window, or undefined to center it on the first screen. */
  box: Box | undefined;
  maximized: boolean;
  /** Whether the user has seen that the station keeps running without its window. */
  toldHiding: boolean;
  /** What to do when the window is closed and the desktop has no tray, or undefined to ask the user. */
  whenClosing: 'keep' | 'quit' | undefined;
  /** Whether to draw without the graphics card, because the card has failed on this machine. */
  withoutGraphicsCard: boolean;
  /** Whether the user has seen the message about the graphics card. */
  toldGraphics: boolean;
};

export const SMALLEST = { width: 480, height: 400 };
export const USUAL = { width: 1_360, height: 860 };

const FILE = 'window.json';
const FRESH: WindowState = {
  box: undefined,
  maximized: false,
  toldHiding: false,
  whenClosing: undefined,
  withoutGraphicsCard: false,
  toldGraphics: false,
};

/** Reads the state from the data folder. Ignores invalid parts. */
function readWindowState(folder: string): WindowState {
  try {
    return parseWindowState(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
  } catch {
    return FRESH;
  }
}

/** Stores the state for the next start. Ignores failures. */
function writeWindowState(folder: string, state: WindowState): void {
  const file = join(folder, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // Ignore the error: a lost window position is not worth a message.
  }
}

export type KeptWindowState = { now: WindowState; change(part: Partial<WindowState>): void };

/** Manages the state of the window, which is read once and stored after each change. */
export function keepWindowState(folder: string): KeptWindowState {
  const kept = {
    now: readWindowState(folder),
    change(part: Partial<WindowState>) {
      kept.now = { ...kept.now, ...part };
      writeWindowState(folder, kept.now);
    },
  };
  return kept;
}

function parseWindowState(value: unknown): WindowState {
  if (typeof value !== 'object' || value === null) return FRESH;
  const fields = new Map<string, unknown>(Object.entries(value));
  return {
    box: parseBox(fields.get('box')),
    maximized: fields.get('maximized') === true,
    toldHiding: fields.get('toldHiding') === true,
    whenClosing: ANSWERS.find((answer) => answer === fields.get('whenClosing')),
    withoutGraphicsCard: fields.get('withoutGraphicsCard') === true,
    toldGraphics: fields.get('toldGraphics') === true,
  };
}

const ANSWERS = ['keep', 'quit'] as const;

function parseBox(value: unknown): Box | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => fields.get(name));
  return isPixels(x) && isPixels(y) && isPixels(width) && isPixels(height) ? { x, y, width, height } : undefined;
}

/** Whether Electron accepts a value as a number of pixels, which must be a 32-bit integer. */
function isPixels(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(Number(value)) < 100_000;
}

/**
 * Moves and shrinks the box so that it fits the screen with which it overlaps most. `screens` are the work areas, starting with the main
 * screen.
 */
export function ontoScreen(box: Box | undefined, screens: readonly Box[]): Box {
  const screen = box === undefined ? undefined : screens.toSorted((a, b) => overlap(b, box) - overlap(a, box))[0];
  if (box === undefined || screen === undefined || overlap(screen, box) === 0) return inTheMiddle(screens[0]);
  const width = Math.min(Math.max(box.width, SMALLEST.width), screen.width);
  const height = Math.min(Math.max(box.height, SMALLEST.height), screen.height);
  return {
    x: Math.min(Math.max(box.x, screen.x), screen.x + screen.width - width),
    y: Math.min(Math.max(box.y, screen.y), screen.y + screen.height - height),
    width,
    height,
  };
}

function inTheMiddle(screen: Box | undefined): Box {
  if (screen === undefined) return { x: 0, y: 0, ...USUAL };
  const width = Math.min(USUAL.width, screen.width);
  const height = Math.min(USUAL.height, screen.height);
  return {
    x: screen.x + Math.round((screen.width - width) / 2),
    y: screen.y + Math.round((screen.height - height) / 2),
    width,
    height,
  };
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
