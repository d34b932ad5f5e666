import type { Firmware, UpdateStep } from '../../../electron/server/ports.ts';
import { createBoardUpdater } from '../../../electron/server/turbo/boards/updateFirmware.ts';
import type { BoardBench } from './boardBench.ts';

/** Maximum number of rounds of 20 ms. An update takes a few hundred rounds, a trial run a few thousand. */
const MOST_ROUNDS = 40_000;

/** Switches the board on, for the first time or after a power cut, and gives it 300 ms to connect. */
export async function online(bench: BoardBench): Promise<void> {
  await bench.boot();
  bench.run(300);
}

type Outcome = { answer: string; steps: UpdateStep[] };

/** Runs the station's side of an update until the update ends. Each round calls `each`, which can act on the board. */
export async function updateBoard(
  bench: BoardBench,
  firmware: Firmware,
  each: (round: number, steps: readonly UpdateStep[]) => void = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const steps: UpdateStep[] = [];
  const step = (name: UpdateStep): void => void (steps.at(-1) !== name && steps.push(name));
  const outcome: { answer: string | undefined } = { answer: undefined };
  const line = bench.line();
  createBoardUpdater({ connectionOf: () => line, clock: bench.clock })
    .update('bench', firmware, { step, signal })
    .then(
      () => (outcome.answer = 'done'),
      (error: Error) => (outcome.answer = error.message),
    );
  for (let round = 0; outcome.answer === undefined && round < MOST_ROUNDS; round += 1) {
    each(round, steps);
    if (!bench.run(20) || bench.board?.isRestarting() === true) await powerOn(bench);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { answer: outcome.answer ?? 'The update does not end.', steps };
}

/** Switches the board on after a restart or a power cut. */
export async function powerOn(bench: BoardBench): Promise<void> {
  bench.flash.cutAt = Infinity;
  await bench.boot();
}
