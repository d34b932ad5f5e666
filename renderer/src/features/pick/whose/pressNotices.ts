import type { Item } from '#shared/api/order.ts';
import type { Fact } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Remembered } from '../../../remembered.ts';
import type { BatchPieces, OutboxAction } from '../../../station/outbox/actions.ts';
import * as texts from '../../../words/texts.ts';

type Booked = Extract<Fact, { type: 'line.booked' }>;

/** Tells a person that a press booked their line while others waited there, or that it booked the line of somebody else. */
export type PressNotice = {
  key: string;
  /** When the press was made, in epoch milliseconds of the station. */
  at: number;
  /** When this page heard of the press. Later than `at` if a device or turbo held the press. */
  toldAt?: number;
  place: string;
  orderNumber: string;
  itemId: number;
  quantity: number;
  /** Pieces of the item that were picked before the press. */
  before: number;
  /** Whose line was booked; null if nobody's. */
  picker: string | null;
  /** The person's own item that waited there, or undefined if the press booked this person's line. */
  own: number | undefined;
  /** The other people who waited there and whose lines are not booked yet, if the press booked this person's line. */
  others: readonly { picker: string; itemId: number }[];
  /** Whether the press was probably meant for the booked line. Such a notice is not red. */
  isQuiet: boolean;
  batch: number | undefined;
  slot: string | undefined;
  /** All pieces that the press picked or put, in a batch. */
  pieces: readonly BatchPieces[];
  /** Why the station refused the answer. */
  refused?: string;
  /** When it refused the answer, in epoch milliseconds of the station. */
  refusedAt?: number;
};

/** How the person answers: it was the press of this person, the booked line is not, or the notice was only read. */
export type PressAnswer = 'mine' | 'notMine' | 'read';

/** How long people are asked whose a press was, in milliseconds since they learned of it, or since an answer was refused. */
export const ASKED_MS = 120_000;
/** How long a completed order names presses about which nobody said anything. */
const NAMED_MS = 12 * 3_600_000;

/** Whether the notice is still shown. */
export const isAsked = ({ at, toldAt = at, refusedAt = toldAt }: PressNotice, stationNow: number): boolean =>
  stationNow < refusedAt + ASKED_MS;

/**
 * Returns the notices of this person after these facts. Adds a notice for each press that booked one of several people, and removes those
 * that are settled: the booked line was opened again, or both lines are booked. Returns the same list if nothing changed. `now` is the
 * station's time in epoch milliseconds.
 */
export function hearPresses(
  notices: readonly PressNotice[],
  facts: readonly Fact[],
  me: string,
  now = 0,
): readonly PressNotice[] {
  return facts.reduce((known, fact) => {
    switch (fact.type) {
      case 'line.booked':
        return withBooked(known, fact, me, now);
      case 'order.item':
        return settledBy(known, fact.item);
      case 'order.removed':
        return without(known, ({ orderNumber }) => orderNumber === fact.order_number);
      case 'batch.removed':
        return without(known, ({ batch }) => batch === fact.batch_id);
      default:
        return known;
    }
  }, notices);
}

/** Whether these facts settle what the notice asks. */
export const isSettledBy = (notice: PressNotice, facts: readonly Fact[], me: string): boolean =>
  hearPresses([notice], facts, me).length === 0;

function withBooked(notices: readonly PressNotice[], fact: Booked, me: string, now: number): readonly PressNotice[] {
  const isMe = (name: string | null): boolean => name !== null && nameKey(name) === nameKey(me);
  const isOwn = isMe(fact.picker);
  const own = isOwn ? undefined : fact.waiting.find(({ picker }) => isMe(picker))?.item_id;
  const key = `${fact.deviceid} ${fact.item_id} ${fact.at}`;
  if ((!isOwn && own === undefined) || fact.quantity === 0 || notices.some((each) => each.key === key)) return notices;
  const at = Date.parse(fact.at);
  const notice: PressNotice = {
    key,
    at,
    toldAt: Math.max(at, now),
    place: fact.slot ?? (fact.location || fact.deviceid),
    orderNumber: fact.order_number,
    itemId: fact.item_id,
    quantity: fact.quantity,
    before: fact.before,
    picker: fact.picker,
    own,
    others: isOwn ? fact.waiting.map(({ picker, item_id: itemId }) => ({ picker, itemId })) : [],
    isQuiet: fact.quiet,
    batch: fact.batch === undefined ? undefined : Number(fact.batch),
    slot: fact.slot,
    pieces: (fact.pieces ?? []).filter(({ quantity }) => quantity > 0),
  };
  return [...notices.map((earlier) => pressedAgain(earlier, notice)), notice];
}

/** The station exchanges only the last press at a slot, so an earlier one can no longer be claimed. The notice says so. */
function pressedAgain(earlier: PressNotice, { batch, slot, at }: PressNotice): PressNotice {
  const isSame = slot !== undefined && earlier.slot === slot && earlier.batch === batch && earlier.at !== at;
  if (!isSame || earlier.own === undefined || earlier.refused !== undefined) return earlier;
  const { place, quantity, picker } = earlier;
  return { ...earlier, refused: texts.pick.whose.pressedAgain(place, quantity, picker) };
}

const isOver = ({ state }: Item): boolean => state === 'done' || state === 'short';

/** Whether nothing of an item is left to pick. In a batch, an item is done only once its pieces are put. */
const isBooked = (item: Item): boolean => isOver(item) || item.quantity_fulfilled >= item.ordered_quantity;

function settledBy(notices: readonly PressNotice[], item: Item): readonly PressNotice[] {
  // What happens in slots does not change an item.
  const isAbout = ({ slot, itemId, own, others }: PressNotice): boolean =>
    slot === undefined && [itemId, own, ...others.map((each) => each.itemId)].includes(item.id);
  if (!notices.some(isAbout)) return notices;
  return notices.flatMap((notice) => {
    if (!isAbout(notice)) return [notice];
    const { itemId, own, before } = notice;
    if (item.id === itemId) return !isOver(item) && item.quantity_fulfilled <= before ? [] : [notice];
    if (!isBooked(item)) return [notice];
    const others = notice.others.filter((other) => other.itemId !== item.id);
    return item.id === own || others.length === 0 ? [] : [{ ...notice, others }];
  });
}

function without(notices: readonly PressNotice[], isGone: (notice: PressNotice) => boolean): readonly PressNotice[] {
  return notices.some(isGone) ? notices.filter((notice) => !isGone(notice)) : notices;
}

/** Returns the newest notice to which this person can say that the press was theirs. */
export const newestMine = (notices: readonly PressNotice[]): PressNotice | undefined =>
  notices.findLast(({ own, refused }) => own !== undefined && refused === undefined);

/**
 * Returns the action that gives the press to the person's own line or pieces, in one commit. `taken` is how many pieces the person took for
 * the own line, or put into the slot, if not all of them.
 */
export function claimOf(notice: PressNotice, key: string, taken?: number): OutboxAction {
  const { orderNumber: order_number, itemId: item_id, place, own, batch, slot, before, quantity } = notice;
  const about = { key, order_number, item_id, place };
  if (batch !== undefined && slot !== undefined)
    return {
      ...about,
      kind: 'cart',
      batch,
      act: { does: 'exchange', slot, item_id, ...(taken === undefined ? {} : { quantity: taken }) },
    };
  // In a batch, the station knows what the press booked together.
  const counts = batch === undefined ? { quantity_fulfilled: before, seen: before + quantity } : {};
  const pieces = taken === undefined ? {} : { instead_quantity: taken };
  return { ...about, kind: 'undo', ...counts, ...(own === undefined ? {} : { instead: own, ...pieces }) };
}

/** Returns the action that opens the person's own line again, which a press of somebody else has booked. */
export function returnOf(notice: PressNotice, key: string): OutboxAction {
  const { orderNumber: order_number, itemId: item_id, place, batch, slot, before, quantity, pieces } = notice;
  const about = { key, order_number, item_id, place };
  if (batch === undefined) return { ...about, kind: 'undo', quantity_fulfilled: before, seen: before + quantity };
  // The station takes back everything that the press picked, in one step, so that it is lit again as one line.
  if (slot === undefined) return { ...about, kind: 'undo', press: true };
  return { ...about, kind: 'cart', batch, act: { does: 'takeOut', pieces } };
}

/** Says what a press booked. */
export function pressWords({ place, quantity, picker, own, slot, refused }: PressNotice): string {
  const { whose } = texts.pick;
  if (refused !== undefined) return refused;
  if (own === undefined) return (slot === undefined ? whose.yours : whose.yourPut)(place, quantity);
  return (slot === undefined ? whose.others : whose.othersPut)(place, quantity, picker);
}

const nameOf = (person: string): string => `pickstation.presses.${person}`;

/** Reads the notices that this browser keeps for a person. */
export function readPresses(storage: Remembered, person: string, stationNow: number): readonly PressNotice[] {
  try {
    // Safe cast: only `keepPresses` writes the value.
    const kept = JSON.parse(storage.get(nameOf(person)) ?? '[]') as PressNotice[];
    return kept.filter(({ at, pieces, others }) => stationNow < at + NAMED_MS && pieces.length + others.length >= 0);
  } catch {
    return [];
  }
}

export function keepPresses(storage: Remembered, person: string, notices: readonly PressNotice[]): void {
  storage.set(nameOf(person), notices.length === 0 ? null : JSON.stringify(notices));
}
