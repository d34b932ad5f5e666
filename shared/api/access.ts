import { z } from 'zod';
import { hasInvisible, isOfOneScript } from '../lib/accountName.ts';
import { newPasswordSchema } from './setup.ts';

export const loginSchema = z
  .object({
    username: z.string().max(200).describe('In any case.'),
    password: z.string().max(1_000).describe('Exactly as it was set.'),
  })
  .meta({ id: 'Login' });
export const loginResultSchema = z
  .object({
    token: z.string().describe('Goes into x-csrf-token with every write of this session.'),
    apikey: z.string().describe('A temporary key that ends with the session.'),
  })
  .meta({ id: 'LoginResult' });

/** What a key or a person may do; each includes the ones before it. */
export const SCOPES = ['read', 'control', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** `turbo` is none of the others: it connects a turbo, and opens nothing of the API. */
export const API_USER_SCOPES = [...SCOPES, 'turbo'] as const;
export type ApiUserScope = (typeof API_USER_SCOPES)[number];

export const ROLES = ['picker', 'control', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const roleSchema = z
  .enum(ROLES)
  .describe(
    'picker: acknowledges and launches existing work. control: also sends commands and changes labels, aliases, sequences and orders; for programs that sign in with a password. admin: everything.',
  );

const timestamp = z.iso.datetime();

/** A name that is shown to people, in lists and in history. */
const accountNameSchema = z
  .string()
  // The same letters in another form, such as full-width ones, are the same name.
  .normalize('NFKC')
  .max(100)
  .refine((name) => !hasInvisible(name), 'A name is one line of characters that can be seen.')
  .refine(isOfOneScript, 'A name has letters of one script, such as Latin or Greek: others look the same.')
  .refine(
    (name) => name.trim() !== '' && name === name.trim(),
    'A name is not empty, and does not begin or end with a space.',
  )
  // In an address they would be steps of the path: nobody could change or remove who has one.
  .refine((name) => name !== '.' && name !== '..', 'A name is more than dots.');

export const newUserSchema = z
  .object({
    username: accountNameSchema.describe('No other person or API user has it, in any case.'),
    password: newPasswordSchema,
    role: roleSchema,
  })
  .meta({ id: 'NewUser' });
export type NewUser = z.infer<typeof newUserSchema>;

export const userChangeSchema = z
  .object({
    role: roleSchema,
    password: newPasswordSchema.describe('Ends the sessions of that person.'),
    end_sessions: z.boolean().describe('True signs that person out everywhere.'),
  })
  .partial()
  .meta({ id: 'UserChange' });
export type UserChange = z.infer<typeof userChangeSchema>;

export const userSchema = z
  .object({
    username: z.string(),
    role: z.enum(ROLES),
    created: timestamp,
    last_sign_in: timestamp.nullable(),
    sessions: z.int().describe('How many are open.'),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const newApiUserSchema = z
  .object({
    name: accountNameSchema.describe('No other person or API user has it, in any case. History calls the program so.'),
    scope: z
      .enum(API_USER_SCOPES)
      .default('control')
      .describe(
        'What its key may do; each includes those before it, but turbo, which connects a turbo and nothing else.',
      ),
  })
  .meta({ id: 'NewApiUser' });
export type NewApiUser = z.infer<typeof newApiUserSchema>;

export const apiUserSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(API_USER_SCOPES),
    client_id: z.string().nullable().describe('For OAuth2 client credentials; null where there is no client secret.'),
    created: timestamp,
    last_used: timestamp.nullable(),
    from_environment: z.boolean().describe('Its key is in PICKSTATION_API_KEY: it is changed there.'),
    old_key_until: timestamp.nullable().describe('Until then the key before the last rotation is accepted too.'),
  })
  .meta({ id: 'ApiUser' });
export type ApiUser = z.infer<typeof apiUserSchema>;

export const apiUserSecretsSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(API_USER_SCOPES),
    api_key: z.string().describe('Shown this once.'),
    client_id: z.string(),
    client_secret: z.string().describe('Shown this once.'),
  })
  .meta({ id: 'ApiUserSecrets' });
export type ApiUserSecrets = z.infer<typeof apiUserSecretsSchema>;

/** A week: long enough to change every program that uses the key. */
const MAX_GRACE_SECONDS = 604_800;

export const rotationSchema = z
  .object({
    grace_seconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(0)
      .describe('So long the old key, the old client secret and their tokens are accepted beside the new ones.'),
  })
  .meta({ id: 'Rotation' });

/** RFC 6749, section 4.4.2; a form, not JSON. */
export const tokenRequestSchema = z
  .object({
    grant_type: z.literal('client_credentials').describe('No other grant is known.'),
    client_id: z.string().optional().describe('Here or, with the secret, in a Basic header.'),
    client_secret: z.string().optional().describe('Here or, with the id, in a Basic header.'),
    scope: z.enum(SCOPES).optional().describe('Less than the API user may; left out: all of it.'),
  })
  .meta({ id: 'TokenRequest' });

/** RFC 6749, section 5.1. */
export const tokenSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    scope: z.enum(SCOPES),
  })
  .meta({ id: 'Token' });

/** RFC 6749, section 5.2. */
export const tokenErrorSchema = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'TokenError' });

/** Everything that the audit records. */
export const AUDIT_ACTIONS = [
  'session.opened',
  'session.refused',
  'session.ended',
  'password.changed',
  'user.added',
  'user.changed',
  'user.removed',
  'apiUser.added',
  'apiUser.rotated',
  'apiUser.removed',
  'settings.changed',
  'device.added',
  'device.removed',
  'device.replaced',
  'device.refused',
  'device.readmitted',
  'alias.added',
  'alias.changed',
  'alias.removed',
  'aliases.imported',
  'aliases.importUndone',
  'label.changed',
  'map.changed',
  'orders.imported',
  'orders.importUndone',
  'turboLink.added',
  'turboLink.removed',
  'backup.made',
  'backup.uploaded',
  'backup.downloaded',
  'backup.removed',
  'backup.restoreOrdered',
  'backup.restored',
  'turbo.renamed',
  'turbo.forgotten',
  'right.refused',
  'setup.done',
  'setup.demo',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const auditDetailSchema = z.object({
  method: z
    .enum(['password', 'basic', 'client_secret', 'key', 'window', 'environment'])
    .optional()
    .describe('How somebody signed in or was refused. environment: the start of the station did it.'),
  tries: z
    .int()
    .optional()
    .describe(
      'How often within an hour, as one entry: requests with unknown keys of one network, or a right refused to one caller.',
    ),
  request: z.string().optional().describe('Method and path of the first request that lacked the right.'),
  settings: z.array(z.string()).optional().describe('Names of the settings that were changed.'),
  changed: z
    .array(z.enum(['role', 'password', 'sessions']))
    .optional()
    .describe('What was changed of a person.'),
  role: z.enum(ROLES).optional(),
  scope: z.enum(API_USER_SCOPES).optional(),
  grace_seconds: z.int().optional().describe('So long the secrets before a rotation are accepted.'),
  name: z
    .string()
    .optional()
    .describe(
      'The name of the turbo now (empty: the name that it reports), or the label of the device now (empty: none).',
    ),
  deviceid: z.string().optional().describe('Where the alias is now, or which device took the place of the other.'),
  before: z
    .string()
    .optional()
    .describe('The name that the alias had, or the label that the device had, where it has another now.'),
  kept: z.string().optional().describe('The backup of the data before a restore.'),
  rows: z
    .object({
      new: z.int().describe('Made.'),
      changed: z.int().describe('Changed.'),
      undone: z.int().describe('Taken back.'),
    })
    .partial()
    .optional()
    .describe('How many location aliases an import made and changed, or its undoing took back.'),
});
export type AuditDetail = z.infer<typeof auditDetailSchema>;

export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: timestamp,
    action: z.enum(AUDIT_ACTIONS),
    by: z.string().describe('A person or an API user; empty where nobody was signed in.'),
    subject: z.string().describe('To whom or what: a name, a DeviceID, a place; empty where there is none.'),
    address: z.string().describe('The network address that it came from; empty for the station itself.'),
    detail: auditDetailSchema,
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(50).describe('At most this many entries.'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of an audit entry.')
    .optional()
    .describe('The last id of the page before.'),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
