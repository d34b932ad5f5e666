import { nameKey } from '../text/nameKey.ts';

/** Prefix of printed codes that act like keys on the page. */
export const COMMAND_PREFIX = 'PICK:';

const DIGITS = '0123456789'.split('');
const REASONS = DIGITS.slice(1).map((digit) => `REASON${digit}`);

/** Commands after the prefix. See the contract, section 16. */
export const SCAN_COMMANDS: readonly string[] = [
  'OK',
  'BACK',
  'SHORT',
  ...REASONS,
  'UNDO',
  'MINE',
  'SKIP',
  'NEXT',
  'PAUSE',
  'EMPTY',
  'SOME',
  'ALL',
  'FULL',
  ...DIGITS,
];

const BY_KEY = new Map(SCAN_COMMANDS.map((command) => [nameKey(`${COMMAND_PREFIX}${command}`), command.toLowerCase()]));

/** Returns the command in a code, in lower case, or undefined if the text is not a command code. */
export function readCommandCode(code: string): string | undefined {
  return BY_KEY.get(nameKey(code));
}
