import type { CoreOf } from '../../core.ts';
import type { DerivePassword } from '../../ports.ts';
import { createAccess } from './access.ts';
import type { OwnAddress } from './networks.ts';
import { createRights } from './rights.ts';
import { createAuditTally } from '../base/index.ts';

export type { ApiUsers } from './apiUsers.ts';
export type { Access } from './access.ts';
export type { Asker, Caller } from './callers.ts';
export type { ProvedClient } from './clients.ts';
export type { Kiosks } from './kiosks.ts';
export { FIRST_PERSON } from './names.ts';
export { refuseGuessablePassword } from './guessablePasswords.ts';
export type { People } from './people.ts';
export type { Rights } from './rights.ts';
export type { Screens } from './screens.ts';
export { weaknessOf } from './secrets.ts';
export { type Opener, SESSION_MS, type NewSession, openerOf } from './sessions.ts';
export { TOKEN_SECONDS } from './tokens.ts';

export function createAccessGroup(
  core: CoreOf<'access'>,
  needs: { derive: DerivePassword; ownAddresses: () => readonly OwnAddress[] },
) {
  const access = createAccess({ ...core, ...needs, takesPasswords: () => core.settings.current().basic_auth });
  core.onStop(() => access.stop());
  core.onStart(() => access.start());
  const { apiUsers, clients, kiosks, people, pins, screens } = access;
  return { access, apiUsers, clients, kiosks, people, pins, screens };
}

/** Checks the current rights of roles and keys, and counts refusals. `isTrial` returns whether the station runs as a trial. */
export function createRightGroup(core: CoreOf<'access'>, { isTrial }: { isTrial: () => boolean }) {
  const refusals = createAuditTally(core);
  core.onStop(() => refusals.stop());
  const circumstances = {
    get pickerRights() {
      return core.settings.current().picker_rights;
    },
    get isTrial() {
      return isTrial();
    },
  };
  return createRights({ circumstances, refusals });
}
