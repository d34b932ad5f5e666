import type { ScanResult } from '#shared/api/picking.ts';
import type { PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { articleOf, isOver, itemsOf, type ModelItem, type ModelOrder } from './orderState.ts';
import type { ModelCommand, ModelDevice } from './state.ts';
import { devicesInWalkingOrder } from './walk.ts';

type Scan = Extract<PickAsk, { what: 'scan' }>;
/** The wording of `says` is the station's choice. */
export type ScanAnswer = Omit<ScanResult, 'says'>;
type Lit = { device: ModelDevice; command: ModelCommand; item: ModelItem | undefined };

/**
 * The meaning of a code. `line`: what it acknowledges; `order`: what it takes; `verified`: what it confirms without a
 * light.
 */
export type Meaning = { answer: ScanAnswer; line?: Lit; order?: ModelOrder; verified?: ModelItem };

const NOTHING: ScanAnswer = {
  result: 'unknown',
  deviceid: null,
  location: '',
  text: '',
  quantity: null,
  order_number: null,
  item_id: null,
  command_id: null,
  verified: false,
  taken: false,
  pickers: [],
  expected: [],
  candidates: [],
  repeated: false,
};

/** Tries an order number first, then the name of a place, then an article. */
export function meaningOf(oracle: Oracle, scan: Scan, picker: string): Meaning {
  const code = scan.code.trim().toLowerCase();
  const order = [...oracle.orders.all.values()].find(({ number }) => number.toLowerCase() === code);
  if (order !== undefined) return { answer: { ...NOTHING, result: 'order', order_number: order.number }, order };
  const scope = inScope(oracle, scan, picker);
  const within = scan.order === undefined ? undefined : oracle.orders.all.get(scan.order);
  const asked = { ...NOTHING, order_number: scan.order ?? null };
  const expected = [...new Set(scope.map(({ device }) => device.label || device.id))];
  return asPlace() ?? asArticle() ?? { answer: NOTHING };

  function asPlace(): Meaning | undefined {
    const devices = [...oracle.devices.values()];
    const labelled = devices.filter(({ label }) => label.toLowerCase() === code);
    const places = labelled.length > 0 ? labelled : devices.filter(({ id }) => id.toLowerCase() === code);
    const [place] = places;
    if (place === undefined) return undefined;
    const here = scope.filter(({ device }) => places.includes(device));
    const [first] = here;
    if (first !== undefined) return lines(here.every(({ device }) => device === first.device) ? [first] : here, false);
    const named = { ...asked, deviceid: place.id, location: place.label || place.id };
    if (scan.order === undefined) return { answer: { ...named, result: 'place' } };
    const done = itemsIn(within).find((item) => isOver(item) && places.some(({ id }) => item.deviceId === id));
    if (done === undefined) return { answer: { ...named, result: 'wrong_place', expected } };
    return { answer: { ...named, result: 'already_done', ...of(done) } };
  }

  function asArticle(): Meaning | undefined {
    for (const field of ['UPC', 'SKU', 'name'] as const) {
      const isIt = (item: ModelItem | undefined) => item?.given[field]?.toLowerCase() === code;
      const lit = scope.filter(({ item }) => isIt(item));
      if (lit.length > 0) return lines(lit, true);
      const item = itemsIn(within).find(isIt);
      if (item === undefined) continue;
      const answer = { ...asked, ...of(item), verified: true };
      if (!isOver(item)) return { answer: { ...answer, result: 'place' } };
      if (item.verified) return { answer: { ...answer, result: 'already_done' } };
      return { answer: { ...answer, result: 'acknowledged' }, verified: item };
    }
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

function of(item: ModelItem) {
  return { item_id: item.id, text: articleOf(item), deviceid: item.deviceId };
}

function lines(lit: readonly Lit[], verified: boolean): Meaning {
  const [line] = lit;
  if (line === undefined || lit.length > 1) {
    return { answer: { ...NOTHING, result: 'ambiguous', verified, candidates: lit.map(candidate) } };
  }
  const { kind: _, ...fields } = candidate(line);
  return { answer: { ...NOTHING, ...fields, result: 'lit', item_id: line.item?.id ?? null, verified }, line };
}

function candidate({ device, command, item }: Lit): ScanResult['candidates'][number] {
  return {
    kind: 'line',
    deviceid: device.id,
    location: device.label,
    text: command.lines[0] ?? '',
    quantity: command.adjusted ?? command.quantity,
    order_number: item?.of.of.number ?? null,
    command_id: String(command.id),
  };
}

/**
 * With an order: its lines, or only the picker's own if there are any. Without: everything lit for this person or for
 * nobody.
 */
function inScope(oracle: Oracle, { order }: Scan, picker: string): Lit[] {
  const lit = devicesInWalkingOrder(oracle).flatMap((device) =>
    device.queue
      .filter(({ target }) => target === 'device')
      .map((command) => ({ device, command, item: command.owner?.kind === 'item' ? command.owner.item : undefined })),
  );
  const isOwn = ({ item }: Lit) => item?.picker === picker;
  if (order === undefined) return lit.filter((line) => isOwn(line) || (line.item?.picker ?? null) === null);
  const within = lit.filter(({ item }) => item?.of.of.number === order);
  return within.some(isOwn) ? within.filter(isOwn) : within;
}
