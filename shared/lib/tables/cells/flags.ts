import { columnKey } from '../columnKey.ts';

const YES: ReadonlySet<string> = new Set(
  `yes;y;true;1;x;xx;on;checked;ja;j;wahr;oui;o;vrai;si;s;verdadero;cierto;vero;waar;tak;t;prawda`.split(';'),
);
const NO: ReadonlySet<string> = new Set(
  `no;n;false;0;off;unchecked;nein;falsch;non;faux;falso;nee;onwaar;nie;falsz;none;null;na;nan;keine;keiner;kein;aucun;aucune;ninguno;ninguna;nessuno;geen;brak;undefined;nil`.split(
    ';',
  ),
);
const MARKS = /^[✓✔☑✅]\uFE0F?$/;
const NO_MARKS = /^[-–—_.☐✗✘❌]\uFE0F?$/;
const ZERO_DATE = /^0\d{0,3}[.-]00[.-]00(?:00)?(?:\D.*)?$/;
/** Signs without a meaning, such as a dash. Others, such as `?` or `+`, are neither yes nor no. */
const SIGNS = /^[\s\p{Pd}_.,:;/\\|'"()]*$/u;
const MONTH = String.raw`\p{L}{3,10}\.?`;
const DATE = new RegExp(
  String.raw`^(?:\p{L}{2,10}\.?,?\s+)?(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\s?\d{1,2}[-./]\s?\d{2,4}|\d{1,2}[.\s-]{1,2}(?:de\s)?${MONTH}[\s-]{1,2}(?:de\s)?\d{2,4}|${MONTH}[\s-]\d{1,2},?[\s-]{1,2}\d{2,4}|\d{8})(?:[T,\s].*)?$`,
  'u',
);
/** Maximum number of characters to test. Longer texts are remarks. */
const MAX_TEXT = 60;

/** Whether a text says yes, such as `ja`, `true`, `x` or a check mark. */
export function isYes(text: string): boolean {
  return text.length <= MAX_TEXT && (YES.has(columnKey(text)) || MARKS.test(text.trim()));
}

/** Whether a text says no, such as `nein`, `false`, `-` or an empty date. */
export function isNo(text: string): boolean {
  return (
    text.length <= MAX_TEXT &&
    (NO.has(columnKey(text)) || NO_MARKS.test(text.trim()) || isZeroDate(text) || SIGNS.test(text))
  );
}

/** Whether a text says whether or when: yes, no or a date. */
export function isFlag(text: string): boolean {
  return isYes(text) || isNo(text) || isDate(text);
}

/** Whether a text is a date in any common form, with or without a time. */
export function isDate(text: string): boolean {
  return text.length <= MAX_TEXT && DATE.test(text.trim());
}

/** Whether a text is the date 0000-00-00, which databases write instead of no date. */
export function isZeroDate(text: string): boolean {
  return text.length <= MAX_TEXT && ZERO_DATE.test(text.trim());
}
