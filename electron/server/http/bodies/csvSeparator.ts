import { LANGUAGE } from '#shared/lib/text/locale.ts';
import type { Request } from 'express';
import type { Caller } from '../../services/access/index.ts';

/**
 * The CSV separator for this caller: `;` for languages with a decimal comma, because their spreadsheets expect it. The language comes from
 * `Accept-Language`, or else from the system for people, and is English for programs.
 */
export function csvSeparatorFor(
  req: Pick<Request, 'acceptsLanguages'>,
  { credential }: Pick<Caller, 'credential'>,
): ',' | ';' {
  const system = new Intl.NumberFormat().resolvedOptions().locale;
  const fallback = credential.kind === 'session' ? system : LANGUAGE;
  const [language = fallback] = req.acceptsLanguages().filter(isLanguage);
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  return decimal?.value === ',' ? ';' : ',';
}

/** False for `*` and for languages without number formats. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
