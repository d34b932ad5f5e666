/**
 * Loaded into the measured station before its program. Measures the processor time of its main thread, in microseconds, which other
 * programs on the machine do not change. On SIGUSR2 it writes its figures into the file `LOADS_FIGURES` and starts to measure again.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

export type Figures = {
  /** The longest turn of the loop without garbage collection, the longest one with it, and the sum of all turns. */
  longestUs: number;
  longestWithGcUs: number;
  totalUs: number;
  turns: number;
  /** For each write to a turbo over TCP: the number of bytes written to it so far, and the time of the thread at the end of the write. */
  writes: { bytes: number; us: number }[];
};

const FILE = process.env['LOADS_FIGURES'] ?? '';
const TURBO_PORT = Number(process.env['LOADS_TURBO_PORT']);

/** Turns that take longer are stored until it is known how much of them was garbage collection. */
const LONG_US = 5_000;
/** Time after which the entries about garbage collection have arrived. */
const ENTRIES_MS = 50;

type Turn = { us: number; fromMs: number; toMs: number };

let figures = empty();
let longTurns: Turn[] = [];
let collections: PerformanceEntry[] = [];
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
let turnFromMs = performance.now();
let turnFromUs = threadUs();
nextTurn();

process.on('SIGUSR2', () => {
  // Immediates of others run after ours, so their work is not counted yet.
  endTurn();
  const [done, turns] = [figures, longTurns];
  [figures, longTurns] = [empty(), []];
  setTimeout(() => {
    for (const turn of turns) done.longestUs = Math.max(done.longestUs, turn.us - collectedUs(turn));
    collections = [];
    writeFileSync(`${FILE}.part`, JSON.stringify(done));
    renameSync(`${FILE}.part`, FILE);
  }, ENTRIES_MS);
});

/**
 * Returns how much processor time of a turn was garbage collection. The engine reports elapsed time, of which other programs take the same
 * part as of the whole turn.
 */
function collectedUs({ us, fromMs, toMs }: Turn): number {
  const inTurn = collections.filter(({ startTime }) => startTime >= fromMs && startTime < toMs);
  const elapsedMs = inTurn.reduce((sum, { duration }) => sum + duration, 0);
  return us * Math.min(1, elapsedMs / (toMs - fromMs));
}

/** Measures a turn when the loop ends it. An immediate that is not referenced runs once in each turn, and never starts one. */
function nextTurn(): void {
  setImmediate(() => {
    endTurn();
    nextTurn();
  }).unref();
}

function endTurn(): void {
  const now = threadUs();
  const us = now - turnFromUs;
  const nowMs = performance.now();
  if (us > LONG_US) longTurns.push({ us, fromMs: turnFromMs, toMs: nowMs });
  else figures.longestUs = Math.max(figures.longestUs, us);
  turnFromUs = now;
  turnFromMs = nowMs;
  figures.longestWithGcUs = Math.max(figures.longestWithGcUs, us);
  figures.totalUs += us;
  figures.turns += 1;
}

function empty(): Figures {
  return { longestUs: 0, longestWithGcUs: 0, totalUs: 0, turns: 0, writes: [] };
}

function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

const write = Socket.prototype.write;
Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
  const isTaken = write.apply(this, args);
  if (this.localPort === TURBO_PORT) figures.writes.push({ bytes: this.bytesWritten, us: threadUs() });
  return isTaken;
} as typeof write;
