import type { ScanCandidate, ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { BARE_CONTENT } from '#shared/lib/requests/deviceRequest.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { cutLine } from '#shared/lib/text/text.ts';
import { byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import type { CoreOf } from '../../core.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { Transaction } from '../../db/writer.ts';
import { quantityOf, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';
import type { ItemStock } from '../articles/index.ts';
import type { Commands, DirectPress } from '../commands/index.ts';
import { findByLocation, pointed, type Target } from '../devices/index.ts';
import { ARTICLE_FIELDS, type ArticleCode, articleTextsOf, FIND_CODE } from './articleCodes.ts';
import { NOTHING, type ScanTables } from './scanLines.ts';

type PutAwayContext = {
  repositories: CoreOf<'picking'>['repositories'];
  reads: CoreOf<'picking'>['reads'];
  writer: Pick<CoreOf<'picking'>['writer'], 'write'>;
  commands: Pick<Commands, 'send' | 'setQuantity' | 'cancel'>;
  itemStock: Pick<ItemStock, 'putAway' | 'addPlace'>;
};

/** Place of the article. `target` is undefined if no device serves the place. */
type Place = { name: string; target: Target | undefined };

/** How long the places are lit, in seconds. Longer than it takes to walk through the shop. */
const LIT_SECONDS = 600;
const COLOR = 'white';
const PREFIX = 'put_away:';

/**
 * Lights the places of an article in white. A press at one of them books the pieces there. If the same person scans the article again, the
 * pieces add up. An article without a place gets the first labeled place in walking order that has no article. Throws `invalid` for a
 * quantity of 0, and `conflict` if no place is free. Contract, section 20.
 */
export async function scanPutAway(
  context: PutAwayContext,
  scan: ScanRequest,
  { by, picker }: { by: string; picker: string },
): Promise<ScanResult> {
  const { reads, writer, repositories } = context;
  const found = findArticle(reads, scan.code);
  if (found === undefined) return { ...NOTHING, says: `${readScan(scan.code).text} is not an article.` };
  const pieces = scan.quantity ?? found.pack ?? 1;
  if (pieces === 0) {
    const message = 'Nothing to put away: give at least one piece.';
    throw new StationError('invalid', message, [{ path: '/quantity', message }]);
  }
  if (!scan.act) return answerOf(found, placesOf(reads, found.article), pieces);
  return writer.write((tx) => {
    // The article may have changed since the lookup.
    const article = repositories.articles.find(found.article.id);
    if (article === undefined) throw new StationError('not_found', `Article ${found.article.sku} was deleted.`);
    const places = placesOf(repositories, article);
    const [first] = places;
    if (first !== undefined && repositories.stock.findPlace(article.id, nameKey(first.name)) === undefined)
      context.itemStock.addPlace(tx, article.id, first.name);
    const counts = places.map((place) => light(context, tx, { article, place, pieces, by, picker }));
    return answerOf({ ...found, article }, places, Math.max(pieces, ...counts));
  });
}

/** Books the pieces at the place where somebody pressed, and turns off the other lights of the same scan. */
export function bookPutAway(
  { repositories, commands, itemStock }: Pick<PutAwayContext, 'repositories' | 'commands' | 'itemStock'>,
  tx: Transaction,
  { command, qty, by, location }: DirectPress,
): void {
  const { target, deviceId } = command;
  const [id = '', person = '', ...key] = target.slice(PREFIX.length).split(':');
  if (!target.startsWith(PREFIX)) return;
  const articleId = Number(id);
  // Look up the place by both names, because it may have been renamed since the scan.
  const names = [key.join(':'), nameKey(location)];
  const place = names.map((name) => repositories.stock.findPlace(articleId, name)).find((each) => each !== undefined);
  const picker = decodeURIComponent(person);
  if (qty > 0)
    itemStock.putAway(tx, { articleId, place: place?.place ?? location, quantity: qty, by, picker, deviceId });
  for (const other of repositories.commands.listWithTarget(groupOf(articleId, picker))) commands.cancel(tx, other, by);
}

function findArticle(tables: ScanTables, code: string): ArticleCode | undefined {
  const texts = articleTextsOf(tables, code);
  for (const field of ARTICLE_FIELDS) {
    for (const text of texts) {
      const found = FIND_CODE[field](tables, text);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the article's places by priority. If it has none, returns a free place. Throws `conflict` if no place is free. */
function placesOf(tables: ScanTables, { id, sku }: ArticleRow): Place[] {
  const own = tables.stock.listPlaces(JSON.stringify([id])).map(({ place }) => place);
  const names = own.length > 0 ? own : [findFree(tables)];
  return names.map((name) => {
    if (name === undefined)
      throw new StationError('conflict', `Article ${sku} has no place, and every labeled place has an article.`);
    return { name, target: findByLocation(tables, name) };
  });
}

/** Finds the first label in walking order that only one device has, and that is neither a place nor the SKU of an article. */
function findFree({ devices, map, stock, articles }: ScanTables): string | undefined {
  const compare = byWalk(walkRanks(map.get()));
  const labeled = devices.listIds().flatMap((deviceId) => {
    const label = devices.find(deviceId)?.label ?? '';
    return label === '' ? [] : [{ deviceId, label }];
  });
  const isFree = ({ label }: { label: string }): boolean =>
    stock.listAt(nameKey(label)).length === 0 &&
    articles.findBySku(nameKey(label)) === undefined &&
    devices.listByLabel(label).length === 1;
  return labeled.toSorted(compare).find(isFree)?.label;
}

/** Returns the prefix of the command targets for an article and person. */
function groupOf(articleId: number, person: string): string {
  return `${PREFIX}${articleId}:${encodeURIComponent(person)}:`;
}

/** Lights a place. Returns the number of pieces that its device shows, or 0 if no device serves the place. */
function light(
  { repositories, commands }: PutAwayContext,
  tx: Transaction,
  asked: { article: ArticleRow; place: Place; pieces: number; by: string; picker: string },
): number {
  const { article, place, pieces, by, picker } = asked;
  const { name, target: where } = place;
  if (where === undefined) return 0;
  const target = `${groupOf(article.id, picker)}${nameKey(name)}`;
  const lit: QueuedCommand | undefined = repositories.commands.listWithTarget(target)[0];
  const quantity = pieces + (lit === undefined ? 0 : (quantityOf(lit) ?? 0));
  if (lit !== undefined) {
    commands.setQuantity(tx, lit, { quantity, by });
    return quantity;
  }
  const lines = [article.name || article.sku, article.description].filter((line) => line !== '');
  const shown = { lines: lines.map((line) => cutLine(line)), color: COLOR, quantity, seconds: LIT_SECONDS };
  const { content, arrowAdded } = pointed({ ...BARE_CONTENT, ...shown }, where);
  const { deviceId, alias, label } = where;
  commands.send(tx, { deviceId, target, alias, label, nonce: '', content, arrowAdded, sender: by });
  return quantity;
}

function answerOf({ article, pack }: ArticleCode, places: readonly Place[], quantity: number): ScanResult {
  const text = article.name || article.sku;
  const lit = places.filter(({ target }) => target !== undefined);
  const [first] = [...lit, ...places];
  const names = (lit.length > 0 ? lit : places).map(({ name }) => name).join(' or ');
  const dark = lit.length > 0 ? '' : ' No device is there: count the place afterwards.';
  return {
    ...NOTHING,
    result: 'put_away',
    says: `Put ${quantity} ${text} at ${names}.${dark}`,
    text,
    quantity,
    pack: pack ?? null,
    verified: true,
    deviceid: first?.target?.deviceId ?? null,
    location: first?.name ?? '',
    candidates: places.map(({ name, target }): ScanCandidate => ({
      kind: 'place',
      deviceid: target?.deviceId ?? null,
      location: name,
      text,
      quantity: null,
      order_number: null,
      item_id: null,
      command_id: null,
    })),
  };
}
