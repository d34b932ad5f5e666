import { hash } from 'node:crypto';
import type { ErrorCode } from '#shared/api/problem.ts';
import { exactText } from '#shared/lib/exactText.ts';
import { StationError } from '../errors.ts';
import type { BrokerMessage } from '../brokerPort.ts';
import type { Clock } from '../ports.ts';
import { jsonWithoutSecrets, type KeyedRequests } from '../services/base/index.ts';
import type { CommandTarget, Topics } from './topics.ts';
import { publicOrder } from './privateWords.ts';
import { answerInTopics } from './topicWords.ts';

/** Longest command in bytes, as over HTTP. */
const MAX_BYTES = 1024 * 1024;
/** Commands that may come at once, and how many each second adds: more are answered 429, and no press waits for them. */
const MAX_AT_ONCE = 500;
const PER_SECOND = 250;
/** Caller of all commands, for their keys. */
const CALLER = 'MQTT';
/** After a session was resumed, commands without an expiry may have waited at the broker. */
const RESUMED_MS = 2_000;

/** An answer as over HTTP: the body, or the problem. */
export type Invoked = { status: number; body: unknown };
/** Carries out requests as over HTTP. */
export type Invoker = {
  /** Parses the body of a request. Throws a StationError. */
  read(text: string): unknown;
  /** Begins in this turn. Never rejects. */
  invoke(
    operationId: 'sendToDevice' | 'sendToDevices' | 'addOrder' | 'launchOrder' | 'launchSequence',
    request: { params?: Readonly<Record<string, string>>; body?: unknown },
  ): Promise<Invoked>;
};

/** What became of a message: the answer and its topic; undefined: none. */
type Outcome = { problem: string | null; answer?: Answer };
/** `userProperties`: the id of the command, which the payload of an order leaves to the order. */
type Answer = { topic: string; text: string; userProperties?: { id: string } };

/** Commands over MQTT. Contract, section 18. */
export function createCommands(parts: {
  keyedRequests: KeyedRequests;
  clock: Clock;
  topics: Topics;
  invoker: Invoker;
}) {
  const { keyedRequests, clock, topics } = parts;
  const { invoke, read } = parts.invoker;
  let tokens = MAX_AT_ONCE;
  let filledMs = clock.monotonic();

  function mayRun(): boolean {
    const now = clock.monotonic();
    tokens = Math.min(MAX_AT_ONCE, tokens + ((now - filledMs) / 1_000) * PER_SECOND);
    filledMs = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }

  async function carryOut({ kind, id }: CommandTarget, body: unknown): Promise<Invoked> {
    if (kind === 'device') return invoke('sendToDevice', { params: { DeviceID: id }, body });
    if (kind === 'place') return Array.isArray(body) ? ONE_EACH : invoke('sendToDevices', { body });
    if (kind === 'sequence') return withIgnored(await invoke('launchSequence', { params: { seqID: id } }), body);
    if (!isObject(body)) return invoke('addOrder', { body });
    // Fields of the message, not of the order.
    const { launch, nonce: _nonce, ...order } = body;
    const isLaunch = typeof launch === 'boolean' || launch === undefined;
    if (launch !== true) return invoke('addOrder', { body: isLaunch ? order : { ...order, launch } });
    const added = await invoke('addOrder', { body: order });
    const number = isObject(added.body) ? added.body['order_number'] : undefined;
    if (added.status >= 300 || typeof number !== 'string') return added;
    const launched = await invoke('launchOrder', { params: { order_number: number } });
    if (launched.status < 300) return { ...launched, status: added.status };
    const { body: refusal, status } = launched;
    if (!isObject(refusal)) return launched;
    return { status, body: { ...refusal, detail: `${String(refusal['detail'])} ${IS_CREATED}` } };
  }

  /** Carries out a command, at most once per key. `words`: what the sender calls the key. */
  async function once(
    { key, words }: { key: string | undefined; words: string },
    target: CommandTarget,
    body: unknown,
  ): Promise<Invoked> {
    if (key === undefined) return carryOut(target, body);
    const digest = hash('sha256', JSON.stringify([target, body]), 'base64url');
    const request = { caller: CALLER, key, digest, holdsSecrets: false };
    let first: Invoked | undefined;
    try {
      const { answer } = await keyedRequests.answer(request, { actsOutside: false }, async () => {
        first = await carryOut(target, body);
        return { status: first.status, text: jsonWithoutSecrets(first.body) };
      });
      // Only the station writes it.
      return first ?? { status: answer.status, body: JSON.parse(answer.text ?? 'null') as unknown };
    } catch (error) {
      if (error instanceof StationError && error.code === 'key_reused') {
        const detail = `The ${words} was used for another command in the last 24 hours. Nothing was done. Use a new one for each command, and repeat a command unchanged.`;
        return problem(409, 'The key belongs to another request', detail, error.code);
      }
      throw error;
    }
  }

  async function answered(target: CommandTarget, message: BrokerMessage, isLate: boolean): Promise<Invoked & Names> {
    const { payload, responseTopic, id } = message;
    const ofId = id === undefined || id === '' ? {} : { id };
    if (payload.length > MAX_BYTES)
      return { ...problem(413, 'The command is too large', 'A command has at most 1 MiB. Nothing was done.'), ...ofId };
    if (!mayRun()) return { ...problem(429, 'Busy', BUSY), ...ofId };
    const text = exactText(payload);
    if (text === undefined) return { ...problem(400, NOT_READABLE, NOT_UTF8, 'encoding'), ...ofId };
    let body: unknown;
    try {
      body = text.trim() === '' ? undefined : read(text);
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      return { ...unreadable(error), ...ofId };
    }
    const nonce = nonceIn(body);
    const names: Names = { ...ofId, ...(nonce === undefined ? {} : { nonce }) };
    const refusal = responseTopic === undefined ? undefined : topics.refusalOfResponse(responseTopic);
    if (refusal !== undefined) {
      return { ...problem(400, 'Response topic refused', `${refusal} Nothing was done.`), ...names };
    }
    if (isLate) return { ...problem(410, 'Too late', LATE), ...names };
    // The nonce of a kill names the commands to remove.
    const isKill = isObject(body) && body['command'] === 'kill';
    const ofNonce =
      nonce === undefined || isKill ? undefined : `nonce ${message.topic}\n${placeIn(target, body)}${nonce}`;
    const key = names.id === undefined ? ofNonce : `id ${names.id}`;
    const words = names.id === undefined ? `nonce ${nonce ?? ''}` : `id ${names.id}`;
    return { ...(await once({ key, words }, target, body)), ...names };
  }

  return {
    /** Carries out a message to a command topic. `resumedAt`: monotonic time at which a kept session was resumed. */
    async take(message: BrokerMessage, resumedAt: number | undefined): Promise<Outcome> {
      const target = topics.commandOf(message.topic);
      if (target === undefined) return { problem: 'The station does not act on this topic.' };
      if (message.isRetained)
        return { problem: 'A retained command is ignored: it would run again at each connection.' };
      const isLate = !message.expires && resumedAt !== undefined && clock.monotonic() - resumedAt < RESUMED_MS;
      const { status, body, ...names } = await answered(target, message, isLate);
      const { responseTopic } = message;
      const isFit = responseTopic !== undefined && topics.refusalOfResponse(responseTopic) === undefined;
      const fields = isObject(body) ? answerInTopics(publicOrder(body), topics) : {};
      // The answer to an order has its own `id`.
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
    },
  };
}

type Names = { id?: string; nonce?: string };

const NOT_READABLE = 'The command cannot be read';

const NOT_UTF8 = 'The command is not UTF-8. Encode it as UTF-8. Nothing was done.';

const BUSY = `The station takes ${PER_SECOND} commands a second over MQTT. Nothing was done: send it again later.`;

const LATE =
  'This command waited at the broker while the station was away, and has no message expiry. Nothing was done: send commands with one.';

const IS_CREATED = 'The order was created, and waits to be launched.';

/** An order without its lines: a broker drops what is too large, and nobody would know what became of the order. */
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

/** With a warning for each field of a command that takes none. */
function withIgnored(invoked: Invoked, body: unknown): Invoked {
  if (invoked.status >= 300 || !isObject(body) || !isObject(invoked.body)) return invoked;
  const ignored = Object.keys(body).filter((name) => name !== 'nonce');
  if (ignored.length === 0) return invoked;
  const warnings = ignored.slice(0, MAX_NAMED).map((name) => `/${name.slice(0, 100)}: There is no such field.`);
  const { warnings: own } = invoked.body;
  return {
    ...invoked,
    body: { ...invoked.body, warnings: [...warnings, ...(Array.isArray(own) ? (own as string[]) : [])] },
  };
}

/** Unknown fields that an answer names at most. */
const MAX_NAMED = 10;

const ONE_EACH = problem(
  400,
  'One command per message',
  'A message has one command, but this one has an array. Send one message per command. Nothing was done.',
  'invalid',
);

/** A number is text, as over HTTP. */
function nonceIn(body: unknown): string | undefined {
  const nonce = isObject(body) ? body['nonce'] : undefined;
  const text = typeof nonce === 'number' || typeof nonce === 'boolean' ? String(nonce) : nonce;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** What the body names below `devices/set`, as a part of the key; empty for other topics. */
function placeIn({ kind }: CommandTarget, body: unknown): string {
  if (kind !== 'place' || !isObject(body)) return '';
  return `${JSON.stringify([body['deviceid'], body['location']])}\n`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
