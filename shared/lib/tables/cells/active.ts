import { columnKey, columnKeySet } from '../columnKey.ts';

const YES = columnKeySet(
  `true; yes; ja; oui; si; 1; y; j; o; s; x; tak; active; activated; enabled; aktiv; aktiviert; actif; activo; activa; habilitado; attivo; actief; ingeschakeld; aktywny; aktywne; aktywna; włączony`,
);
const NO = columnKeySet(
  `false; no; nein; non; 0; n; nee; nie; inactive; not active; deactivated; disabled; archived; inaktiv; nicht aktiv; deaktiviert; archiviert; inactif; désactivé; archivé; inactivo; inactiva; desactivado; deshabilitado; archivado; inattivo; disattivato;
  inactief; niet actief; uitgeschakeld; gearchiveerd; nieaktywny; nieaktywne; nieaktywna; wyłączony; zarchiwizowany`,
);

/** Returns whether a text says that an article is active or inactive. Undefined for any other text. */
export function activeOf(text: string): boolean | undefined {
  const key = columnKey(text);
  if (YES.has(key)) return true;
  return NO.has(key) ? false : undefined;
}
