import type { TablesOf } from '../core.ts';
import type { Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Ids } from '../ports.ts';
import { type Access, FIRST_PERSON, type People, refuseGuessablePassword } from './access/index.ts';
import { type Audit, type By, STATION } from './base/index.ts';

const admin = (passwordHash: string) =>
  ({
    username: FIRST_PERSON,
    passwordHash,
    role: 'admin',
    sessions: 'end',
    by: STATION,
    method: 'environment',
  }) as const;

/** Starts hashing the configured password in another thread while the station continues to start. */
export function hashOfAdmin(people: Pick<People, 'hashOf'>, password: string | undefined): Promise<string> | undefined {
  const hash = password === undefined ? undefined : people.hashOf(FIRST_PERSON, password);
  // Only prevents an unhandled rejection until the promise is awaited. The code that awaits it reports the failure.
  hash?.catch(() => undefined);
  return hash;
}

type SetupCore = {
  repositories: TablesOf<'setup'>;
  writer: Writer;
  audit: Audit;
  ids: Ids;
};

/** State shared by the functions for the first start. */
type SetupContext = SetupCore & { access: Pick<Access, 'people' | 'apiUsers'> };

/** Creates the accounts when the station is first started. */
export function createSetup(core: SetupCore, needs: { access: Pick<Access, 'people' | 'apiUsers'> }) {
  const { repositories, writer, audit, ids } = core;
  const context: SetupContext = { repositories, writer, audit, ids, access: needs.access };
  return {
    start: (asked: {
      /** Hash of the configured password for `admin`, or undefined if none is configured. */
      adminHash: Promise<string> | undefined;
      apiKey: string | undefined;
      /** How the password for a new data folder is chosen: generated and printed by the station, or entered in the window. */
      firstRun: 'print' | 'window';
    }) => start(context, asked),
    finish: (password: string, by: By) => finish(context, password, by),
  };
}

export type Setup = ReturnType<typeof createSetup>;

/** Creates the configured accounts. Returns the generated password, which is shown only once, or undefined if none was generated. */
async function start(
  context: SetupContext,
  {
    adminHash,
    apiKey,
    firstRun,
  }: {
    /** Hash of the configured password for `admin`, or undefined if none is configured. */
    adminHash: Promise<string> | undefined;
    apiKey: string | undefined;
    /** How the password for a new data folder is chosen: generated and printed by the station, or entered in the window. */
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
    // Set a random password that nobody learns. Until a person chooses one, only the window is signed in.
    const unknown = Buffer.from(ids.bytes(32)).toString('base64url');
    if (isFresh)
      await access.people.put(await accountOf(context, unknown), () => repositories.accounts.setSetupPending(true));
    return undefined;
  }
  // Continue if an earlier start opened a window but no password was chosen.
  if (!isFresh && !repositories.accounts.isSetupPending()) return undefined;
  const password = readablePassword(ids.bytes(12));
  await access.people.put(await accountOf(context, password), settle);
  return password;
}

/**
 * Sets the chosen password for `admin`. Throws `conflict` if the first password was already chosen, and `invalid` for a guessable password.
 */
async function finish(context: SetupContext, password: string, by: By): Promise<void> {
  const { repositories, access, audit } = context;
  const refuse = () => {
    if (repositories.accounts.isSetupPending()) return;
    throw new StationError(
      'conflict',
      'The first password has already been chosen. Sign in with it; signed-in people change their own at /api/user/password/.',
    );
  };
  await refuseGuessablePassword('admin', password, 'password');
  // Keep the session of the window in which the password is chosen.
  const chosen = { ...(await accountOf(context, password)), sessions: 'keep', by, method: 'window' } as const;
  await access.people.put(chosen, (tx) => {
    refuse();
    repositories.accounts.setSetupPending(false);
    audit.record(tx, { action: 'setup.done', by, subject: '', detail: {} });
    tx.emit({ type: 'setup.done' });
  });
}

async function accountOf({ access }: SetupContext, password: string) {
  return admin(await access.people.hashOf(FIRST_PERSON, password));
}

/** Converts random bytes to twelve letters and digits in groups of four, without characters that look alike. */
function readablePassword(bytes: Uint8Array): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters = [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}
