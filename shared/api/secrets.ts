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
      'Protects the key of all secrets in future backups. The passphrase is not stored and cannot be read, so write it down. If null, backups do not contain the key.',
    ),
});

export const openSecretsSchema = named('OpenSecrets', {
  passphrase: passphrase.min(1).describe('The passphrase of the restored backup or the copied data folder.'),
});

export const openedSecretsSchema = named('OpenedSecrets', {
  opened: z.int().describe('Number of secrets that can be read now.'),
  unreadable: z.array(z.string()).describe('Secrets that still cannot be read. Enter them again.'),
});
export type OpenedSecrets = z.infer<typeof openedSecretsSchema>;
