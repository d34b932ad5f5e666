import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../errors.ts';

/**
 * Throws `invalid` if the password is the user name or one of the most common passwords, ignoring case. Loads the list on the first call,
 * because the station rarely needs it.
 */
export async function refuseGuessablePassword(
  username: string,
  password: string,
  field: 'password' | 'new_password',
): Promise<void> {
  if (guessKey(password) === guessKey(username)) throw guessable(field, 'the user name', 'The user name.');
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (!dictionary['passwords-common'].includes(guessKey(password))) return;
  throw guessable(field, 'one of the most common ones', 'One of the most common passwords.');
}

/** Returns a key that is equal for texts which differ only in case, width or surrounding spaces. */
const guessKey = (text: string): string => nameKey(text.normalize('NFKC'));

function guessable(field: string, is: string, message: string): StationError {
  return new StationError('invalid', `This password is ${is}, which attackers try first. Choose another one.`, [
    { path: `/${field}`, message: `${message} Choose another one.` },
  ]);
}
