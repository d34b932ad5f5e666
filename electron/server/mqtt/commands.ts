import { hash } from 'node:crypto';
import type { ErrorCode } from '#shared/api/problem.ts';
import { exactText } from '#shared/lib/text/exactText.ts';
import { StationError } from '../errors.ts';
import type { BrokerMessage } from '../ports/broker.ts';
import type { Clock } from '../ports.ts';
import {
  contentText,
  invalidKey,
  isEmptyContent,
  jsonWithoutSecrets,
  type KeyedAnswer,
  keyInBody,
  type KeyedRequests,
} from '../services/base/index.ts';
import type { Invoked, Invoker } from './commandInvoker.ts';
import { idDoubts, MAX_NAMED, type Names, nonceIn, placeIn, subjectOf } from './commandNames.ts';
import { type FindOpen, isOpen, stateNow } from './commandState.ts';
import { isObject } from './isObject.ts';
import type { CommandTarget, Topics } from './topics.ts';
import { publicOrder } from './privateWords.ts';
import { answerInTopics } from './topicWords.ts';

/** Maximum size of a command in bytes, the same as over HTTP. */
const MAX_BYTES = 1024 * 1024;
/**
 * Number of commands allowed in a burst, and number allowed per second after that. Further commands get the response 429, so that presses
 * never wait for them.
 */
const MAX_AT_ONCE = 500;
const PER_SECOND = 250;
/** Name under which the idempotency keys of commands over MQTT are stored. */
const CALLER = 'MQTT';
/** How long commands without an expiry are refused after a session was resumed, in milliseconds. They may have waited at the broker. */
const RESUMED_MS = 2_000;

/**
 * Outcome of a message. `problem` is the reason for a refusal, or null if the message was accepted. `answer` is undefined if the message
 * gets no response.
 */
type Outcome = { problem: string | null; answer?: Answer };
/** Response to a command. `userProperties` contains the id of the command, because `id` in the payload may be the order's own. */
type Answer = { topic: string; text: string; userProperties?: { id: string } };

type CommandsParts = {
  keyedRequests: KeyedRequests;
  clock: Clock;
  topics: Topics;
  invoker: Invoker;
  findOpen: FindOpen;
};

/** Dependencies and state of commands over MQTT. */
type CommandsContext = Pick<CommandsParts, 'keyedRequests' | 'clock' | 'topics' | 'findOpen'> & {
  invoke: Invoker['invoke'];
  read: Invoker['read'];
  tokens: number;
  filledMs: number;
  /** Keys of the commands whose messages have been carried out and not acknowledged yet, by packet identifier. */
  unacknowledged: Map<number, string>;
};

/** Creates the handler for commands over MQTT, as specified in section 18 of the contract. */
export function createCommands(parts: CommandsParts) {
  const { keyedRequests, clock, topics, findOpen } = parts;
  const { invoke, read } = parts.invoker;
  const context: CommandsContext = {
    keyedRequests,
    clock,
    topics,
    findOpen,
    invoke,
    read,
    tokens: MAX_AT_ONCE,
    filledMs: clock.monotonic(),
    unacknowledged: new Map(),
  };
  return {
    /** Call when the message has been acknowledged. */
    acknowledged({ packetId }: BrokerMessage): void {
      if (packetId !== undefined) context.unacknowledged.delete(packetId);
    },
    take: (message: BrokerMessage, resumedAt: number | undefined) => take(context, message, resumedAt),
  };
}

/**
 * Executes the command in a message. `resumedAt` is the monotonic time at which the session was resumed, or undefined if the session is
 * new.
 */
async function take(context: CommandsContext, message: BrokerMessage, resumedAt: number | undefined): Promise<Outcome> {
  const { topics, clock } = context;
  const target = topics.commandOf(message.topic);
  if (target === undefined) return { problem: 'The station does not act on this topic.' };
  if (message.isRetained) return { problem: 'A retained command is ignored: it would run again at each connection.' };
  // Packet identifiers belong to a session.
  if (resumedAt === undefined) context.unacknowledged.clear();
  const isLate = !message.expires && resumedAt !== undefined && clock.monotonic() - resumedAt < RESUMED_MS;
  const { status, body, ...names } = await answered(context, target, message, isLate);
  const { responseTopic } = message;
  const isFit = responseTopic !== undefined && topics.refusalOfResponse(responseTopic) === undefined;
  const fields = isObject(body) ? answerInTopics(publicOrder(body), topics) : {};
  // Put the fields last, because the response about an order has its own `id`, which must win.
  const whole = JSON.stringify({ ...names, ...fields, status });
  const text =
    Buffer.byteLength(whole) <= MAX_BYTES ? whole : JSON.stringify({ ...names, ...shortened(fields), status });
  const detail = fields['detail'];
  return {
    problem: status < 300 ? null : typeof detail === 'string' ? detail : `Answered ${status}.`,
    answer: {
      topic: isFit ? responseTopic : target.result,
      text,
      ...(names.id === undefined ? {} : { userProperties: { id: names.id } }),
    },
  };
}

function mayRun(context: CommandsContext): boolean {
  const { clock } = context;
  const now = clock.monotonic();
  context.tokens = Math.min(MAX_AT_ONCE, context.tokens + ((now - context.filledMs) / 1_000) * PER_SECOND);
  context.filledMs = now;
  if (context.tokens < 1) return false;
  context.tokens -= 1;
  return true;
}

/** Executes a command. `isLate` is set for an order that waited at the broker without an expiry, which is not launched. */
async function carryOut(
  { invoke }: CommandsContext,
  { kind, id }: CommandTarget,
  body: unknown,
  isLate: boolean,
): Promise<Invoked> {
  if (kind === 'device') return invoke('sendToDevice', { params: { DeviceID: id }, body });
  if (kind === 'place') return Array.isArray(body) ? ONE_EACH : invoke('sendToDevices', { body });
  if (kind === 'sequence') return withIgnored(await invoke('launchSequence', { params: { seqID: id } }), body);
  if (!isObject(body)) return invoke('addOrder', { body });
  // `launch` and `nonce` belong to the message, not to the order.
  const { launch, nonce: _nonce, ...order } = body;
  const isLaunched = LAUNCH.get(launch);
  if (isLaunched === undefined) return NOT_BOOLEAN;
  const added = await invoke('addOrder', { body: order });
  if (!isLaunched) return added;
  if (isLate) return withWarnings(added, [NOT_LAUNCHED]);
  const number = isObject(added.body) ? added.body['order_number'] : undefined;
  if (added.status >= 300 || typeof number !== 'string') return added;
  const launched = await invoke('launchOrder', { params: { order_number: number } });
  const warnings = warningsOf(added);
  if (launched.status < 300) return withWarnings({ ...launched, status: added.status }, warnings);
  const { body: refusal, status } = launched;
  if (!isObject(refusal)) return launched;
  const said = warnings.length === 0 ? {} : { warnings };
  return {
    status,
    body: { ...refusal, detail: `${String(refusal['detail'])} ${IS_CREATED}`, order_number: number, ...said },
  };
}

/** What identifies a command. `words` is the key as error messages show it. Keys of nonces name one command after another. */
type Identity = { key: string; words: string; isNonce: boolean };

/** Executes a command, or returns the first answer for a repetition, with the state of the command now. */
async function once(
  context: CommandsContext,
  identity: Identity | undefined,
  target: CommandTarget,
  { body, message, isLate }: { body: unknown; message: BrokerMessage; isLate: boolean },
): Promise<Invoked> {
  const { keyedRequests, unacknowledged } = context;
  if (identity === undefined) return carryOut(context, target, body, isLate);
  const { key, words, isNonce } = identity;
  const { packetId, isRedelivered } = message;
  const isRedelivery = isRedelivered && packetId !== undefined && unacknowledged.get(packetId) === key;
  const isCurrent = async (first: KeyedAnswer): Promise<boolean> =>
    isRedelivery || isOpen(await stateNow(context, target, parsed(first)));
  const content = contentText([target, isEmptyContent(body) ? null : body]);
  const digest = hash('sha256', content, 'base64url');
  const request = { caller: CALLER, key, digest, holdsSecrets: false };
  let first: Invoked | undefined;
  try {
    const how = { actsOutside: false, ...(isNonce ? { isCurrent } : {}) };
    const { answer, isReplayed } = await keyedRequests.answer(request, how, async () => {
      first = await carryOut(context, target, body, isLate);
      return { status: first.status, text: jsonWithoutSecrets(first.body) };
    });
    if (packetId !== undefined) unacknowledged.set(packetId, key);
    const said = first ?? { status: answer.status, body: parsed(answer) };
    return isReplayed ? await replayed(context, target, said) : said;
  } catch (error) {
    if (error instanceof StationError && error.code === 'key_reused') {
      const until = isNonce ? 'belongs to another open command' : 'was used for another command in the last 24 hours';
      const detail = `The ${words} ${until}. Nothing was done. Use a new one for each command, and repeat a command unchanged.`;
      return problem(409, 'The key belongs to another request', detail, error.code);
    }
    throw error;
  }
}

/** Marks the first answer as a repetition, and updates the state in it. */
async function replayed(context: CommandsContext, target: CommandTarget, { status, body }: Invoked): Promise<Invoked> {
  if (!isObject(body)) return { status, body };
  const { delivery: _delivery, ...rest } = body;
  const now = status < 300 ? await stateNow(context, target, body) : {};
  return { status, body: { ...(now.state === undefined ? body : rest), ...now, replayed: true } };
}

function parsed({ text }: KeyedAnswer): unknown {
  // Safe: only the station writes this JSON.
  return JSON.parse(text ?? 'null') as unknown;
}

async function answered(
  context: CommandsContext,
  target: CommandTarget,
  message: BrokerMessage,
  isLate: boolean,
): Promise<Invoked & Names> {
  const { read, topics } = context;
  const { payload, responseTopic, id } = message;
  const ofId = id === undefined || id === '' ? {} : { id };
  if (payload.length > MAX_BYTES)
    return { ...problem(413, 'The command is too large', 'A command has at most 1 MiB. Nothing was done.'), ...ofId };
  if (!mayRun(context)) return { ...problem(429, 'Busy', BUSY), ...ofId };
  const text = exactText(payload);
  if (text === undefined) return { ...problem(400, NOT_READABLE, NOT_UTF8, 'encoding'), ...ofId };
  let sent: unknown;
  try {
    sent = text.trim() === '' ? undefined : read(text);
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    return { ...unreadable(error), ...subjectOf(target, undefined), ...ofId };
  }
  const nonce = nonceIn(sent);
  const known: Names = { ...subjectOf(target, sent), ...ofId, ...(nonce === undefined ? {} : { nonce }) };
  let body: unknown;
  let key: string | undefined;
  try {
    ({ key, rest: body } = keyInBody(sent));
    if (key !== undefined && known.id !== undefined && key !== known.id) throw invalidKey(TWO_KEYS);
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    return { ...unreadable(error), ...known };
  }
  const names: Names = { ...known, ...(key === undefined ? {} : { key }) };
  const refusal = responseTopic === undefined ? undefined : topics.refusalOfResponse(responseTopic);
  if (refusal !== undefined) {
    return { ...problem(400, 'Response topic refused', `${refusal} Nothing was done.`), ...names };
  }
  // An order is never lost.
  if (isLate && target.kind !== 'order') return { ...problem(410, 'Too late', LATE), ...names };
  // The nonce of a kill names the commands to remove.
  const isKill = isObject(body) && body['command'] === 'kill';
  const given = names.id ?? key;
  const ofNonce =
    nonce === undefined || isKill ? undefined : `nonce ${message.topic}\n${placeIn(target, body)}${nonce}`;
  const identity =
    given !== undefined
      ? { key: `id ${given}`, words: `${names.id === undefined ? 'key' : 'id'} ${given}`, isNonce: false }
      : ofNonce === undefined
        ? undefined
        : { key: ofNonce, words: `nonce ${nonce ?? ''}`, isNonce: true };
  const answer = await once(context, identity, target, { body, message, isLate });
  return { ...withWarnings(answer, idDoubts(message, { nonce, key })), ...names };
}

const TWO_KEYS = 'The user property id and key in the payload differ. Send only one of them.';

const NOT_READABLE = 'The command cannot be read';

const NOT_UTF8 = 'The command is not UTF-8. Encode it as UTF-8. Nothing was done.';

const BUSY = `The station takes ${PER_SECOND} commands a second over MQTT. Nothing was done: send it again later.`;

const LATE =
  'This command waited at the broker while the station was away, and has no message expiry. Nothing was done: send commands with one.';

const NOT_LAUNCHED =
  'This order waited at the broker while the station was away, and has no message expiry. It was created and not launched: launch it, or send orders with an expiry.';

const IS_CREATED = 'The order was created, and waits to be launched.';

/** Returns an order without its lines. A broker drops messages that are too large, and the sender would then get no response. */
function shortened(order: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(order).filter(([name]) => !LINES.has(name)));
}
const LINES: ReadonlySet<string> = new Set(['shipments', 'items', 'unassigned']);

function problem(status: number, title: string, detail: string, code?: ErrorCode): Invoked {
  return { status, body: { type: 'about:blank', title, status, detail, ...(code === undefined ? {} : { code }) } };
}

function unreadable({ message, code, errors }: StationError): Invoked {
  const { status, body } = problem(400, NOT_READABLE, `${message} Nothing was done.`, code);
  return { status, body: errors.length === 0 ? body : { ...(body as object), errors } };
}

/** Adds a warning for each field in the payload of a command that takes no fields. */
function withIgnored(invoked: Invoked, body: unknown): Invoked {
  const ignored = isObject(body) ? Object.keys(body).filter((name) => name !== 'nonce') : [];
  const named = ignored.slice(0, MAX_NAMED);
  return withWarnings(
    invoked,
    named.map((name) => `/${name.slice(0, 100)}: There is no such field.`),
  );
}

/** Adds warnings before those in the response. Leaves a refusal unchanged. */
function withWarnings({ status, body }: Invoked, warnings: readonly string[]): Invoked {
  if (warnings.length === 0 || status >= 300 || !isObject(body)) return { status, body };
  return { status, body: { ...body, warnings: [...new Set([...warnings, ...warningsOf({ status, body })])] } };
}

function warningsOf({ body }: Invoked): readonly string[] {
  const warnings = isObject(body) ? body['warnings'] : undefined;
  // Safe cast: only the station writes warnings, and they are texts.
  return Array.isArray(warnings) ? (warnings as string[]) : [];
}

/**
 * Accepted values of `launch` in an order. Other values are refused, because the order would otherwise stay unlit without an explanation.
 */
const LAUNCH: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  ['', false],
  [null, false],
  [undefined, false],
]);

const NOT_BOOLEAN: Invoked = {
  status: 400,
  body: {
    ...(problem(400, 'The request is not valid', '/launch: This has to be true or false. Nothing was done.', 'invalid')
      .body as object),
    errors: [{ path: '/launch', message: 'This has to be true or false.' }],
  },
};

const ONE_EACH = problem(
  400,
  'One command per message',
  'A message has one command, but this one has an array. Send one message per command. Nothing was done.',
  'invalid',
);
