import type { Carrier } from '#shared/api/carrier.ts';
import { MAX_CARRIER_COLUMNS, MAX_CARRIER_ROWS } from '#shared/lib/picking/carriers.ts';
import { readWhole } from '../../kit/field/readWhole.ts';
import type { CarrierInput } from '../../station/calls/cartApi.ts';

export const SIDES = ['front', 'back'] as const;
export type CartSide = (typeof SIDES)[number];

/** A slot as entered in the form. `front` and `back` are the names of its devices. */
export type SlotDraft = Readonly<{ code: string } & Record<CartSide, string>>;
export type CartDraft = {
  name: string;
  code: string;
  rows: string;
  columns: string;
  /** Slots by name. Slots outside the current rows and columns are kept, in case the person restores the size. */
  slots: Readonly<Record<string, SlotDraft>>;
};

export const NO_SLOT: SlotDraft = { code: '', front: '', back: '' };
const FIRST_ROWS = 2;
const FIRST_COLUMNS = 3;

/**
 * Returns the form values for a cart, or for a new one if `carrier` is undefined. `textOf` returns the text that stands
 * for a device in a field.
 */
export function draftOf(carrier: Carrier | undefined, textOf: (deviceid: string) => string): CartDraft {
  const text = (deviceid: string | null): string => (deviceid === null ? '' : textOf(deviceid));
  return {
    name: carrier?.name ?? '',
    code: carrier?.code ?? '',
    rows: String(carrier?.rows ?? FIRST_ROWS),
    columns: String(carrier?.columns ?? FIRST_COLUMNS),
    slots: Object.fromEntries(
      (carrier?.slots ?? []).map(({ slot, code, deviceid, back_deviceid: back }) => [
        slot,
        { code: code ?? '', front: text(deviceid), back: text(back) },
      ]),
    ),
  };
}

/** Parses a number of rows or columns. Returns undefined if the number is out of range. */
export function sizeIn(typed: string, most: number): number | undefined {
  const number = readWhole(typed);
  return number === undefined || number < 1 || number > most ? undefined : number;
}

/** Returns the names of the slots, row by row. The list is empty while the size is invalid. */
export function slotNames({ rows, columns }: Pick<CartDraft, 'rows' | 'columns'>): readonly string[] {
  const down = sizeIn(rows, MAX_CARRIER_ROWS) ?? 0;
  const across = sizeIn(columns, MAX_CARRIER_COLUMNS) ?? 0;
  return Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (__, column) => `${String.fromCodePoint(65 + row)}${column + 1}`),
  ).flat();
}

export function slotOf({ slots }: CartDraft, slot: string): SlotDraft {
  return slots[slot] ?? NO_SLOT;
}

export function withSlot(draft: CartDraft, slot: string, part: Partial<SlotDraft>): CartDraft {
  return { ...draft, slots: { ...draft.slots, [slot]: { ...slotOf(draft, slot), ...part } } };
}

/** Gives each slot without a code a new one, which consists of the cart's code and the slot's name. */
export function withCodes(draft: CartDraft): CartDraft {
  const bare = slotNames(draft).filter((slot) => slotOf(draft, slot).code.trim() === '');
  return bare.reduce((next, slot) => withSlot(next, slot, { code: `${draft.code.trim()}-${slot}` }), draft);
}

type DeviceIn = (typed: string) => string | undefined;
type At = { slot: string; side: CartSide };

/**
 * Returns the devices in a draft, with the side of the slot that each one serves. `device` is undefined if the typed
 * name is unknown.
 */
function devicesIn(draft: CartDraft, named: DeviceIn): (At & { typed: string; device: string | undefined })[] {
  return slotNames(draft).flatMap((slot) =>
    SIDES.flatMap((side) => {
      const typed = slotOf(draft, slot)[side].trim();
      return typed === '' ? [] : [{ slot, side, typed, device: named(typed) }];
    }),
  );
}

/** Returns the slot that a device serves in this draft, apart from the side of the slot in `except`. */
export function servedBy(draft: CartDraft, named: DeviceIn, deviceid: string, except: At): string | undefined {
  return devicesIn(draft, named).find(
    ({ slot, side, device }) => device === deviceid && !(slot === except.slot && side === except.side),
  )?.slot;
}

/** Returns the next slot that has no device on this side, wrapping around after the last slot. */
export function nextWithout(draft: CartDraft, { slot, side }: At): string | undefined {
  const names = slotNames(draft);
  const at = names.indexOf(slot);
  return [...names.slice(at + 1), ...names.slice(0, at)].find((each) => slotOf(draft, each)[side].trim() === '');
}

export type DeviceProblem = At & {
  typed: string;
  /** The other slot to which the device is assigned, or undefined if no device has this name. */
  also: string | undefined;
};

/** Returns the first device that is unknown or is assigned twice, if any. */
export function deviceProblem(draft: CartDraft, named: DeviceIn): DeviceProblem | undefined {
  const first = new Map<string, string>();
  for (const { slot, side, typed, device } of devicesIn(draft, named)) {
    const also = device === undefined ? undefined : first.get(device);
    if (device === undefined || also !== undefined) return { slot, side, typed, also };
    first.set(device, slot);
  }
  return undefined;
}

/** Returns the request for a draft. It contains only slots that have a code or a device. */
export function carrierIn(draft: CartDraft, named: DeviceIn): CarrierInput {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const slots = slotNames(draft).flatMap((slot) => {
    const { code, front, back } = slotOf(draft, slot);
    const given = { code: orNull(code), deviceid: named(front) ?? null, back_deviceid: named(back) ?? null };
    return Object.values(given).every((each) => each === null) ? [] : [{ slot, ...given }];
  });
  return {
    name: draft.name.trim(),
    code: orNull(draft.code),
    rows: sizeIn(draft.rows, MAX_CARRIER_ROWS) ?? 0,
    columns: sizeIn(draft.columns, MAX_CARRIER_COLUMNS) ?? 0,
    slots,
  };
}

const OF_CART = ['name', 'code', 'rows', 'columns'] as const;
const OF_SLOT = ['code', 'front', 'back'] as const;

/**
 * A field that this person and somebody else have changed to different values. `theirs` is the value of the other
 * person.
 */
export type Conflict = {
  slot: string | undefined;
  field: (typeof OF_CART)[number] | (typeof OF_SLOT)[number];
  theirs: string;
};

/**
 * Merges what somebody else has saved in the meantime: fields that this person has not changed get the saved value, and
 * changed fields keep the typed one. `before` is what this person opened, and `now` is what is saved.
 */
export function merge(
  mine: CartDraft,
  before: CartDraft,
  now: CartDraft,
): { draft: CartDraft; conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const choose = (own: string, old: string, theirs: string, at: Omit<Conflict, 'theirs'>): string => {
    if (theirs === old || own === theirs) return own;
    if (own === old) return theirs;
    conflicts.push({ ...at, theirs });
    return own;
  };
  const fields = Object.fromEntries(
    OF_CART.map((field) => [field, choose(mine[field], before[field], now[field], { slot: undefined, field })]),
  ) as Pick<CartDraft, (typeof OF_CART)[number]>;
  const names = new Set([...Object.keys(mine.slots), ...Object.keys(before.slots), ...Object.keys(now.slots)]);
  const slots = Object.fromEntries(
    [...names].map((slot) => {
      const [own, old, theirs] = [slotOf(mine, slot), slotOf(before, slot), slotOf(now, slot)];
      const merged = OF_SLOT.map((field) => [field, choose(own[field], old[field], theirs[field], { slot, field })]);
      return [slot, Object.fromEntries(merged) as SlotDraft];
    }),
  );
  return { draft: { ...fields, slots }, conflicts };
}
