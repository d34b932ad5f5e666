import type { Kiosk, KioskScreen, NewKiosk } from '#shared/api/kiosk.ts';
import type { TablesOf } from '../../core.ts';
import type { KioskRow } from '../../db/repositories/kiosks.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import { refuseTakenName } from './names.ts';
import type { Passwords } from './passwords.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { NewSession, Opener, Sessions } from './sessions.ts';
import type { Audit, By } from '../base/index.ts';

/** A sign-in attempt with a PIN. `before` is the id of the browser's current session, which the sign-in ends. */
type PinSignIn = { username: string; pin: string; address: string; opener: Opener; before: string | undefined };

type KioskContext = {
  repositories: TablesOf<'access'>;
  reads: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  ids: Ids;
  passwords: Passwords;
  sessions: Sessions;
  audit: Audit;
};

/** Manages browsers that are locked to the Pick page, where pickers sign in with a PIN. */
export function createKiosks(context: KioskContext) {
  return {
    list: (): Kiosk[] => context.reads.accounts.listKiosks().map((row) => kioskOf(context, row)),
    screen: (token: string | undefined) => screenOf(context, token),
    add: (wanted: NewKiosk, before: string | undefined, by: By) => add(context, wanted, before, by),
    remove: (id: string, by: By) => remove(context, id, by),
    idOf: (token: string | undefined): number | undefined => find(context, token)?.id,
    isToken: (token: string | undefined): boolean => find(context, token) !== undefined,
    signIn: (token: string | undefined, attempt: PinSignIn) => signIn(context, token, attempt),
  };
}

function kioskOf({ sessions }: KioskContext, { id, name, created_at: at }: KioskRow): Kiosk {
  return { id: String(id), name, created: new Date(at).toISOString(), sessions: sessions.countOfKiosk(id) };
}

function find({ repositories }: KioskContext, token: string | undefined): KioskRow | undefined {
  return token === undefined ? undefined : repositories.accounts.findKioskByToken(sha256(token));
}

/** Finds a picker by name. Also matches other Unicode forms, as sign-in with a password does. */
function findPicker({ repositories }: KioskContext, typed: string) {
  const { findUser } = repositories.accounts;
  const user = findUser(typed) ?? findUser(typed.normalize('NFKC'));
  return user?.role === 'picker' && user.pin_hash !== null ? { ...user, pin_hash: user.pin_hash } : undefined;
}

/** Returns the sign-in screen for a browser with this kiosk token, or an empty screen for other browsers. */
function screenOf(context: KioskContext, token: string | undefined): KioskScreen {
  const kiosk = find(context, token);
  if (kiosk === undefined) return { kiosk: null, people: [] };
  const people = context.reads.accounts.listWithPin().map(({ username, color }) => ({ username, color }));
  return { kiosk: { id: String(kiosk.id), name: kiosk.name }, people };
}

/**
 * Adds a kiosk and returns its token. `before` is the browser's current kiosk token, if any. Throws `conflict` if the browser is already a
 * kiosk or the name is taken.
 */
function add(
  context: KioskContext,
  { name }: NewKiosk,
  before: string | undefined,
  by: By,
): Promise<{ kiosk: Kiosk; token: string }> {
  const { repositories, writer, ids, audit } = context;
  const token = newSecret(ids, '');
  return writer.write((tx) => {
    const known = find(context, before);
    if (known !== undefined) {
      throw new StationError('conflict', `This browser is already the kiosk ${known.name}. Remove that kiosk first.`);
    }
    refuseTakenName(repositories, 'name', name);
    const row = { name, token_hash: sha256(token), created_at: tx.now };
    const id = repositories.accounts.insertKiosk(row);
    audit.record(tx, { action: 'kiosk.added', by, subject: name, detail: {} });
    return { kiosk: kioskOf(context, { ...row, id }), token };
  });
}

/** Removes a kiosk and ends the sessions that began there. Throws `not_found`. */
function remove({ repositories, writer, sessions, audit }: KioskContext, id: string, by: By): Promise<void> {
  return writer.write((tx) => {
    const kiosk = /^\d{1,15}$/.test(id) ? repositories.accounts.findKiosk(Number(id)) : undefined;
    if (kiosk === undefined)
      throw new StationError('not_found', `There is no kiosk ${id}. GET /api/kiosks/ lists them.`);
    sessions.endOfKiosk(tx, kiosk.id);
    repositories.accounts.removeKiosk(kiosk.id);
    audit.record(tx, { action: 'kiosk.removed', by, subject: kiosk.name, detail: {} });
  });
}

/**
 * Signs a picker in. Throws `forbidden` without a valid kiosk token, and `too_many_requests` after too many wrong PINs. Throws
 * `unauthenticated` after the same time for a wrong PIN and for a person without a PIN.
 */
async function signIn(
  context: KioskContext,
  token: string | undefined,
  { username, pin, address, opener, before }: PinSignIn,
): Promise<NewSession> {
  const { repositories, writer, passwords, sessions, audit } = context;
  const kiosk = find(context, token);
  if (kiosk === undefined) throw noKiosk();
  const known = findPicker(context, username);
  const trier = { name: username, address, kioskId: kiosk.id };
  const isRight = await passwords.matchesPin(pin, known?.pin_hash, trier);
  if (!isRight || known === undefined) return refused(context, known?.username ?? '', kiosk, address);
  return writer.write((tx) => {
    // Check again: while the PIN was being hashed, the kiosk may have been removed, or the PIN or role may have changed.
    if (find(context, token) === undefined) throw noKiosk();
    const user = findPicker(context, known.username);
    if (user?.pin_hash !== known.pin_hash) {
      throw new StationError('unauthenticated', 'The PIN was changed meanwhile. Sign in with the new one.');
    }
    repositories.accounts.setSignedIn(user.username, tx.now);
    const by = { name: user.username, address };
    const detail = { method: 'pin', kiosk: kiosk.name } as const;
    audit.record(tx, { action: 'session.opened', by, subject: '', detail });
    const session = sessions.open(tx, user, { opener, kioskId: kiosk.id });
    // End the previous session last. Otherwise, a person who signs in again would count as signed out in between.
    const previous = before === undefined ? undefined : sessions.find(sha256(before));
    if (previous !== undefined) sessions.end(tx, previous);
    return session;
  });
}

/**
 * Records a refused attempt and throws. For an unknown name, `subject` is empty, because the name may be a PIN that was entered into the
 * wrong field.
 */
async function refused(
  { writer, audit }: KioskContext,
  subject: string,
  kiosk: KioskRow,
  address: string,
): Promise<never> {
  const detail = { method: 'pin', kiosk: kiosk.name } as const;
  await writer.write((tx) =>
    audit.record(tx, { action: 'session.refused', subject, detail, by: { name: '', address } }),
  );
  throw new StationError(
    'unauthenticated',
    'The name or the PIN is wrong. Only pickers who have a PIN sign in with it; others sign in with their password.',
  );
}

export type Kiosks = ReturnType<typeof createKiosks>;

function noKiosk(): StationError {
  return new StationError(
    'forbidden',
    'This browser is not a kiosk, and a PIN works only at one. Sign in with your password, or ask an admin to lock this browser to Pick.',
  );
}
