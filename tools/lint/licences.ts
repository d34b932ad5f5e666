import parseExpression from 'spdx-expression-parse';

/**
 * SPDX ids of the licences that what we ship may have: each lets it be part of a program under the MIT License, whoever
 * passes the program on, if the notices name it.
 */
export const ALLOWED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'FTL',
  'ICU',
  'IJG',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
  'blessing',
  'libpng-2.0',
  'LicenseRef-public-domain',
  // Fonts: not sold alone, and no other font may have their names.
  'Bitstream-Vera',
  'LicenseRef-Arev',
  'OFL-1.1',
  // Of its files only: they are unchanged, and the notices say where their source is.
  'MPL-2.0',
];

/** Only for this: Electron loads it from a file of its own, which anyone can replace. */
const ALLOWED_FOR: Readonly<Record<string, string>> = { FFmpeg: 'LGPL-2.1-or-later' };

type Expression = { license: string; plus?: true; exception?: string } | Pair;
type Pair = { left: Expression; conjunction: 'and' | 'or'; right: Expression };

/** Whether something of this name may be shipped under an SPDX expression. An expression that is none is refused. */
export function mayShip(name: string, licence: string): boolean {
  if (ALLOWED_FOR[name] === licence) return true;
  try {
    return isAllowed(parseExpression(licence) as Expression);
  } catch {
    return false;
  }
}

function isAllowed(expression: Expression): boolean {
  if ('license' in expression)
    return expression.exception === undefined && ALLOWED_LICENCES.includes(expression.license);
  const sides = [expression.left, expression.right];
  return expression.conjunction === 'and' ? sides.every(isAllowed) : sides.some(isAllowed);
}
