import parseExpression from 'spdx-expression-parse';

/**
 * SPDX ids of the licenses that are allowed in what we ship. Each of them allows distributing the code as part of a program under the MIT
 * License if the notices name it.
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
  // Font licences: the fonts must not be sold separately, and changed fonts need other names.
  'Bitstream-Vera',
  'LicenseRef-Arev',
  'OFL-1.1',
  // Applies only to single files. We do not change these files, and the notices link to their source.
  'MPL-2.0',
];

/** Licenses that are allowed for a single component. Electron loads FFmpeg from a separate file, which anyone can replace. */
const ALLOWED_FOR: Readonly<Record<string, string>> = { FFmpeg: 'LGPL-2.1-or-later' };

type Expression = { license: string; plus?: true; exception?: string } | Pair;
type Pair = { left: Expression; conjunction: 'and' | 'or'; right: Expression };

/** Whether software with this name may be shipped under an SPDX expression. Returns false for an invalid expression. */
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
