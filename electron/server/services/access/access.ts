import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, DerivePassword, Ids, Log } from '../../ports.ts';
import { type Audit, createAuditTally } from '../base/index.ts';
import { createApiUsers } from './apiUsers.ts';
import { createBasic } from './basicAuth.ts';
import {
  type Asker,
  byBearer,
  byKey,
  byKeyOrPassword,
  byPassword,
  bySession,
  type CallerContext,
  findBoundTurbo,
  findSession,
  isValid,
} from './callers.ts';
import { createClients } from './clients.ts';
import { createKeyTries } from './keyTries.ts';
import { createKiosks } from './kiosks.ts';
import { createNetworks, type OwnAddress } from './networks.ts';
import { createPasswords } from './passwords.ts';
import { createPeople } from './people.ts';
import { createPins, type Pins } from './pins.ts';
import { createPresence, type Presence } from './presence.ts';
import { createScreens } from './screens.ts';
import { isSecretOf } from './secrets.ts';
import { createSessionEnds } from './sessionEnds.ts';
import { createSessions, type Session } from './sessions.ts';
import { createTokens } from './tokens.ts';

type AccessNeeds = {
  repositories: TablesOf<'access'>;
  /** Tables for reading committed rows only. */
  reads: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  log: Log;
  audit: Audit;
  derive: DerivePassword;
  /** Whether the settings allow passwords in requests (Basic authentication). */
  takesPasswords: () => boolean;
  /** Returns this machine's current IPv6 addresses. */
  ownAddresses: () => readonly OwnAddress[];
};

/** Identifies callers: people by sessions, programs by keys and tokens. */
export function createAccess(needs: AccessNeeds) {
  const { repositories, reads, writer, clock, ids, log, audit, derive, takesPasswords, ownAddresses } = needs;
  const networkOf = createNetworks({ clock, ownAddresses });
  const triedKeys = createAuditTally({ writer, clock, log, audit });
  const keyTries = createKeyTries({ clock, tally: triedKeys, networkOf });
  const passwords = createPasswords({ clock, ids, derive, networkOf });
  const presence = createPresence();
  const sessions = createSessions({ repositories, clock, ids, presence });
  const sessionEnds = createSessionEnds({ reads, writer, clock, log, sessions });
  const tokens = createTokens({ repositories, clock, ids });
  const pins = createPins({ repositories, writer, passwords, sessions, audit });
  const people = createPeople({ repositories, reads, writer, passwords, sessions, pins, presence, audit });
  const kiosks = createKiosks({ repositories, reads, writer, ids, passwords, sessions, audit });
  const screens = createScreens({ repositories, reads, writer, clock, ids, keyTries, audit });
  const apiUsers = createApiUsers({ repositories, writer, clock, ids, log, tokens, audit });
  const clients = createClients({ repositories, writer, apiUsers, tokens, keyTries, audit });
  const basic = createBasic({ repositories, clock, people });
  const context: CallerContext = { apiUsers, sessions, screens, tokens, basic, keyTries };
  return {
    people,
    kiosks,
    screens,
    pins: pins as Pick<Pins, 'changeOwn'>,
    presence: presence as Pick<Presence, 'follow'>,
    apiUsers,
    clients,
    byKey: (key: string, address: string) => byKey(context, key, address),
    byBearer: (secret: string, address: string) => byBearer(context, secret, address),
    byKeyOrPassword: (username: string, secret: string, address: string) =>
      byKeyOrPassword(context, username, secret, address),
    bySession: (sessionId: string) => bySession(context, sessionId),
    takesPasswords,
    byPassword: (username: string, password: string, address: string) =>
      byPassword(context, username, password, address),
    /** Returns the hashes of the keys with which a turbo can sign in under this name. */
    listTurboHashes: (name: string) => apiUsers.listTurboHashes(name),
    findBoundTurbo: (caller: Asker) => findBoundTurbo(context, caller),
    /** Whether the station still accepts the caller's credential. */
    isLive: ({ credential }: Asker): boolean =>
      isValid(context, credential) && (credential.kind !== 'password' || takesPasswords()),
    /** Like `isLive`, but for a turbo, which may send a password even if the settings disable Basic authentication. */
    isTurboLive: ({ credential }: Asker): boolean => isValid(context, credential),
    findSession: (caller: Asker) => findSession(context, caller),
    /** Whether the caller may use its session in a browser with this kiosk token: one that began with a PIN works only at its kiosk. */
    isAtKiosk(caller: Asker, kioskToken: string | undefined): boolean {
      const kioskId = findSession(context, caller)?.kioskId ?? null;
      return kioskId === null || kiosks.idOf(kioskToken) === kioskId;
    },
    /** Whether `token` is the session's CSRF token, which protects browsers against requests from other sites. */
    tokenMatches: (session: Session, token: string): boolean => isSecretOf(token, session.tokenHash),
    start: () => sessionEnds.start(),
    async stop(): Promise<void> {
      sessionEnds.stop();
      await Promise.all([apiUsers.stop(), triedKeys.stop()]);
    },
  };
}

export type Access = ReturnType<typeof createAccess>;
