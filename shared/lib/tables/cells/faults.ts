import { type FileCell, NO_RESULT, textOf } from '../table.ts';

/** Errors of spreadsheet programs in English, German, French, Spanish, Italian, Dutch, Polish and Portuguese, which end with `!` or `?`. */
const MARKED = new Set(
  `NULL DIV/0 VALUE REF NAME NUM SPILL CALC FIELD BLOCKED UNKNOWN CONNECT BUSY ERROR EXTERNAL PYTHON TIMEOUT N/A
   WERT BEZUG ZAHL NV ÜBERLAUF KALK FELD BLOCKIERT UNBEKANNT VERBINDEN FEHLER
   NUL VALEUR NOM NOMBRE PROPAGATION CHAMP CONNEXION ERREUR
   NULO VALOR DESBORDAMIENTO CAMPO NÚM N/D
   NULLO VALORE RIF NOME ESPANSIONE
   LEEG DEEL/0 WAARDE VERW NAAM GETAL N/B OVERLOOP
   ZERO DZIEL/0 ARG ADR NAZWA LICZBA ROZLANIE DESPEJAR`.split(/\s+/),
);
/** Errors without a sign at the end. */
const PLAIN = /^#(?:N\/A|N\/D|N\/DISP|N\/B|NV|NB|GETTING_DATA|#{2,})$/;
const MARKED_FORM = /^#[¡¿]?(.{1,20})[!?]$/u;
/** Error numbers of LibreOffice. */
const NUMBERED = /^(?:Err|Fehl|Fehler|Erreur|Błąd|Errore|Erro|Fout)\s?:\s?\d{3}$/;
/** Cells whose values had not arrived when the file was written. */
const LOADING =
  /^(?:Loading|Wird geladen|Lädt|Chargement|Cargando|Caricamento|Laden|Ładowanie|Wczytywanie)(?: en cours)?\s?(?:\.{3}|…)$/iu;
/** Maximum number of characters in an error. */
const MAX_ERROR = 30;

/** Whether a text is an error or a placeholder that a spreadsheet program shows instead of a value: `#N/A`, `Err:502`, `Loading...`. */
export function isSpreadsheetError(text: string): boolean {
  if (text.length > MAX_ERROR) return false;
  if (!text.startsWith('#')) return NUMBERED.test(text) || LOADING.test(text);
  return PLAIN.test(text) || MARKED.has(MARKED_FORM.exec(text)?.[1] ?? '');
}

/** Returns why a cell is an error of a spreadsheet program instead of a value, or an empty text. */
export function errorIn(cell: FileCell | undefined): string {
  const text = textOf(cell);
  if (typeof cell === 'object' && cell.kind === 'fault') {
    return text === NO_RESULT || isSpreadsheetError(text) ? cell.message : '';
  }
  if (!isSpreadsheetError(text)) return '';
  return `"${text}" is an error of a spreadsheet program. Correct the formula, or enter the value itself.`;
}
