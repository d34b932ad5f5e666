import { firstLabeled, placeName } from './naming.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { articleOf, isOver, itemsOf, type ModelItem, type ModelOrder, remainingOf } from './orderState.ts';
import type { ModelCommand, ModelDevice } from './state.ts';
import { devicesInWalkingOrder } from './walk.ts';

type Scan = Extract<PickAsk, { what: 'scan' }>;
/** A scan's answer without `says`, whose wording is up to the station. */
export type ScanAnswer = Omit<ScanResult, 'says'>;
type Lit = { device: ModelDevice; command: ModelCommand; item: ModelItem | undefined };

/**
 * The meaning of a code. `line` or `unlit` is the line to pick, `order` the order to take, and `verified` the line to confirm without a
 * light.
 */
export type Meaning = {
  answer: ScanAnswer;
  line?: Lit;
  unlit?: ModelItem;
  order?: ModelOrder;
  verified?: ModelItem;
};

type Field = 'UPC' | 'SKU' | 'name';

const NOTHING: ScanAnswer = {
  result: 'unknown',
  deviceid: null,
  location: '',
  text: '',
  quantity: null,
  pack: null,
  remaining: null,
  order_number: null,
  item_id: null,
  command_id: null,
  verified: false,
  taken: false,
  launched: false,
  command: null,
  pickers: [],
  expected: [],
  candidates: [],
  repeated: false,
};

/**
 * Finds what a code means: first a code of an open line in the named order or in the current line's order, then a known place, an order
 * number, an article. With neither order, order numbers come before places.
 */
export function meaningOf(oracle: Oracle, scan: Scan, picker: string, nowMono: number): Meaning {
  const order = scan.order ?? oracle.currents.of(picker, nowMono)?.of.of.number;
  const inHand = order === undefined ? undefined : { ...scan, order };
  const expected = expectedPlaces(oracle, inHand ?? scan, picker);
  const among = (asked: Scan, which: Among) => find(oracle, asked, { picker, expected, among: which });
  return (
    (inHand && among(inHand, 'open')) ??
    (inHand && among(scan, 'lit')) ??
    (inHand && among(inHand, 'places')) ??
    among(scan, 'any') ?? { answer: NOTHING }
  );
}

/** Lists the places of the person's open lines, with those that have no light last. */
function expectedPlaces(oracle: Oracle, scan: Scan, picker: string): string[] {
  const lit = inScope(oracle, scan, picker).map(({ device, command }) => placeName(device, command) || device.id);
  const within = scan.order === undefined ? undefined : oracle.orders.all.get(scan.order);
  const dark = (within === undefined ? [] : itemsOf(within))
    .filter((item) => item.state === 'active' && item.command === null && item.picker === picker)
    .map(({ given }) => given.warehouse_location ?? '')
    .filter((place) => place !== '');
  return [...new Set([...lit, ...dark.toSorted()])];
}

/** Which meanings to try: those of open lines, of lit places, of known places, or all. */
type Among = 'open' | 'lit' | 'places' | 'any';

function find(
  oracle: Oracle,
  scan: Scan,
  { picker, expected, among }: { picker: string; expected: string[]; among: Among },
): Meaning | undefined {
  const code = scan.code.trim().toLowerCase();
  const scope = inScope(oracle, scan, picker);
  const within = scan.order === undefined ? undefined : oracle.orders.all.get(scan.order);
  const unlit = unlitInScope(oracle, scan, picker);
  const asked = { ...NOTHING, order_number: scan.order ?? null };
  if (among === 'lit') return asPlace(true);
  if (among === 'places')
    return asArticle(['UPC', 'SKU'], false) === undefined ? (asPlace(false) ?? asText(false)) : undefined;
  if (among === 'open')
    return asArticle(['UPC', 'SKU'], true) ?? asPlace(true) ?? asText(true) ?? asArticle(['name'], true);
  return (
    asOrder() ??
    asArticle(['UPC', 'SKU'], false) ??
    asPlace(false) ??
    asText(false) ??
    asArticle(['name'], false) ??
    asKnown()
  );

  function asOrder(): Meaning | undefined {
    const order = [...oracle.orders.all.values()].find(({ number }) => number.toLowerCase() === code);
    return order && { answer: { ...NOTHING, result: 'order', order_number: order.number }, order };
  }

  function asPlace(isOpen: boolean): Meaning | undefined {
    const devices = firstLabeled(oracle);
    const labeled = devices.filter(({ label }) => label.toLowerCase() === code);
    const places = labeled.length > 0 ? labeled : devices.filter(({ id }) => id.toLowerCase() === code);
    const [place] = places;
    if (place === undefined) return undefined;
    const here = scope.filter(({ device }) => places.includes(device));
    const [first] = here;
    if (first !== undefined)
      return lines(here.every(({ device }) => device === first.device) ? [first] : here, [], false);
    if (isOpen) return undefined;
    const named = { ...asked, deviceid: place.id, location: place.label || place.id };
    if (scan.order === undefined) return { answer: { ...named, result: 'place' } };
    const done = itemsIn(within).find((item) => isOver(item) && places.some(({ id }) => item.deviceId === id));
    if (done === undefined) return { answer: { ...named, result: 'wrong_place', expected } };
    return { answer: { ...named, result: 'already_done', ...of(done) } };
  }

  /** Finds lines without a light by their printed place. */
  function asText(isOpen: boolean): Meaning | undefined {
    const isThere = ({ given }: ModelItem) => given.warehouse_location?.toLowerCase() === code;
    const here = unlit.filter(isThere);
    if (here.length > 0) return lines([], here, false);
    if (isOpen) return undefined;
    const done = itemsIn(within).find((item) => isOver(item) && item.deviceId === null && isThere(item));
    if (done === undefined) return undefined;
    const location = done.given.warehouse_location ?? '';
    return { answer: { ...asked, result: 'already_done', ...of(done), location } };
  }

  function asArticle(fields: readonly Field[], isOpen: boolean): Meaning | undefined {
    for (const field of fields) {
      const isIt = (item: ModelItem | undefined) => item?.given[field]?.toLowerCase() === code;
      const lit = scope.filter(({ item }) => isIt(item));
      const dark = unlit.filter(isIt);
      if (lit.length + dark.length > 0) return lines(lit, dark, true);
      const item = isOpen ? undefined : itemsIn(within).find(isIt);
      if (item === undefined) continue;
      const answer = { ...asked, ...of(item), verified: true };
      if (!isOver(item)) return { answer: { ...answer, result: 'place' } };
      if (item.verified) return { answer: { ...answer, result: 'already_done' } };
      return { answer: { ...answer, result: 'acknowledged' }, verified: item };
    }
    return undefined;
  }

  function asKnown(): Meaning | undefined {
    const isKnown = [...oracle.orders.all.values()]
      .flatMap(itemsOf)
      .some(({ given: { UPC, SKU, name } }) => [UPC, SKU, name].some((text) => text?.toLowerCase() === code));
    if (!isKnown) return undefined;
    const result = scan.order === undefined ? 'place' : 'wrong_item';
    return { answer: { ...asked, result, text: scan.code.trim(), expected } };
  }

  function itemsIn(named: ModelOrder | undefined): ModelItem[] {
    return named === undefined ? [] : itemsOf(named);
  }
}

/**
 * Finds lines without a light in the named order, or in the orders that the person picks. Includes other pickers' lines only if the named
 * order has no line for the person.
 */
function unlitInScope(oracle: Oracle, { order: number }: Scan, picker: string): ModelItem[] {
  const isPicked = ({ state, pickers }: ModelOrder) =>
    (state === 'open' || state === 'in_progress') && pickers.some(({ name }) => name === picker);
  const orders = [...oracle.orders.all.values()].filter((order) =>
    number === undefined ? isPicked(order) : order.number === number,
  );
  const all = orders
    .flatMap(itemsOf)
    .filter((item) => item.command === null && (item.state === 'active' || (item.state === 'open' && item.unassigned)));
  const own = all.filter((item) => item.picker === null || item.picker === picker);
  const hasLit = orders.flatMap(itemsOf).some((item) => item.picker === picker && item.state === 'active');
  return own.length > 0 || number === undefined || hasLit ? own : all;
}

function of(item: ModelItem) {
  return { item_id: item.id, text: articleOf(item), deviceid: item.deviceId };
}

function lines(lit: readonly Lit[], dark: readonly ModelItem[], verified: boolean): Meaning {
  const candidates = [...lit.map(candidate), ...dark.map(darkCandidate)];
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) {
    return { answer: { ...NOTHING, result: 'ambiguous', verified, candidates } };
  }
  const { kind: _, ...fields } = only;
  const [line] = lit;
  const [unlit] = dark;
  return {
    answer: { ...NOTHING, ...fields, result: 'lit', verified },
    ...(line && { line }),
    ...(unlit && { unlit }),
  };
}

function darkCandidate(item: ModelItem): ScanResult['candidates'][number] {
  return {
    kind: 'line',
    deviceid: null,
    location: item.given.warehouse_location ?? '',
    text: articleOf(item),
    quantity: remainingOf(item),
    order_number: item.of.of.number,
    item_id: item.id,
    command_id: null,
  };
}

function candidate({ device, command, item }: Lit): ScanResult['candidates'][number] {
  return {
    kind: 'line',
    deviceid: device.id,
    location: placeName(device, command),
    text: command.lines[0] ?? '',
    quantity: command.adjusted ?? command.quantity,
    order_number: item?.of.of.number ?? null,
    item_id: item?.id ?? null,
    command_id: String(command.id),
  };
}

/**
 * Finds the lit lines that a scan may mean. If an order is named, these are the order's lines, or only the picker's lines if the picker is
 * active there. Otherwise, these are all lines of the picker or of nobody.
 */
function inScope(oracle: Oracle, { order: number }: Scan, picker: string): Lit[] {
  const lit = devicesInWalkingOrder(oracle).flatMap((device) =>
    device.queue
      .filter(({ target }) => target === 'device')
      .map((command) => ({ device, command, item: command.owner?.kind === 'item' ? command.owner.item : undefined })),
  );
  const isOwn = ({ item }: Lit) => item?.picker === picker;
  if (number === undefined) return lit.filter((line) => isOwn(line) || (line.item?.picker ?? null) === null);
  const within = lit.filter(({ item }) => item?.of.of.number === number);
  const order = oracle.orders.all.get(number);
  const hasOwn =
    order !== undefined && itemsOf(order).some((item) => item.picker === picker && item.state === 'active');
  return hasOwn ? within.filter(isOwn) : within;
}
