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

/** Month number from 1 to 12, by lowercase name. */
export const MONTH_NAMES: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
);
