import { type NewLocationAlias, newLocationAliasSchema } from '#shared/api/alias.ts';
import { MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import { labelWarnings } from '#shared/lib/requests/deviceRequest.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { nameKey, placeKey } from '#shared/lib/text/nameKey.ts';
import type { ReadPlace } from '#shared/lib/tables/places.ts';
import { CONTROL_CHARACTER, hasControl, hasUnseen } from '#shared/lib/text/text.ts';
import { StationError } from '../../../errors.ts';
import { refuseReserved } from '../../base/index.ts';
import { unknownDevice } from '../../devices/index.ts';
import type { ImportsContext, AssessedLocations, AssessedPlace, OpenedFile, WantedPlace } from '../types.ts';
import { warnOfLookAlikes } from './alikePlaces.ts';
import { asImported, type BegunLocations } from './begunLocations.ts';
import { readPlaces } from '../readFile.ts';
import { refuseSurplusPlaces } from './givenArticles.ts';
import { judgeCells } from './judgeCells.ts';
import { judgeMoves } from './judgeMoves.ts';
import { readStationLocations, type StationLocations } from './stationLocations.ts';

type Accepted = Extract<AssessedPlace, { wanted: WantedPlace }>;

/** Name that a row gives to a device, as an alias or as a label. */
type Claim = { place: Accepted; name: string; isAlias: boolean };

/** Number of rows to check per step. A step takes about 1 ms. */
const JUDGED_PLACES = 100;

/**
 * Reads a location file and checks each row. `begun` is the interrupted import to continue, in which names refer to the same places as when
 * it began. `reading.places` is undefined while questions about columns are unanswered. Throws `invalid` if the file cannot be read.
 */
export async function assessLocations(
  context: ImportsContext,
  opened: OpenedFile,
  begun?: BegunLocations,
): Promise<AssessedLocations> {
  const { foregroundReads, reads } = context;
  const reading = await readPlaces(context, opened);
  if (reading.places === undefined) return { reading, places: [] };
  const station = begun?.station ?? (await readStationLocations(reads, foregroundReads));
  const assessed: AssessedPlace[] = [];
  for (let from = 0; from < reading.places.length; from += JUDGED_PLACES) {
    const part: readonly ReadPlace[] = reading.places.slice(from, from + JUDGED_PLACES);
    assessed.push(...(await foregroundReads.take(() => part.map((each) => assessPlace(station, each)))));
  }
  const single = await foregroundReads.takeAll(refuseDuplicates(station, assessed));
  const moved = await foregroundReads.takeAll(judgeMoves(station, single, opened.options.moves));
  const fitting = await foregroundReads.takeAll(refuseSurplusPlaces(reads, moved));
  const placed = await foregroundReads.takeAll(judgeCells(reads, station, fitting));
  const places = await foregroundReads.takeAll(warnOfLookAlikes(reads, placed));
  return { reading, places: begun === undefined ? places : places.map((place) => asImported(place, begun)) };
}

/** Checks a row without regard to other rows. */
export function assessPlace(station: StationLocations, read: ReadPlace): AssessedPlace {
  if (read.isLeftOut) return { read, outcome: 'left_out', message: read.problem };
  if (read.problem !== '') return { read, outcome: 'refused', message: read.problem };
  try {
    const wanted = wantedOf(station, read);
    const isMade = wanted.named !== null && wanted.named.after.isMade && !wanted.named.before.isMade;
    const isNew = isMade || (wanted.alias !== null && wanted.alias.before === null);
    const isSame = wanted.label === null && wanted.named === null && wanted.articles.length === 0;
    const isKnown = isSame && (wanted.alias?.isKnown ?? true);
    return { read, outcome: isNew ? 'new' : isKnown ? 'known' : 'changed', wanted, warning: '' };
  } catch (error) {
    if (error instanceof StationError)
      return { read, outcome: 'refused', message: error.message, isConflict: error.code === 'conflict' };
    throw error;
  }
}

function wantedOf(station: StationLocations, read: ReadPlace): WantedPlace {
  const { name, device, deviceIs, label } = read;
  if (device === '') return waitingOf(station, read);
  const deviceId = station.deviceOf(device);
  const labelBefore = station.labelOf(deviceId);
  if (labelBefore === undefined) throw new StationError('conflict', unknownDevice(deviceId).message);
  const place = name === '' ? (label ?? '') : name;
  const wanted: WantedPlace = {
    deviceId,
    alias: null,
    label: null,
    named: namedOf(station, read, place),
    articles: articlesOf(station, read, place),
    renames: [],
    cell: null,
  };
  if (name !== '') wanted.alias = aliasOf(station, { name, deviceIs, deviceid: deviceId });
  if (wanted.alias?.isKnown === false) refuseReserved(name, '/name', deviceId);
  if (label === null) return wanted;
  if (label !== labelBefore) refuseReserved(label, '/label', deviceId);
  checkText('label', label);
  return { ...wanted, label: label === labelBefore ? null : { after: label, before: labelBefore } };
}

/** Returns the place that waits for a device, which exists from then on even without goods and without a light. */
function waitingOf(station: StationLocations, read: ReadPlace): WantedPlace {
  checkText('name', read.name);
  const { isPlace, name } = station.findPlace(read.name);
  if (!isPlace) refuseReserved(read.name, '/name');
  return {
    deviceId: null,
    alias: null,
    label: null,
    named: namedOf(station, read, read.name, !isPlace),
    articles: articlesOf(station, read, name),
    renames: [],
    cell: null,
  };
}

function namedOf(station: StationLocations, { note }: ReadPlace, place: string, makes = false): WantedPlace['named'] {
  if (place === '' || (!makes && note === '')) return null;
  const { name, isMade, note: noteBefore } = station.findPlace(place);
  const after = { isMade: isMade || makes, note: note === '' ? noteBefore : note };
  const isSaid = after.isMade === isMade && after.note === noteBefore;
  return isSaid ? null : { name, after, before: { isMade, note: noteBefore } };
}

function articlesOf(station: StationLocations, { articles }: ReadPlace, place: string): WantedPlace['articles'] {
  if (articles.length > 0 && place === '') throw invalid('It names an article, but no place.');
  return station.givenArticles(articles, place);
}

function checkText(what: string, text: string): void {
  if (text.length > MAX_NAME_CHARACTERS) throw invalid(`Its ${what} has more than ${MAX_NAME_CHARACTERS} characters.`);
  if (hasControl(text) || hasUnseen(text)) throw invalid(`Its ${what}: ${CONTROL_CHARACTER}`);
}

function aliasOf(
  station: StationLocations,
  said: Record<keyof NewLocationAlias, string>,
): NonNullable<WantedPlace['alias']> {
  if (said.name.length > MAX_NAME_CHARACTERS)
    throw invalid(`Its name has more than ${MAX_NAME_CHARACTERS} characters.`);
  const read = newLocationAliasSchema.safeParse(said);
  if (!read.success) throw invalid(read.error.issues[0]?.message ?? '');
  const found = station.findAlias(said.name);
  if (found === undefined) return { id: null, after: read.data, before: null, isKnown: false };
  const { id, ...before } = found;
  return { id, after: read.data, before, isKnown: isSame(read.data, before) };
}

/**
 * Refuses all rows that name the same place or give a device several labels, and warns about labels that other devices also have. Accepts a
 * name that several rows share if the station already has it in all these roles.
 */
export function* refuseDuplicates(
  station: StationLocations,
  places: readonly AssessedPlace[],
): InParts<readonly AssessedPlace[]> {
  const accepted = places.filter((each) => 'wanted' in each);
  const problems = new Map<number, string>();
  for (const problemsOf of [
    (): Map<number, string> => alsoRefused(places, accepted),
    (): Map<number, string> => nameProblems(accepted),
    (): Map<number, string> => labelProblems(accepted),
  ]) {
    yield;
    for (const [line, message] of problemsOf()) problems.set(line, message);
  }
  yield;
  const relabeled = new Set(
    accepted.flatMap(({ read, wanted }) =>
      wanted.label === null || wanted.deviceId === null || problems.has(read.line) ? [] : wanted.deviceId,
    ),
  );
  const repeats = repeatedLabels(accepted.filter(({ read }) => !problems.has(read.line)));
  const checked: AssessedPlace[] = [];
  const pace = createPace();
  for (const each of places) {
    if (pace.isDue()) yield* pace.rest();
    const message = problems.get(each.read.line);
    const first = repeats.get(each.read.line);
    if (message !== undefined) checked.push({ read: each.read, outcome: 'refused', message, isConflict: true });
    else if (first !== undefined && 'wanted' in each)
      checked.push({ ...each, outcome: 'known', warning: `Line ${first} gives the device this label too.` });
    else checked.push('wanted' in each ? { ...each, warning: warningOf(station, each, relabeled) } : each);
  }
  return checked;
}

/**
 * Returns messages, by line, about aliases that a refused row also names. Nobody knows which of these rows is right until the refused one
 * is corrected.
 */
function alsoRefused(places: readonly AssessedPlace[], accepted: readonly Accepted[]): Map<number, string> {
  const refused = new Map<string, number>();
  for (const { read, outcome } of places)
    if (outcome === 'refused' && read.name !== '') refused.set(placeKey(read.name), read.line);
  const problems = new Map<number, string>();
  for (const { read, wanted, outcome } of accepted) {
    const name = wanted.alias?.after.name ?? (wanted.deviceId === null ? read.name : undefined);
    const line = name === undefined ? undefined : refused.get(placeKey(name));
    if (line !== undefined && outcome !== 'known') problems.set(read.line, sameName(line, read.name));
  }
  return problems;
}

function sameName(line: number, name: string): string {
  return `Line ${line} names the place "${name}" too. Keep one of these rows.`;
}

/** Returns messages, by line, about names that several rows contain. */
function nameProblems(accepted: readonly Accepted[]): Map<number, string> {
  const problems = new Map<number, string>();
  const claims = Map.groupBy(accepted.flatMap(claimsOf), ({ name }) => placeKey(name));
  for (const group of claims.values()) {
    if (!isDuplicate(group)) continue;
    for (const { place, name } of group) {
      const { line } = place.read;
      const other = group.find((each) => each.place.read.line !== line)?.place.read.line;
      if (other !== undefined && !problems.has(line)) problems.set(line, sameName(other, name));
    }
  }
  return problems;
}

/**
 * Whether rows with the same name contradict each other: they name the same alias, or they give the name to several devices that do not all
 * have it yet.
 */
function isDuplicate(group: readonly Claim[]): boolean {
  if (group.length < 2) return false;
  const waiting = group.filter(({ place }) => place.wanted.deviceId === null);
  const isKnown = group.every(({ place }) => place.outcome === 'known');
  // The station can have several places whose names differ in blanks only.
  if (waiting.length > 1 && !(isKnown && new Set(waiting.map(({ name }) => nameKey(name))).size === waiting.length))
    return true;
  const aliases = group.filter(({ isAlias }) => isAlias).map(({ place }) => place.wanted.alias?.id ?? null);
  if (new Set(aliases).size < aliases.length || (aliases.includes(null) && aliases.length > 1)) return true;
  const devices = new Set(group.map(({ place }) => place.wanted.deviceId));
  if (aliases.length < 2 && devices.size < 2) return false;
  return group.some(({ place }) => place.outcome !== 'known');
}

function claimsOf(place: Accepted): Claim[] {
  const { alias, deviceId } = place.wanted;
  const label = deviceId === null ? place.read.name : (place.read.label ?? '');
  return [
    ...(alias === null ? [] : [{ place, name: alias.after.name, isAlias: true }]),
    ...(label === '' ? [] : [{ place, name: label, isAlias: false }]),
  ];
}

/** Returns messages, by line, about devices that get several labels. */
function labelProblems(accepted: readonly Accepted[]): Map<number, string> {
  const problems = new Map<number, string>();
  // Ignore an empty label if the device has none, because another row can give it one.
  const labeled = accepted.filter(
    ({ read, wanted }) => read.label !== null && (read.label !== '' || wanted.label !== null),
  );
  for (const rows of Map.groupBy(labeled, ({ wanted }) => wanted.deviceId).values()) {
    const [first] = rows;
    // Name a row that contradicts this one: the first row or, if this row agrees with it, the first row that differs.
    const second = rows.find((each) => each.read.label !== first?.read.label);
    for (const { read, wanted } of rows) {
      const other = (read.label === first?.read.label ? second : first)?.read;
      if (other === undefined) continue;
      problems.set(
        read.line,
        `Line ${other.line} gives ${wanted.deviceId ?? ''} the label "${other.label ?? ''}". Keep one of these rows.`,
      );
    }
  }
  return problems;
}

/** Finds rows that only repeat the label from an earlier row and so change nothing. Maps their lines to the earlier lines. */
function repeatedLabels(accepted: readonly Accepted[]): Map<number, number> {
  const repeats = new Map<number, number>();
  const first = new Map<string, number>();
  for (const { read, wanted, outcome } of accepted) {
    if (wanted.label === null || wanted.deviceId === null) continue;
    const line = first.get(wanted.deviceId);
    if (line === undefined) first.set(wanted.deviceId, read.line);
    else if (
      outcome === 'changed' &&
      wanted.named === null &&
      wanted.articles.length === 0 &&
      (wanted.alias?.isKnown ?? true)
    )
      repeats.set(read.line, line);
  }
  return repeats;
}

/** Returns the warnings about a row as one text. `relabeled` contains the devices that get a different label from the file. */
function warningOf(station: StationLocations, place: Accepted, relabeled: ReadonlySet<string>): string {
  const { deviceId, alias } = place.wanted;
  const otherWith = (label: string): string | undefined =>
    station.labeled(label).find((each) => each !== deviceId && !relabeled.has(each));
  const hidden = alias === null || alias.isKnown ? undefined : otherWith(alias.after.name);
  return [
    ...(hidden === undefined ? [] : [`${hidden} has this name as its label, and is no longer found by it.`]),
    ...labelDoubts(station, place, otherWith),
  ].join(' ');
}

function labelDoubts(
  station: StationLocations,
  { read: { label }, wanted }: Accepted,
  otherWith: (label: string) => string | undefined,
): string[] {
  if (label === null || label === '' || wanted.label === null) return [];
  const other = otherWith(label);
  const alias = station.aliased(label);
  return [
    ...(other === undefined ? [] : [`${other} has this label too.`]),
    ...(alias === undefined || alias.deviceid === wanted.deviceId
      ? []
      : [`An alias of ${alias.deviceid} has this name and is found first.`]),
    ...labelWarnings(label, 'this row'),
  ];
}

/** Whether two aliases have the same content. Returns false if `b` is null. */
export function isSame(a: NewLocationAlias, b: NewLocationAlias | null): boolean {
  return b !== null && a.name === b.name && a.deviceid === b.deviceid && a.deviceIs === b.deviceIs;
}

function invalid(message: string): StationError {
  return new StationError('invalid', message);
}
