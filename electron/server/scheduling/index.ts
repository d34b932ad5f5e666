/**
 * Work that runs later or in parts, so that a press never waits for long. Which one to use:
 *
 * - `createLane`: asynchronous work that must not overlap, such as imports. Runs one after another.
 * - `createForegroundQueue`: long synchronous work that a person waits for. Runs in steps and yields to other work every few
 *   milliseconds.
 * - `createBackgroundQueue`: long reads that can take longer. Runs in steps with rests in between, which are longer after commits. All
 *   reads share one queue: `backgroundReads` in `core.ts`.
 * - `createTurnQueue`: many short pieces of work, such as the screens of a large order. Runs some per turn of the event loop; newer work
 *   replaces older work with the same key.
 * - `createMessageTurns`: what other machines send. Handles a few messages per turn of the event loop, in order. All links of turbos
 *   share one: `messageTurns` in `core.ts`.
 * - `createReconcileQueue`: saves the state of what has changed. Writes each subject once, and again after a disk error.
 * - `createLoop`: checks something outside the station, such as a folder, when woken and after a pause.
 *
 * For work at a certain time, set an alarm (`alarm.ts`). Work that must survive a restart is stored as a row with its due time instead.
 */
export { type Lane, createLane } from './lane.ts';
export { createLoop } from './loop.ts';
export { type MessageTurns, createMessageTurns } from './messageTurns.ts';
export { createReconcileQueue } from './reconcileQueue.ts';
export { type StepQueue, createBackgroundQueue, createForegroundQueue } from './stepQueue.ts';
export { createTurnQueue } from './turnQueue.ts';
