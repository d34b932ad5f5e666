import { LANGUAGE } from '#shared/lib/text/locale.ts';
import type { Request } from 'express';
import type { Caller } from '../../services/access/index.ts';

/**
 * Returns the CSV separator for a caller: `;` for languages with a decimal comma, because spreadsheets in those languages expect it. The
 * language comes from `Accept-Language`. If that header is missing, it is the system's language for people, and English for programs.
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

/** Whether number formats exist for a language tag. `*` is not a language. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
