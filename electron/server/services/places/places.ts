import type { GoodsPlace, NewPlace, PlaceQuery } from '#shared/api/place.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import { compareLabels } from '#shared/lib/text/locale.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { StationError } from '../../errors.ts';
import { type By, lookAlikeWarnings, refuseReserved } from '../base/index.ts';
import { findByLocation, isPlaceName } from '../devices/index.ts';
import { type RenameContext, renamePlaces, renameWithin } from './rename.ts';

type PlacesContext = RenameContext & {
  reads: TablesOf<'places'>;
  writer: Pick<Writer, 'write' | 'writeLarge'>;
  foregroundReads: Pick<StepQueue, 'take'>;
};

/** Number of places to read per step. */
const AT_ONCE = 50;

/** Manages places by name, with or without a device. Contract, section 20. */
export function createPlaces(context: PlacesContext) {
  return {
    list: (query: PlaceQuery) => list(context, query),
    add: (wanted: NewPlace, by: By) => add(context, wanted, by),
    remove: (name: string, by: By) => remove(context, name, by),
    rename: (wanted: readonly PlaceRename[], by: By) => renamePlaces(context, wanted, by),
    /** Like `rename`, but inside a transaction. */
    renameWithin: (tx: Transaction, wanted: readonly PlaceRename[], by: By) => renameWithin(context, tx, wanted, by),
  };
}

export type PlaceService = ReturnType<typeof createPlaces>;

async function list({ reads, foregroundReads }: PlacesContext, query: PlaceQuery): Promise<GoodsPlace[]> {
  const names = await foregroundReads.take(() => findPlaceNames(reads, query));
  const page = await foregroundReads.take(() => firstNames(names, query));
  const map = reads.map.get();
  const places: GoodsPlace[] = [];
  for (let at = 0; at < page.length; at += AT_ONCE) {
    const some = page.slice(at, at + AT_ONCE);
    places.push(...(await foregroundReads.take(() => some.map((name) => placeOf(reads, name, map)))));
  }
  return places;
}

/** Lists the names of the places that match, in natural order. */
export const listPlaceNames = (
  tables: TablesOf<'places'>,
  query: Pick<PlaceQuery, 'q' | 'light' | 'empty'>,
): string[] => findPlaceNames(tables, query).toSorted(inOrder);

/** Compares in natural order. Returns 0 only for identical names, so that no page skips a name. */
const inOrder = (one: string, other: string): number =>
  compareLabels(one, other) || Number(one > other) - Number(one < other);

/** Returns the first names after `after` in natural order. Does not sort the names of later pages, because that is slow. */
function firstNames(names: readonly string[], { after, limit }: Pick<PlaceQuery, 'after' | 'limit'>): string[] {
  let first: string[] = [];
  let last: string | undefined;
  for (const name of names) {
    if (after !== undefined && inOrder(name, after) <= 0) continue;
    if (last !== undefined && inOrder(name, last) > 0) continue;
    first.push(name);
    if (first.length < 2 * limit) continue;
    first = first.toSorted(inOrder).slice(0, limit);
    last = first.at(-1);
  }
  return first.toSorted(inOrder).slice(0, limit);
}

/** Finds the names of the places that match, in no particular order. */
function findPlaceNames(
  { aliases, devices, namedPlaces, stock }: TablesOf<'places'>,
  { q = '', light, empty }: Pick<PlaceQuery, 'q' | 'light' | 'empty'>,
): string[] {
  const labels = devices
    .list()
    .flatMap(({ device_id: id, label }) => (label === '' || devices.isSlot(id) ? [] : [label]));
  const lit = [...labels, ...aliases.listAll().map(({ name }) => name)];
  const goods = stock.listPlaceNames().map(({ place }) => place);
  const litKeys = new Set(lit.map(nameKey));
  const goodsKeys = new Set(goods.map(nameKey));
  const names = new Map<string, string>();
  for (const name of [
    ...namedPlaces
      .list()
      .filter(({ isMade }) => isMade)
      .map(({ name }) => name),
    ...goods,
    ...lit,
  ])
    names.set(nameKey(name), name);
  const wanted = nameKey(q);
  return [...names]
    .filter(
      ([key]) =>
        key.includes(wanted) &&
        (light === undefined || litKeys.has(key) === light) &&
        (empty === undefined || goodsKeys.has(key) !== empty),
    )
    .map(([, name]) => name);
}

function placeOf(tables: TablesOf<'places'>, name: string, map = tables.map.get()): GoodsPlace {
  const { aliases, articles, devices, namedPlaces, stock } = tables;
  const alias = aliases.findByName(name);
  const [labeled] = alias === undefined ? devices.listByLabel(name, 1) : [];
  const deviceid = alias?.deviceid ?? labeled ?? null;
  const placed = map.places.find((place) => place.deviceid === labeled);
  return {
    name,
    deviceid,
    aliases: labeled === undefined ? [] : aliases.listByDevice(labeled).map((each) => each.name),
    articles: stock.listAt(nameKey(name)).flatMap(({ articleId, onHand }) => {
      const article = articles.find(articleId);
      return article === undefined ? [] : [{ sku: article.sku, name: article.name, on_hand: onHand }];
    }),
    cell:
      placed === undefined
        ? (findLabeledCell(map.racks, name) ?? null)
        : { shelf: placed.shelf, column: placed.column },
    note: namedPlaces.find(name)?.note ?? '',
  };
}

/** Creates a place without a device. Throws `conflict` if a place has this name. */
function add(
  { repositories, writer, audit }: PlacesContext,
  { name, note }: NewPlace,
  by: By,
): Promise<{ place: GoodsPlace; warnings: string[] }> {
  return writer.write((tx) => {
    refuseReserved(name, '/name');
    if (isPlaceName(repositories, name)) {
      const message = `There is already a place ${quote(name)}. Choose another name.`;
      throw new StationError('conflict', message, [{ path: '/name', message }]);
    }
    repositories.namedPlaces.save({ name, note, isMade: true, darkAt: null });
    audit.record(tx, { action: 'place.added', by, subject: name, detail: {} });
    return { place: placeOf(repositories, name), warnings: lookAlikeWarnings(repositories, 'place', name) };
  });
}

/** Removes a place, also from its articles. Throws `not_found`, or `in_use` if articles have stock there or a device hangs there. */
function remove(
  { repositories, writer, audit, placeNames, darkPlaces }: PlacesContext,
  name: string,
  by: By,
): Promise<void> {
  return writer.write((tx) => {
    if (!isPlaceName(repositories, name))
      throw new StationError('not_found', `There is no place ${quote(name)}. GET /api/places/ lists the places.`);
    const light = findByLocation(repositories, name);
    if (light !== undefined)
      throw new StationError(
        'in_use',
        `${light.deviceId} serves ${name}. Move the device, or delete the alias, first.`,
      );
    placeNames.remove(tx, name, by.name);
    repositories.namedPlaces.remove(name);
    darkPlaces.changed(tx, [{ name, light: undefined }]);
    audit.record(tx, { action: 'place.removed', by, subject: name, detail: {} });
  });
}
