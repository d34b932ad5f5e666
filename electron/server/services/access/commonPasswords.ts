import { StationError } from '../../errors.ts';

/**
 * Throws `invalid` for one of the passwords that guessers try first, in capitals or small letters alike.
 * The list is loaded at the first call: most starts never need it.
 */
export async function refuseCommonPassword(password: string, field: 'password' | 'new_password'): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (!dictionary['passwords-common'].includes(password.normalize('NFKC').toLowerCase())) return;
  throw new StationError(
    'invalid',
    'This password is one of the most common ones and is guessed first. Choose another one.',
    [{ path: `/${field}`, message: 'One of the most common passwords. Choose another one.' }],
  );
}
