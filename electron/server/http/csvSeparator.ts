import type { Request } from 'express';
import type { Caller } from '../services/access/index.ts';

/** As in English, which keys and tokens get without a language of their own. */
const ENGLISH = 'en';

/**
 * The separator of a CSV for this caller: `;` where the decimal sign is a comma, since spreadsheets split files there. Decided by
 * `Accept-Language`; without it by the system's language for people, and English for programs.
 */
export function csvSeparatorFor(
  req: Pick<Request, 'acceptsLanguages'>,
  { credential }: Pick<Caller, 'credential'>,
): ',' | ';' {
  const system = new Intl.NumberFormat().resolvedOptions().locale;
  const fallback = credential.kind === 'session' ? system : ENGLISH;
  const [language = fallback] = req.acceptsLanguages().filter(isLanguage);
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  return decimal?.value === ',' ? ';' : ',';
}

/** Whether it is a language with known number formats, and not `*`. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
