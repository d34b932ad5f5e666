import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Box = { x: number; y: number; width: number; height: number };

export type WindowState = {
  /** Undefined: in the middle of the first screen. */
  box: Box | undefined;
  maximized: boolean;
  /** The person was told that the station goes on without its window. */
  toldHiding: boolean;
};

export const SMALLEST = { width: 480, height: 400 };
export const USUAL = { width: 1_360, height: 860 };

const FILE = 'window.json';
const FRESH: WindowState = { box: undefined, maximized: false, toldHiding: false };

/** What was kept in the data folder; anything wrong with it counts as nothing. */
export function readWindowState(folder: string): WindowState {
  try {
    return parseWindowState(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
  } catch {
    return FRESH;
  }
}

/** Kept for the next start; where the folder takes nothing, the next start begins in the middle. */
export function writeWindowState(folder: string, state: WindowState): void {
  const file = join(folder, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The place of a window is no reason to trouble anybody.
  }
}

function parseWindowState(value: unknown): WindowState {
  if (typeof value !== 'object' || value === null) return FRESH;
  const fields = new Map<string, unknown>(Object.entries(value));
  return {
    box: parseBox(fields.get('box')),
    maximized: fields.get('maximized') === true,
    toldHiding: fields.get('toldHiding') === true,
  };
}

function parseBox(value: unknown): Box | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => fields.get(name));
  return isPixels(x) && isPixels(y) && isPixels(width) && isPixels(height) ? { x, y, width, height } : undefined;
}

/** Electron refuses what is no whole number of 32 bits. */
function isPixels(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(Number(value)) < 100_000;
}

/** The box moved and cut so that it lies wholly on the screen that it overlaps most. `screens`: their work areas, the first is the main one. */
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
