import { z } from 'zod';
import { MIN_PASSWORD_CHARACTERS } from '../lib/passwordRule.ts';
import { named, textUpTo } from './fields.ts';

/** Longer passwords are not safer, but take longer to hash. */
const MAX_PASSWORD_CHARACTERS = 1_000;

export const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `A password has at least ${MIN_PASSWORD_CHARACTERS} characters.`)
  .max(MAX_PASSWORD_CHARACTERS, `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`)
  .describe(
    `At least ${MIN_PASSWORD_CHARACTERS} characters, and neither the user name nor one of the most common passwords.`,
  );

/** First start in a window: chooses the password of `admin`. */
export const setupSchema = named('Setup', { password: newPasswordSchema });

export const passwordChangeSchema = named('PasswordChange', {
  old_password: textUpTo(MAX_PASSWORD_CHARACTERS).describe('The current password.'),
  new_password: newPasswordSchema,
});

export const SETUP_STATES = ['pending', 'done'] as const;
