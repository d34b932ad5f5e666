import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { cpuMs } from './processes.ts';
import type { CrowdCounts, CrowdOptions, CrowdOrder } from './fleetStations.ts';

/** A process with the clients of many stations, which can be killed and started again with the same ledger. */
export function createCrowd(options: CrowdOptions) {
  const nothing: CrowdCounts = { connected: 0, underWay: 0, published: 0, owed: 0, lateMs: 0 };
  let child: ChildProcess | undefined;
  let counts = nothing;
  let latestMs = 0;

  function tell(order: CrowdOrder): void {
    child?.send(order);
  }
  async function end(stop: (running: ChildProcess) => void): Promise<void> {
    const running = child;
    if (running === undefined) return;
    const ended = new Promise((resolve) => void running.once('exit', resolve));
    stop(running);
    await ended;
    child = undefined;
    counts = nothing;
  }

  return {
    options,
    start(): void {
      const started = fork(join(import.meta.dirname, 'fleetStations.ts'));
      child = started;
      started.on('message', (told: CrowdCounts) => {
        if (child !== started) return;
        counts = told;
        latestMs = Math.max(latestMs, told.lateMs);
      });
      tell({ kind: 'begin', options });
    },
    tell: (kind: 'pick' | 'rest' | 'light' | 'putOut') => tell({ kind }),
    counts: (): CrowdCounts => counts,
    /** The most that a pick came late since this was last asked, in milliseconds. */
    takeLateMs(): number {
      const late = latestMs;
      latestMs = 0;
      return late;
    },
    /** Resolves when the counts are newer than this call. */
    settled: (): Promise<void> => new Promise((resolve) => void child?.once('message', () => resolve())),
    cpuMs: (): number => (child === undefined ? Number.NaN : cpuMs(child)),
    kill: () => end((running) => running.kill('SIGKILL')),
    stop: () => end(() => tell({ kind: 'stop' })),
  };
}

export type Crowd = ReturnType<typeof createCrowd>;
