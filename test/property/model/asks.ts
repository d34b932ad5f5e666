import { isDeepStrictEqual } from 'node:util';
import type { DeviceRequest } from '#shared/api/device.ts';
import type { DeviceAsk, Entry } from './journal.ts';
import type { Oracle } from './oracle.ts';
import type { Moment } from './reports.ts';
import { addressOf, find, SENDER } from './naming.ts';
import { relabel } from './relabel.ts';
import { changeStatics, linesOf, lookOf, type ModelCommand, type ModelDevice, type ModelOwner } from './state.ts';

export type ModelSettings = {
  url: string;
  families: { device: boolean; sequence: boolean; order: boolean };
  templates: { ordernonce: string; shipmentnonce: string; callback_nonce: string };
  unreachable: 'nack' | 'none';
  seconds: number;
  color: string;
  orderSeconds: number;
  orderColor: string;
};

export const WORDS: Readonly<Record<string, 'flash' | 'pick' | 'kill'>> = {
  flash: 'flash',
  message: 'flash',
  pick: 'pick',
  display: 'pick',
  kill: 'kill',
};

export type AskContent = Pick<
  ModelCommand,
  'target' | 'address' | 'nonce' | 'word' | 'lines' | 'barcode' | 'quantity' | 'color' | 'seconds'
>;
type Asked = Extract<Entry, { kind: 'asked' }>;
type Result = Record<string, unknown> & { status: number };

/** Carries out one HTTP request in the model, and checks the station's answer. */
export function answerAsks(oracle: Oracle, entry: Asked): void {
  const { asks, bulk, answer } = entry;
  const results = asks.map((ask) => carryOut(oracle, ask, entry.wallMs, entry.monoMs));
  const found: unknown = answer?.body;
  const answers =
    bulk && Array.isArray(found)
      ? (found as Record<string, unknown>[])
      : [{ ...(found as object), status: answer?.status }];
  const told = answers.map(picked);
  if (!isDeepStrictEqual(told, results)) {
    throw new Error(
      `${JSON.stringify(asks)} was answered ${JSON.stringify(told)} instead of ${JSON.stringify(results)}`,
    );
  }
  const status = bulk ? (results.every((result) => result.status === 200) ? 200 : 207) : results[0]?.status;
  if (answer?.status !== status) throw new Error(`${JSON.stringify(asks)} was answered with ${answer?.status}`);
}

/** Returns the fields of an answer that the contract defines, without the text of a refusal. */
function picked(answer: Record<string, unknown>): Result {
  const status = Number(answer['status']);
  if (status !== 200) return { status };
  const { deviceid, command_id, state, killed, updated } = answer;
  return JSON.parse(JSON.stringify({ status, deviceid, command_id, state, killed, updated })) as Result;
}

/** Fields that change nothing if they are sent without any other field. */
const IDLE: ReadonlySet<string> = new Set(['deviceid', 'location', 'color', 'seconds', 'sound', 'nonce']);

function carryOut(oracle: Oracle, { deviceid, request }: DeviceAsk, wallMs: number, monoMs: number): Result {
  const hasLines = linesOf(request).length > 0;
  const word = request.command === undefined ? (hasLines ? 'flash' : undefined) : WORDS[request.command];
  if (request.command !== undefined && word === undefined) return { status: 400 };
  if (word === undefined && Object.keys(request).every((field) => IDLE.has(field))) return { status: 400 };
  const device = find(oracle, deviceid ?? request.deviceid, request.location);
  if (device === undefined) return { status: 404 };
  if (word === undefined) {
    const updated = changeStatics(device, request);
    const label = request.locationoverride ?? device.label;
    if (label !== device.label) relabel(oracle, device, label, { wallMs, monoMs });
    return { status: 200, deviceid: device.id, updated };
  }
  if (word === 'kill') {
    return { status: 200, deviceid: device.id, killed: kill(oracle, device, request.nonce, wallMs, monoMs) };
  }
  const isNamed = deviceid === undefined && request.deviceid === undefined && request.location !== undefined;
  const address = isNamed ? addressOf(oracle, request.location ?? '') : 'device';
  const command = queue(oracle, device, { ...contentOf(oracle, word, request), address }, wallMs, monoMs);
  return { status: 200, deviceid: device.id, command_id: String(command.id), state: 'queued' };
}

function contentOf(oracle: Oracle, word: 'flash' | 'pick', request: DeviceRequest): AskContent {
  return {
    target: 'device',
    address: 'device',
    nonce: request.nonce ?? '',
    word,
    lines: linesOf(request),
    barcode: '',
    quantity: request.quantity ?? null,
    color: request.color ?? oracle.settings.color,
    seconds: request.seconds ?? oracle.settings.seconds,
  };
}

/** Returns what a device shows for `identify`. */
export function lookOfIdentify({ id, label }: ModelDevice): AskContent {
  const lines = [label === '' ? id : label, 'Here I am'];
  return {
    target: 'identify',
    address: 'device',
    nonce: '',
    word: 'flash',
    lines,
    barcode: '',
    quantity: null,
    color: 'magenta',
    seconds: 5,
  };
}

/** Replaces the command with the same identity, or adds a new command at the end of the queue. */
export function queue(
  oracle: Oracle,
  device: ModelDevice,
  content: AskContent,
  wallMs: number,
  monoMs: number,
): ModelCommand {
  const command = newCommand(oracle, device, content, null, wallMs);
  const place = device.queue.findIndex(
    (other) =>
      other.owner === null &&
      other.target === command.target &&
      other.alias === '' &&
      other.nonce === command.nonce &&
      (command.nonce !== '' || lookOf(other) === lookOf(command)),
  );
  const replaced = device.queue[place];
  if (replaced === undefined) device.queue.push(command);
  else {
    device.queue[place] = command;
    if (lookOf(replaced) === lookOf(command)) {
      // A repeated call does not revert the worker's count or press.
      command.adjusted = replaced.adjusted;
      command.byWorker = replaced.byWorker;
      oracle.successors.set(replaced.id, command.id);
    }
    oracle.replaced(device, replaced, wallMs, SENDER);
  }
  if (device.queue[0] === command) {
    command.firstAt = wallMs;
    command.firstMono = monoMs;
  }
  return command;
}

/** Adds a command at the end of the device's queue. */
export function enqueue(
  oracle: Oracle,
  device: ModelDevice,
  content: AskContent,
  owner: ModelOwner,
  { wallMs, monoMs }: Moment,
): ModelCommand {
  const command = newCommand(oracle, device, content, owner, wallMs);
  device.queue.push(command);
  if (device.queue[0] === command) Object.assign(command, { firstAt: wallMs, firstMono: monoMs });
  return command;
}

function newCommand(
  oracle: Oracle,
  device: ModelDevice,
  content: AskContent,
  owner: ModelOwner | null,
  createdAt: number,
): ModelCommand {
  const command = {
    id: oracle.newId(device),
    owner,
    ...content,
    alias: '',
    createdAt,
    firstAt: null,
    firstMono: null,
    shownAt: null,
    shownMono: null,
    trulyShownMono: null,
    heardMono: null,
    adjusted: null,
    byWorker: false,
    sender: SENDER,
    forwardMs: 0,
  };
  oracle.lines.frozen(command);
  return command;
}

/** Removes all commands of the device, or only those with this nonce, without a callback. */
function kill(oracle: Oracle, device: ModelDevice, nonce: string | undefined, wallMs: number, monoMs: number): number {
  const killed = device.queue.filter((command) => !nonce || command.nonce === nonce);
  const then = killed.map((command) =>
    oracle.close(device, command, { kind: 'killed', qty: 0, at: wallMs, by: SENDER, told: false }, { wallMs, monoMs }),
  );
  for (const follow of then) follow();
  return killed.length;
}
