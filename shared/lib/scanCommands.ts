import { nameKey } from './nameKey.ts';

/** Printed codes that stand for keys of the page: each begins with this. */
export const COMMAND_PREFIX = 'PICK:';

const DIGITS = '0123456789'.split('');
const REASONS = DIGITS.slice(1).map((digit) => `REASON${digit}`);

/** What a command code may say after its prefix. Contract, section 16. */
export const SCAN_COMMANDS: readonly string[] = [
  'OK',
  'BACK',
  'SHORT',
  ...REASONS,
  'UNDO',
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

/** The command of a code, in lower case; undefined if it is not a command code. */
export function readCommandCode(code: string): string | undefined {
  return BY_KEY.get(nameKey(code));
}
