import {
  type CallbackReceiverChange,
  type NewCallbackReceiver,
  storedReceiverSchema,
} from '#shared/api/callbackReceiver.ts';
import { faultsOf } from '#shared/api/schemaFaults.ts';
import { type Settings, settingsSchema } from '#shared/api/settings.ts';
import { DEFAULT_CALLBACK_FAMILIES } from '#shared/lib/connections/callbackFamilies.ts';
import { MAX_CALLBACK_RECEIVERS } from '#shared/lib/connections/maxCallbackReceivers.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import { parseJson } from '../../db/parseJson.ts';
import type { CallbackReceiverRow } from '../../db/repositories/callbackReceivers.ts';
import { RECEIVER_SECRETS, receiverPlace } from '../../db/secretRows.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Audit, By, RunningClock } from '../base/index.ts';

type SecretName = (typeof RECEIVER_SECRETS)[number];
const familiesSchema = settingsSchema.shape.callback_families;

/** An additional callback receiver with decrypted secrets. */
export type FurtherReceiver = {
  id: string;
  name: string;
  url: string;
  families: Settings['callback_families'];
  isPaused: boolean;
  /** The station's running time when the receiver was last resumed, in milliseconds. */
  resumedRanMs: number;
  /** Secrets by name. A secret is null if it is not set, or if it is in `closed`. */
  secrets: Readonly<Record<SecretName, string | null>>;
  /** Secrets that are set but cannot be decrypted, each with the reason. */
  closed: ReadonlyMap<SecretName, string>;
  /** Why the row is not used, as a message for the user, or undefined if the row is valid. */
  invalid: string | undefined;
};

type ReceiverBookParts = {
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Pick<Writer, 'write'>;
  time: Pick<RunningClock, 'ranMs' | 'keep'>;
  audit: Audit;
  keyRing: KeyRing;
};

/** State shared by the functions that manage additional receivers. */
type ReceiverBookContext = ReceiverBookParts & {
  current: readonly FurtherReceiver[];
};

/**
 * Stores the additional receivers and the callback families that each one gets. Each change emits `settings.changed`. See
 * docs/decisions/0087.
 */
export function createReceiverBook(parts: ReceiverBookParts) {
  const { repositories, reads, writer, time, audit, keyRing } = parts;
  const context: ReceiverBookContext = {
    repositories,
    reads,
    writer,
    time,
    audit,
    keyRing,
    current: reads.callbackReceivers.list().map((row) => opened({ keyRing }, row)),
  };
  return {
    list: (): readonly FurtherReceiver[] => context.current,
    find: (id: string): FurtherReceiver | undefined => context.current.find((one) => one.id === id),
    /** Returns the names of receivers with secrets that cannot be decrypted, each with the reasons as sentences. */
    closed: (): ReadonlyMap<string, string> =>
      new Map(context.current.flatMap(({ name, closed }) => (closed.size === 0 ? [] : [[name, reasonsOf(closed)]]))),
    /** Returns the names of receivers with an invalid row, each with the consequence as sentences. */
    invalid: (): ReadonlyMap<string, string> =>
      new Map(context.current.flatMap((one) => (one.invalid === undefined ? [] : [[one.name, invalidWords(one)]]))),
    held: (id: string) => held(context, id),
    reread: (tx: Transaction) => reread(context, tx),
    add: (newCallbackReceiver: NewCallbackReceiver, by: By) => add(context, newCallbackReceiver, by),
    change: (id: string, callbackReceiverChange: CallbackReceiverChange, by: By, check: () => void) =>
      change(context, id, callbackReceiverChange, by, check),
    remove: (id: string, by: By, check: () => void) => remove(context, id, by, check),
  };
}

/** Describes why callbacks to this receiver are waiting. Returns undefined if they are sent. */
function held(context: ReceiverBookContext, id: string): string | undefined {
  const receiver = context.current.find((one) => one.id === id);
  if (receiver?.invalid !== undefined) return invalidWords(receiver);
  if (receiver === undefined || receiver.closed.size === 0) return undefined;
  const { name, closed } = receiver;
  return `${[...closed.keys()].join(', ')} of the receiver ${name} cannot be read. ${reasonsOf(closed)} Enter ${closed.size === 1 ? 'it' : 'them'} again. Its callbacks wait until then.`;
}

/** Adds a receiver and returns its id. Throws `conflict` if the name is taken or the limit is reached. */
function add(
  context: ReceiverBookContext,
  { name, url, families, paused, ...secrets }: NewCallbackReceiver,
  by: By,
): Promise<string> {
  return context.writer.write((tx) => {
    refuseTakenName(context, name, undefined);
    if (context.repositories.callbackReceivers.list().length >= MAX_CALLBACK_RECEIVERS) {
      const message = `There are already ${MAX_CALLBACK_RECEIVERS} further receivers. Delete one first.`;
      throw new StationError('conflict', message);
    }
    const row = {
      name,
      url,
      families: JSON.stringify({ ...DEFAULT_CALLBACK_FAMILIES, ...families }),
      paused: paused ? 1 : 0,
      resumed_ran_ms: context.time.ranMs(),
    } as const;
    const id = context.repositories.callbackReceivers.insert({ ...row, api_key: null, signing_secret: null });
    context.repositories.callbackReceivers.save({
      id,
      ...row,
      api_key: sealed(context, id, 'api_key', secrets.api_key ?? null),
      signing_secret: sealed(context, id, 'signing_secret', secrets.signing_secret ?? null),
    });
    context.audit.record(tx, { action: 'callbackReceiver.added', by, subject: name, detail: {} });
    finish(context, tx);
    return String(id);
  });
}

/** Changes a receiver. `check` runs inside the transaction and can throw. Throws `not_found`, or `conflict` if the name is taken. */
function change(
  context: ReceiverBookContext,
  id: string,
  change: CallbackReceiverChange,
  by: By,
  check: () => void,
): Promise<void> {
  return context.writer.write((tx) => {
    check();
    const row = rowOf(context, id);
    const { name = row.name, url = row.url, families, paused } = change;
    const next = { ...row, name, url };
    refuseTakenName(context, name, row.id);
    for (const secret of RECEIVER_SECRETS)
      if (change[secret] !== undefined) next[secret] = sealed(context, row.id, secret, change[secret]);
    if (families !== undefined) next.families = JSON.stringify({ ...opened(context, row).families, ...families });
    if (paused !== undefined) next.paused = paused ? 1 : 0;
    if (row.paused === 1 && next.paused === 0) {
      next.resumed_ran_ms = context.time.ranMs();
      context.time.keep(tx);
    }
    context.repositories.callbackReceivers.save(next);
    // Record only the field names, because some values are secrets.
    const detail = { settings: Object.keys(change).toSorted() };
    context.audit.record(tx, { action: 'callbackReceiver.changed', by, subject: name, detail });
    finish(context, tx);
  });
}

/** Removes a receiver. `check` runs inside the transaction and can throw. Throws `not_found`. */
function remove(context: ReceiverBookContext, id: string, by: By, check: () => void): Promise<void> {
  return context.writer.write((tx) => {
    const { id: number, name } = rowOf(context, id);
    check();
    context.repositories.callbackReceivers.remove(number);
    context.repositories.outbox.of(id).forget();
    context.audit.record(tx, { action: 'callbackReceiver.removed', by, subject: name, detail: {} });
    finish(context, tx);
  });
}

function read(context: ReceiverBookContext, from: TablesOf<'callbacks'>): readonly FurtherReceiver[] {
  return from.callbackReceivers.list().map((each0) => opened(context, each0));
}

function opened(
  { keyRing }: Pick<ReceiverBookContext, 'keyRing'>,
  { id, name, url, families, paused, resumed_ran_ms, ...stored }: CallbackReceiverRow,
): FurtherReceiver {
  const open = (secret: SecretName): string | null | undefined =>
    stored[secret] === null ? null : keyRing.open(receiverPlace(id, secret), stored[secret]);
  const secrets = { api_key: open('api_key'), signing_secret: open('signing_secret') };
  const wanted = readFamilies(families);
  const [fault] = faultsOf(storedReceiverSchema, { url, families: wanted, ...secrets });
  return {
    id: String(id),
    name,
    url,
    invalid: fault === undefined ? undefined : `${fault.path.slice(1)}: ${fault.message}`,
    families: familiesSchema.safeParse(wanted).data ?? DEFAULT_CALLBACK_FAMILIES,
    isPaused: paused === 1,
    resumedRanMs: resumed_ran_ms,
    secrets: { api_key: secrets.api_key ?? null, signing_secret: secrets.signing_secret ?? null },
    closed: new Map(
      RECEIVER_SECRETS.flatMap((secret) =>
        secrets[secret] === undefined ? [[secret, keyRing.whyClosed(stored[secret] ?? '')] as const] : [],
      ),
    ),
  };
}

function rowOf({ repositories }: ReceiverBookContext, id: string): CallbackReceiverRow {
  const row = repositories.callbackReceivers.list().find((one) => String(one.id) === id);
  if (row === undefined) throw unknownReceiver(id);
  return row;
}

function refuseTakenName({ repositories }: ReceiverBookContext, name: string, own: number | undefined): void {
  const taken = repositories.callbackReceivers
    .list()
    .find((one) => one.id !== own && nameKey(one.name) === nameKey(name));
  if (taken !== undefined) throw new StationError('conflict', `A receiver is already called ${taken.name}.`);
}

function sealed({ keyRing }: ReceiverBookContext, id: number, secret: SecretName, value: string | null): string | null {
  return value === null ? null : keyRing.seal(receiverPlace(id, secret), value);
}

/** Reads the receivers and their secrets again once this transaction is on disk. */
function reread(context: ReceiverBookContext, tx: Transaction): void {
  const { reads } = context;
  tx.apply(() => (context.current = read(context, reads)));
}

/** Publishes that the receivers have changed. Call inside the transaction. */
function finish(context: ReceiverBookContext, tx: Transaction): void {
  tx.emit({ type: 'settings.changed' });
  reread(context, tx);
}

/** Joins the distinct reasons. */
function reasonsOf(closed: FurtherReceiver['closed']): string {
  return [...new Set(closed.values())].join(' ');
}

export type ReceiverBook = ReturnType<typeof createReceiverBook>;

/** Parses the stored families. Rows from earlier versions may lack newer families. */
function readFamilies(text: string): unknown {
  const families = parseJson(text);
  const isObject = typeof families === 'object' && families !== null && !Array.isArray(families);
  return isObject ? { ...DEFAULT_CALLBACK_FAMILIES, ...families } : null;
}

function invalidWords({ name, invalid = '' }: FurtherReceiver): string {
  return `The stored data of receiver ${name} is not valid. ${invalid} Enter the receiver again. Its callbacks wait until then.`;
}

export function unknownReceiver(id: string): StationError {
  return new StationError('not_found', `There is no receiver ${id}. GET /api/callback-receivers/ lists all of them.`);
}
