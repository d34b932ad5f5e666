import type { BatchShare } from '#shared/api/batch.ts';

/** Numbers of pieces by person, item and slot, with keys such as `Anna/7/A1`. */
export type PiecesOf = Record<string, number>;

/** The parts of a batch, and of the shop around it, that the contract defines. */
export type FloorView = {
  kind: 'cart' | 'wall' | 'bulk';
  /** State of the batch. A launched batch with a cart and a wall is `launched`, whether it is being picked or sorted. */
  state: string;
  /** The batch's picker or null, followed by the helpers, sorted by name. */
  pickers: (string | null)[];
  shares: BatchShare[];
  /** Shares that are put or short and that the batch no longer lists. */
  settled: BatchShare[];
  slots: Record<string, { state: string; order: string | null }>;
  hands: PiecesOf;
  scanned: PiecesOf;
  /** The people with open lines of each item. Empty while the batch is being sorted. */
  whose: Record<string, (string | null)[]>;
  /** Fulfilled quantity and state of each item in the shop, such as `2 over`. */
  items: Record<string, string>;
  /** Number of pieces in open tasks of the kind `put_back`. */
  toPutBack: number;
  /** People who are picking a different batch, or an order. */
  busy: string[];
  /** Whether a batch with a cart and a wall is being sorted. Not predicted. */
  isSorting: boolean;
};

/**
 * The required effect of a request. `warned` lists the items that the warning must name, or is true for any warning. `unsure` lists items
 * that the warning may name as well.
 */
export type Prediction = { status: number; view: FloorView; warned: number[] | boolean; unsure: number[] };

/** Sorts names, with null first. */
export const inOrder = (names: Iterable<string | null>): (string | null)[] =>
  [...names].toSorted((one, other) => (one ?? '').localeCompare(other ?? ''));

const refused = (status: number, view: FloorView): Prediction => ({ status, view, warned: false, unsure: [] });

export type HandAsk = { all?: true; by?: string; do: 'take' | 'missing' | 'put_back' | 'set_aside' };

const holderOf = (key: string): string => key.slice(0, key.indexOf('/'));
const restOf = (key: string): string => key.slice(key.indexOf('/') + 1);

/** Predicts `POST …/hand/` with `all`. Without `all`, the request must be refused, because the person holds nothing. */
export function settleHands(view: FloorView, ask: HandAsk, who: string): Prediction {
  const held = ask.do === 'set_aside' ? {} : view.hands;
  const holders = new Set([...Object.keys(held), ...Object.keys(view.scanned)].map(holderOf));
  if (ask.all !== true) return refused(409, view);
  if (holders.size === 0) return { status: 200, view, warned: true, unsure: [] };
  const result = (changes: Partial<FloorView>): Prediction => ({
    status: 200,
    view: { ...view, scanned: {}, ...changes },
    warned: false,
    unsure: [],
  });
  if (ask.do === 'set_aside') return result({});
  // The person who takes pieces of others picks the batch from then on.
  const {
    pickers: [main = null, ...helpers],
    state,
  } = view;
  const joins = (state === 'picking' || (state === 'launched' && !view.isSorting)) && main !== null;
  const isNew = joins && !view.pickers.includes(who);
  const pickers = isNew ? [main, ...inOrder([...helpers, who])] : view.pickers;
  // Joining pauses the other work of this person.
  const busy = isNew ? view.busy.filter((name) => name !== who) : view.busy;
  if (ask.do === 'take')
    return result({ pickers, busy, hands: takenBy(view.hands, who), scanned: takenBy(view.scanned, who) });
  const isMissing = ask.do === 'missing';
  const items = { ...view.items };
  let pieces = 0;
  const shares = view.shares.map((share): BatchShare => {
    const { in_hand: inHand, picked, put_back: putBack } = share;
    if (inHand === 0) return share;
    pieces += inHand;
    const open = { ...share, in_hand: 0, state: 'open' as const };
    if (!isMissing) return { ...open, put_back: putBack + inHand };
    items[share.item_id] = `${Number.parseInt(items[share.item_id] ?? '', 10) - inHand} open`;
    return { ...open, picked: picked - inHand };
  });
  return result({ hands: {}, shares, items, toPutBack: view.toPutBack + (isMissing ? 0 : pieces) });
}

function takenBy(held: PiecesOf, who: string): PiecesOf {
  const taken: PiecesOf = {};
  for (const [key, pieces] of Object.entries(held)) {
    const own = `${who}/${restOf(key)}`;
    taken[own] = (taken[own] ?? 0) + pieces;
  }
  return taken;
}

export type HandOverAsk = { picker: string; from?: string };

/** Predicts the effect of `POST …/handover/`. `caller` is null for a program. */
export function handOver(view: FloorView, ask: HandOverAsk, caller: string | null): Prediction {
  const { picker: to, from = caller } = ask;
  const { pickers, state } = view;
  const isOneOf = (name: string | null): name is string => name !== null && pickers.includes(name);
  const isLaunched = state !== 'loading' && state !== 'paused';
  if (state === 'done' || (caller !== null && !isOneOf(caller))) return refused(409, view);
  if (to === 'Nobody') return refused(400, view);
  if (ask.from !== undefined && !isOneOf(from)) return refused(409, view);
  if (caller !== null && from !== caller && to !== caller) return refused(409, view);
  const done = (changes: Partial<FloorView>): Prediction => ({
    status: 200,
    view: { ...view, ...changes },
    warned: false,
    unsure: [],
  });
  const isBusy = view.busy.includes(to);
  const given = (isGiven: (name: string | null) => boolean): FloorView['whose'] =>
    Object.fromEntries(
      Object.entries(view.whose).map(([item, names]) => [
        item,
        inOrder(new Set(names.map((name) => (isGiven(name) ? to : name)))),
      ]),
    );
  const [main = null, ...helpers] = pickers;
  if (isOneOf(from) && pickers.filter((name) => name !== null).length > 1) {
    if (from === to || (isBusy && !isOneOf(to))) return refused(409, view);
    const first = main === from ? to : main;
    const others = new Set([...helpers, to].filter((name) => name !== from && name !== first));
    return done({ pickers: [first, ...inOrder(others)], whose: given((name) => name === from) });
  }
  return done({ pickers: [to], whose: given(() => true), state: isLaunched && isBusy ? 'paused' : state });
}

export type ShortAsk = { items: number[]; reason: string };

/** Predicts the effect of `POST …/short/` for several items. */
export function closeShort(view: FloorView, { items, reason }: ShortAsk, reasons: readonly string[]): Prediction {
  const live = [...view.shares, ...view.settled].filter(({ state }) => state !== 'stopped');
  const sharesOf = (item: number): BatchShare[] => live.filter(({ item_id: id }) => id === item);
  if (!reasons.includes(reason) || items.some((item) => sharesOf(item).length === 0)) return refused(400, view);
  const asked = [...new Set(items)];
  const isOpen = ({ state, put_back: putBack }: BatchShare): boolean => state === 'open' && putBack === 0;
  const isFull = ({ state, picked, quantity }: BatchShare): boolean =>
    state === 'put' || state === 'short' || picked === quantity;
  const warned = asked.filter((item) => sharesOf(item).every(isFull));
  const unsure = asked.filter((item) => !warned.includes(item) && !sharesOf(item).some(isOpen));
  const shares = [...view.shares, ...view.settled].map((share): BatchShare => {
    return asked.includes(share.item_id) && isOpen(share) ? { ...share, state: 'short' } : share;
  });
  const isSettled = ({ state }: BatchShare): boolean => state === 'put' || state === 'short';
  const after = shares.filter(({ state }) => state !== 'stopped');
  const states = { ...view.items };
  for (const item of asked)
    if (after.filter(({ item_id: id }) => id === item).every(isSettled))
      states[item] = `${Number.parseInt(states[item] ?? '', 10)} over`;
  const slots = Object.fromEntries(
    Object.entries(view.slots).map(([name, slot]) => {
      const own = after.filter(({ order_number: order }) => order === slot.order);
      return [name, slot.state === 'open' && own.every(isSettled) ? { ...slot, state: 'complete' } : slot];
    }),
  );
  // A share that is put or short is listed only if it has a slot.
  const isListed = (share: BatchShare): boolean => share.slot !== null || !isSettled(share);
  const left = shares.filter(isListed);
  const settled = shares.filter((share) => !isListed(share));
  // At a wall without picking, a short cancels the item's scans, but not its pieces in hand after an undone put.
  const isClosed = (key: string): boolean => {
    const [, item = '', slot] = key.split('/');
    const isAsked = asked.includes(Number(item)) && !warned.includes(Number(item));
    const isInHand = view.shares.some(
      (share) => share.item_id === Number(item) && share.slot === slot && share.in_hand > 0,
    );
    return view.kind === 'wall' && isAsked && !isInHand;
  };
  const scanned = Object.fromEntries(Object.entries(view.scanned).filter(([key]) => !isClosed(key)));
  const isEmpty =
    Object.values(slots).every(({ state }) => state === 'free') &&
    Object.keys(view.hands).length + Object.keys(scanned).length === 0 &&
    !left.some(({ slot, state }) => slot === null && state !== 'stopped');
  const isOver = isEmpty && asked.length > warned.length + unsure.length && view.state !== 'loading';
  return {
    status: 200,
    view: { ...view, shares: left, settled, slots, scanned, items: states, state: isOver ? 'done' : view.state },
    warned: warned.length === 0 ? false : warned,
    unsure,
  };
}
