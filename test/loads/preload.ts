/**
 * Loaded into the measured station before its program. Measures the processor time of its main thread, in microseconds, which other
 * programs on the machine do not change. On SIGUSR2 it writes its figures into the file `LOADS_FIGURES` and starts to measure again.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';

export type Figures = {
  /** The longest turn of the loop, and the sum of all turns. */
  longestUs: number;
  totalUs: number;
  turns: number;
  /** For each write to a turbo over TCP: the number of bytes written to it so far, and the time of the thread at the end of the write. */
  writes: { bytes: number; us: number }[];
};

const FILE = process.env['LOADS_FIGURES'] ?? '';
const TURBO_PORT = Number(process.env['LOADS_TURBO_PORT']);

let figures = empty();
let turnFromUs = threadUs();
nextTurn();

process.on('SIGUSR2', () => {
  // Immediates of others run after ours, so their work is not counted yet.
  endTurn();
  const done = figures;
  figures = empty();
  writeFileSync(`${FILE}.part`, JSON.stringify(done));
  renameSync(`${FILE}.part`, FILE);
});

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
  turnFromUs = now;
  figures.longestUs = Math.max(figures.longestUs, us);
  figures.totalUs += us;
  figures.turns += 1;
}

function empty(): Figures {
  return { longestUs: 0, totalUs: 0, turns: 0, writes: [] };
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
