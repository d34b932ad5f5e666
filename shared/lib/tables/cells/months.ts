/** Full and short month names in English, German, French and Spanish, as in spreadsheets and shops. */
const NAMES = [
  'january jan januar jän jänner janvier janv enero ene',
  'february feb februar février févr fév febrero',
  'march mar märz mrz mär mars marzo',
  'april apr avril avr abril abr',
  'may mai mayo',
  'june jun juni juin junio',
  'july jul juli juillet juil julio',
  'august aug août agosto ago',
  'september sep sept septembre septiembre set',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez décembre déc diciembre dic',
] as const;

/** Names in Italian, Dutch, Polish and Portuguese, as far as they differ. Spreadsheets write them in lower case. */
const OTHER_NAMES = [
  'gennaio gen januari stycznia styczeń sty janeiro',
  'febbraio februari lutego luty lut fevereiro fev',
  'maart mrt marca marzec março',
  'aprile kwietnia kwiecień kwi',
  'maggio mag mei maja maj maio',
  'giugno giu czerwca czerwiec cze junho',
  'luglio lug lipca lipiec lip julho',
  'augustus sierpnia sierpień sie',
  'settembre września wrzesień wrz setembro',
  'ottobre ott października październik paź outubro out',
  'novembro listopada listopad lis',
  'dicembre grudnia grudzień gru dezembro',
] as const;

const numbersOf = (all: readonly string[]): [string, number][] =>
  all.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1]));

/** Names that mean a month only in lower case, because they are also parts of codes. */
export const LOWERCASE_MONTHS: ReadonlySet<string> = new Set(numbersOf(OTHER_NAMES).map(([name]) => name));

/** Month number from 1 to 12, by lowercase name. */
export const MONTH_NAMES: ReadonlyMap<string, number> = new Map([...numbersOf(OTHER_NAMES), ...numbersOf(NAMES)]);
