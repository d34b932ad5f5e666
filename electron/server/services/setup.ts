import type { Repositories } from '../db/repositories.ts';
import type { Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Ids } from '../ports.ts';
import { type Access, type People, refuseGuessablePassword } from './access/index.ts';
import { type Audit, type By, STATION } from './base/index.ts';

const ADMIN = 'admin';
const admin = (passwordHash: string) =>
  ({ username: ADMIN, passwordHash, role: 'admin', sessions: 'end', by: STATION, method: 'environment' }) as const;

/** Begins to hash the password of the configuration on another thread, while the start continues. */
export function hashOfAdmin(people: Pick<People, 'hashOf'>, password: string | undefined): Promise<string> | undefined {
  const hash = password === undefined ? undefined : people.hashOf(ADMIN, password);
  // An early failure is reported by the code that awaits the promise; this keeps Node from calling it unhandled.
  hash?.catch(() => undefined);
  return hash;
}

type SetupCore = {
  repositories: Pick<Repositories, 'accounts'>;
  writer: Writer;
  audit: Audit;
  ids: Ids;
};

/** What the use-cases of set-up share. */
type SetupContext = SetupCore & { access: Pick<Access, 'people' | 'apiUsers'> };

/** The first start. */
export function createSetup(core: SetupCore, needs: { access: Pick<Access, 'people' | 'apiUsers'> }) {
  const { repositories, writer, audit, ids } = core;
  const context: SetupContext = { repositories, writer, audit, ids, access: needs.access };
  return {
    start: (asked: {
      /** Of the password that `admin` is to have; undefined: the configuration says none. */
      adminHash: Promise<string> | undefined;
      apiKey: string | undefined;
      /** Who sets the password of a new data folder: the station, which prints it, or a person at the window. */
      firstRun: 'print' | 'window';
    }) => start(context, asked),
    finish: (password: string, by: By) => finish(context, password, by),
  };
}

export type Setup = ReturnType<typeof createSetup>;

/** Makes the accounts that the configuration asks for. Answers a password that was made, to be said once. */
async function start(
  context: SetupContext,
  {
    adminHash,
    apiKey,
    firstRun,
  }: {
    /** Of the password that `admin` is to have; undefined: the configuration says none. */
    adminHash: Promise<string> | undefined;
    apiKey: string | undefined;
    /** Who sets the password of a new data folder: the station, which prints it, or a person at the window. */
    firstRun: 'print' | 'window';
  },
): Promise<string | undefined> {
  const { access, repositories, ids } = context;
  if (apiKey !== undefined) await access.apiUsers.setEnvironmentKey(apiKey);
  const isFresh = access.people.count() === 0;
  const settle = () => repositories.accounts.setSetupPending(false);
  if (adminHash !== undefined) {
    await access.people.put(admin(await adminHash), settle);
    return undefined;
  }
  if (firstRun === 'window') {
    // A random password: until a person chooses another one, only the window is signed in.
    const unknown = Buffer.from(ids.bytes(32)).toString('base64url');
    if (isFresh)
      await access.people.put(await accountOf(context, unknown), () => repositories.accounts.setSetupPending(true));
    return undefined;
  }
  // The first start was in a window, and ended before a password was chosen.
  if (!isFresh && !repositories.accounts.isSetupPending()) return undefined;
  const password = readablePassword(ids.bytes(12));
  await access.people.put(await accountOf(context, password), settle);
  return password;
}

/** Gives `admin` the password that was chosen. Throws `conflict` where there is one already, and `invalid` if it is guessed first. */
async function finish(context: SetupContext, password: string, by: By): Promise<void> {
  const { repositories, access, audit } = context;
  const refuse = () => {
    if (repositories.accounts.isSetupPending()) return;
    throw new StationError(
      'conflict',
      'The first password was chosen already. Sign in with it; a signed-in person changes his own at /api/user/password/.',
    );
  };
  await refuseGuessablePassword('admin', password, 'password');
  // The window in which it is chosen stays signed in.
  const chosen = { ...(await accountOf(context, password)), sessions: 'keep', by, method: 'window' } as const;
  await access.people.put(chosen, (tx) => {
    refuse();
    repositories.accounts.setSetupPending(false);
    audit.record(tx, { action: 'setup.done', by, subject: '', detail: {} });
    tx.emit({ type: 'setup.done' });
  });
}

async function accountOf({ access }: SetupContext, password: string) {
  return admin(await access.people.hashOf(ADMIN, password));
}

/** Twelve letters and digits in groups, without those that look alike. */
function readablePassword(bytes: Uint8Array): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters = [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}
