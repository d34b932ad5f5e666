import { isDeepStrictEqual } from 'node:util';
import { lookOfIdentify, queue } from './asks.ts';
import { SENDER } from './naming.ts';
import type { DiskHistoryRow } from './disk.ts';
import type { Entry, StandInAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { findMeant, showAnew, type Moment } from './reports.ts';
import type { ModelCommand, ModelDevice } from './state.ts';

type StoodIn = Extract<Entry, { kind: 'stoodIn' }>;
type Result = { status: number; body?: object };

/** The kind of history row that each action leaves. `adjust` leaves a row only for the first command of the device. */
const ROW_KINDS: Readonly<Record<StandInAsk['what'], string | undefined>> = {
  acknowledge: 'acknowledged',
  adjust: 'replaced',
  takeAway: 'killed',
  identify: undefined,
};

/** Applies an action at the station that takes the place of a press, and checks the answer. */
export function answerStandIn(oracle: Oracle, { ask, answer, wallMs, monoMs }: StoodIn): void {
  const wanted = carryOut(oracle, ask, { wallMs, monoMs });
  const told: Result = { status: answer?.status ?? 0 };
  const body = (answer?.body ?? {}) as Record<string, unknown>;
  if (told.status === 200) told.body = picked(body);
  if (told.status === 409) told.body = { code: body['code'] };
  if (isDeepStrictEqual(told, wanted)) return;
  throw new Error(`${JSON.stringify(ask)} was answered ${JSON.stringify(told)} instead of ${JSON.stringify(wanted)}`);
}

/** Returns whether the next history row shows that the station handled this action next. */
export function isNextInStation({ ask, answer }: StoodIn, row: DiskHistoryRow | undefined): boolean {
  if (row === undefined || row.device_id !== ask.deviceid || (answer?.status ?? 0) > 299) return false;
  if (row.kind !== ROW_KINDS[ask.what]) return false;
  return (JSON.parse(row.detail) as { by: unknown }).by === SENDER;
}

function picked({ deviceid, command_id, qty, quantity, state }: Record<string, unknown>): object {
  return JSON.parse(JSON.stringify({ deviceid, command_id, qty, quantity, state })) as object;
}

function carryOut(oracle: Oracle, ask: StandInAsk, now: Moment): Result {
  const device = oracle.devices.get(ask.deviceid);
  if (device === undefined) return { status: 404 };
  const { id: deviceid } = device;
  if (ask.what === 'identify') {
    const command = queue(oracle, device, lookOfIdentify(device), now.wallMs, now.monoMs);
    return { status: 200, body: { deviceid, command_id: String(command.id), state: 'queued' } };
  }
  if (oracle.owners.get(ask.commandId) !== device) return { status: 404 };
  const command = findMeant(oracle, device, ask.commandId);
  if (command === undefined) return { status: 409, body: { code: 'conflict' } };
  switch (ask.what) {
    case 'acknowledge': {
      const command_id = String(command.id);
      return { status: 200, body: { deviceid, command_id, qty: acknowledge(oracle, device, command, ask, now) } };
    }
    case 'adjust': {
      const { quantity } = ask;
      if (command.quantity === null) return { status: 400 };
      adjust(oracle, device, command, quantity, now);
      return { status: 200, body: { deviceid, command_id: String(command.id), quantity } };
    }
    case 'takeAway':
      takeAway(oracle, device, command, now);
      return { status: 204 };
  }
}

/** Acknowledges like a press, but by a person or program. Returns the counted quantity. */
function acknowledge(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand,
  { commandId, qty: said }: Extract<StandInAsk, { what: 'acknowledge' }>,
  now: Moment,
): number {
  const qty = said ?? command.adjusted ?? command.quantity ?? 0;
  // The quantity is relative to what the named command showed.
  const shown = said === undefined ? undefined : oracle.lines.of(commandId);
  const end = { kind: 'acknowledged', qty, at: now.wallMs, by: SENDER, told: true } as const;
  oracle.close(
    device,
    command,
    shown === undefined ? end : { ...end, base: shown.base, ordered: shown.ordered },
    now,
  )();
  return qty;
}

/**
 * Changes the count of a command. If the device shows the command, the new count is sent with a new token, because a device keeps its own
 * count. Returns false if nothing changed.
 */
export function adjust(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand,
  quantity: number,
  now: Moment,
  by: string = SENDER,
): boolean {
  if ((command.adjusted ?? command.quantity) === quantity && oracle.lines.isCurrent(command)) return false;
  const isTold = device.queue[0] === command;
  command.adjusted = quantity;
  command.byWorker = false;
  if (isTold) showAnew(oracle, device, command, by, now);
  else oracle.lines.frozen(command);
  return true;
}

/** Shows the remaining quantity of a line, always as a new command. */
export function showRest(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand,
  quantity: number,
  by: string,
  now: Moment,
): void {
  command.quantity = quantity;
  command.adjusted = null;
  command.byWorker = false;
  showAnew(oracle, device, command, by, now);
  if (device.queue[0] !== command) Object.assign(command, { firstAt: null, firstMono: null });
}

function takeAway(oracle: Oracle, device: ModelDevice, command: ModelCommand, now: Moment): void {
  oracle.close(device, command, { kind: 'killed', qty: 0, at: now.wallMs, by: SENDER, told: false }, now)();
}
