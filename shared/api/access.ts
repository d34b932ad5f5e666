import { z } from 'zod';
import { hasInvisible, isOfOneScript } from '../lib/access/accountName.ts';
import { LISTENS } from './exposure.ts';
import { newPasswordSchema } from './setup.ts';
import { afterId, named, oneOf, textOrNull, textUpTo, timestamp, timestampOrNull, whole } from './fields.ts';

export const loginSchema = named('Login', {
  username: textUpTo(200).describe('Case-insensitive.'),
  password: textUpTo(1_000).describe('Exactly as it was set, including spaces.'),
});
export const loginResultSchema = named('LoginResult', {
  token: z.string().describe('Send it in the header x-csrf-token with every write request of this session.'),
  apikey: z.string().describe('A temporary API key, valid until the session ends.'),
  expires_at: timestamp.describe('When the session ends. Sign in again before then.'),
});
export type LoginResult = z.output<typeof loginResultSchema>;

/** Scopes of a key. `control` and `admin` are also roles of a person. Each scope includes the previous ones. */
export const SCOPES = ['read', 'control', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of an API user. The scope `turbo` lets a turbo connect, but gives no access to the API. */
export const API_USER_SCOPES = [...SCOPES, 'turbo'] as const;
export type ApiUserScope = (typeof API_USER_SCOPES)[number];

export const ROLES = ['picker', 'control', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const roleSchema = oneOf(ROLES).describe(
  'picker: acknowledges and launches existing work. control: also sends commands and changes labels, aliases, sequences and orders; for programs that sign in with a password. admin: everything.',
);

/** Name of an account, which appears in lists and in history. */
const accountNameSchema = z
  .string()
  // Full-width and other compatibility forms count as the same letters.
  .normalize('NFKC')
  .max(100)
  .refine((name) => !hasInvisible(name), 'A name is one line of visible characters.')
  .refine(isOfOneScript, 'Use letters of one script, such as Latin or Greek: mixed scripts can look like another name.')
  .refine(
    (name) => name.trim() !== '' && name === name.trim(),
    'A name is not empty, and does not begin or end with a space.',
  )
  // Clients resolve "." and ".." in a path, so such an account could not be changed or deleted.
  .refine((name) => name !== '.' && name !== '..', 'A name is more than dots.');

export const newUserSchema = named('NewUser', {
  username: accountNameSchema.describe('Unique among people and API users, ignoring case.'),
  password: newPasswordSchema,
  role: roleSchema,
});
export type NewUser = z.infer<typeof newUserSchema>;

/** A PIN of 4 to 8 digits. */
export const newPinSchema = z.string().regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits.');

export const userChangeSchema = z
  .object({
    role: roleSchema,
    password: newPasswordSchema.describe('Ends all sessions of this person.'),
    pin: newPinSchema
      .nullable()
      .describe(
        'For signing in at a kiosk; pickers only. null removes the PIN. Either ends the sessions of this person at kiosks.',
      ),
    end_sessions: z.boolean().describe('true signs this person out everywhere.'),
  })
  .partial()
  .meta({ id: 'UserChange' });
export type UserChange = z.infer<typeof userChangeSchema>;

export const userSchema = named('User', {
  username: z.string(),
  role: oneOf(ROLES),
  created: timestamp,
  last_sign_in: timestampOrNull,
  sessions: z.int().describe('Number of open sessions.'),
  has_pin: z.boolean().describe('Whether this person can sign in with a PIN at a kiosk.'),
});
export type User = z.infer<typeof userSchema>;

export const newApiUserSchema = named('NewApiUser', {
  name: accountNameSchema.describe('Unique among people and API users, ignoring case. Shown in history.'),
  scope: oneOf(API_USER_SCOPES)
    .default('control')
    .describe(
      'Scope of the key. Each scope includes the previous ones, except turbo, which only lets a turbo connect.',
    ),
});
export type NewApiUser = z.infer<typeof newApiUserSchema>;

export const apiUserSchema = named('ApiUser', {
  id: z.string(),
  name: z.string(),
  scope: oneOf(API_USER_SCOPES),
  client_id: textOrNull.describe('Client id for OAuth2 client credentials; null if there is no client secret.'),
  created: timestamp,
  last_used: timestampOrNull,
  from_environment: z.boolean().describe('Whether the key comes from PICKSTATION_API_KEY. Change it there.'),
  old_key_until: timestampOrNull.describe('Time until which the previous key is also accepted.'),
});
export type ApiUser = z.infer<typeof apiUserSchema>;

export const apiUserSecretsSchema = named('ApiUserSecrets', {
  id: z.string(),
  name: z.string(),
  scope: oneOf(API_USER_SCOPES),
  api_key: z.string().describe('Returned only in this answer.'),
  client_id: z.string(),
  client_secret: z.string().describe('Returned only in this answer.'),
});
export type ApiUserSecrets = z.infer<typeof apiUserSecretsSchema>;

/** Maximum time in seconds that an old key stays valid: a week, enough to update every program that uses the key. */
const MAX_GRACE_SECONDS = 604_800;

export const rotationSchema = named('Rotation', {
  grace_seconds: whole(0, MAX_GRACE_SECONDS)
    .default(0)
    .describe(
      'Number of seconds for which the old key, the old client secret and their tokens stay valid alongside the new ones.',
    ),
});

/** Body of a token request, sent as a form instead of JSON. See RFC 6749, section 4.4.2. */
export const tokenRequestSchema = named('TokenRequest', {
  grant_type: z.literal('client_credentials').describe('The only supported grant.'),
  client_id: z.string().optional().describe('Sent here or in a Basic header, together with the secret.'),
  client_secret: z.string().optional().describe('Sent here or in a Basic header, together with the id.'),
  scope: oneOf(SCOPES).optional().describe('At most the scope of the API user, which is the default.'),
});

/** Answer with a token. See RFC 6749, section 5.1. */
export const tokenSchema = named('Token', {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Lifetime in seconds.'),
  scope: oneOf(SCOPES),
});

/** Answer to a refused token request. See RFC 6749, section 5.2. */
export const tokenErrorSchema = named('TokenError', { error: z.string(), error_description: z.string() });

/** Actions that the audit log records. */
export const AUDIT_ACTIONS = [
  'session.opened',
  'session.refused',
  'session.ended',
  'password.changed',
  'user.added',
  'user.changed',
  'user.removed',
  'kiosk.added',
  'kiosk.removed',
  'screen.added',
  'screen.removed',
  'apiUser.added',
  'apiUser.rotated',
  'apiUser.removed',
  'settings.changed',
  'callbackReceiver.added',
  'callbackReceiver.changed',
  'callbackReceiver.removed',
  'device.added',
  'device.removed',
  'device.replaced',
  'device.refused',
  'device.readmitted',
  'alias.added',
  'alias.changed',
  'alias.removed',
  'articles.imported',
  'articles.importUndone',
  'articles.importRedone',
  'aliases.imported',
  'aliases.importUndone',
  'aliases.importRedone',
  'label.changed',
  'map.changed',
  'place.added',
  'place.removed',
  'place.renamed',
  'orders.imported',
  'orders.importUndone',
  'orders.importRedone',
  'turboLink.added',
  'turboLink.changed',
  'board.installed',
  'board.updated',
  'turboLink.removed',
  'backup.made',
  'backup.uploaded',
  'backup.downloaded',
  'backup.removed',
  'backup.restoreOrdered',
  'backup.restored',
  'backup.passphraseSet',
  'secrets.opened',
  'update.installed',
  'turbo.renamed',
  'turbo.forgotten',
  'right.refused',
  'setup.done',
  'setup.demo',
  'setup.demo_removed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const auditDetailSchema = z.object({
  method: oneOf(['password', 'pin', 'basic', 'client_secret', 'key', 'window', 'environment'])
    .optional()
    .describe(
      'How the person or program signed in or was refused. environment: set from an environment variable when the station started.',
    ),
  tries: z
    .int()
    .optional()
    .describe(
      'Number of events within an hour that this entry combines: requests with unknown keys from one network, or refusals of a right to one caller.',
    ),
  kiosk: z.string().optional().describe('Kiosk where a person signed in with a PIN or was refused.'),
  request: z.string().optional().describe('Method and path of the first request that lacked the right.'),
  settings: z.array(z.string()).optional().describe('Names of the changed settings or receiver fields.'),
  changed: z
    .array(oneOf(['role', 'password', 'pin', 'sessions']))
    .optional()
    .describe('Changed properties of a person.'),
  role: oneOf(ROLES).optional(),
  scope: oneOf(API_USER_SCOPES).optional(),
  grace_seconds: z
    .int()
    .optional()
    .describe('Number of seconds for which the previous secrets stay valid after a rotation.'),
  name: z
    .string()
    .optional()
    .describe(
      'New name of the turbo (empty if it uses the name that it reports), or new label of the device (empty if none).',
    ),
  deviceid: z
    .string()
    .optional()
    .describe('Device that the alias now points to, or the device that replaced the other one.'),
  before: z.string().optional().describe('Previous name of the alias or previous label of the device, if changed.'),
  kept: z.string().optional().describe('Backup of the data that was made before a restore.'),
  listen: oneOf(LISTENS)
    .optional()
    .describe(
      'this_machine: the backup is from a station that was open to the network, but this station still accepts connections only from this machine.',
    ),
  rows: z
    .object({
      new: z.int().describe('Created.'),
      changed: z.int().describe('Changed.'),
      undone: z.int().describe('Reverted.'),
      redone: z.int().describe('Restored after an undo.'),
    })
    .partial()
    .optional()
    .describe(
      'Number of location aliases or orders that an import created and changed, that its undo reverted, or that a redo restored.',
    ),
});
export type AuditDetail = z.infer<typeof auditDetailSchema>;

export const auditEntrySchema = named('AuditEntry', {
  id: z.string(),
  at: timestamp,
  action: oneOf(AUDIT_ACTIONS),
  by: z.string().describe('Name of the person or API user; empty if nobody was signed in.'),
  subject: z.string().describe('Who or what was affected: a name, a DeviceID or a place; empty if none.'),
  address: z.string().describe('Network address of the caller; empty for the station itself.'),
  detail: auditDetailSchema,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(50).describe('Maximum number of entries.'),
  after: afterId('an audit entry'),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
