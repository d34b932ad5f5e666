import { z } from 'zod';
import { MIN_PASSWORD_CHARACTERS } from '../lib/access/passwordRule.ts';
import { named } from './fields.ts';

const MAX_CHARACTERS = 1_000;

const passphrase = z.string().max(MAX_CHARACTERS);

export const backupPassphraseSchema = named('BackupPassphrase', {
  passphrase: passphrase
    .min(MIN_PASSWORD_CHARACTERS, `A passphrase has at least ${MIN_PASSWORD_CHARACTERS} characters.`)
    .nullable()
    .describe(
      'Protects the key of all secrets in backups from now on. It is not stored and cannot be read: write it down. null: backups do not carry the key.',
    ),
});

export const openSecretsSchema = named('OpenSecrets', {
  passphrase: passphrase.min(1).describe('The passphrase of the restored backup or the copied data folder.'),
});

export const openedSecretsSchema = named('OpenedSecrets', {
  opened: z.int().describe('Number of secrets that can be read now.'),
  unreadable: z.array(z.string()).describe('Those that still cannot: enter them again.'),
});
export type OpenedSecrets = z.infer<typeof openedSecretsSchema>;
