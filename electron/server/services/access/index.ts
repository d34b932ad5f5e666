export { type Access, type Asker, type Caller, createAccess } from './access.ts';
export type { ProvedClient } from './clients.ts';
export { refuseCommonPassword } from './commonPasswords.ts';
export type { People } from './people.ts';
export { type Rights, createRights } from './rights.ts';
export { weaknessOf } from './secrets.ts';
export { type Opener, SESSION_MS, type SignedIn, openerOf } from './sessions.ts';
export { TOKEN_SECONDS } from './tokens.ts';
