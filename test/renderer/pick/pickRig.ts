import type { Item, Order } from '#shared/api/order.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { next, startSession } from '../../../renderer/src/features/pick/session/session.ts';
import type {
  PickEffect,
  PickEvent,
  PickLine,
  PickSession,
  PickQuestion,
  ScanAsk,
  Touch,
} from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { currentLine, questionOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import type { OutboxAction } from '../../../renderer/src/station/outbox/actions.ts';
import { item, order } from '../orders/workSupport.tsx';

export const ASKED = 5;

export function pickLine(id: number, given: Partial<PickLine> = {}): PickLine {
  return {
    deviceid: `51D000:00000${id}`,
    location: `A-${id}`,
    light: true,
    text: `Item ${id}`,
    description: '',
    SKU: `SKU-${id}`,
    UPC: '',
    quantity: ASKED,
    ordered_quantity: ASKED,
    quantity_fulfilled: 0,
    order_number: 'SO-1',
    customer: '',
    note: '',
    item_id: id,
    color: 'blue',
    picker: 'Anna',
    command_id: String(id),
    waiting: false,
    current: false,
    unreachable: false,
    shown_at: null,
    on_hand: null,
    packs: [],
    picture: null,
    found_empty: null,
    elsewhere: [],
    ...given,
  };
}

export function scanResult(result: ScanResult['result'], given: Partial<ScanResult> = {}): ScanResult {
  return {
    result,
    says: `${result}.`,
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
    ...given,
  };
}

export const litItem = (id: number, given: Partial<Item> = {}): Item =>
  item(id, { state: 'active', command_id: String(id), picker: 'Anna', deviceid: `51D000:00000${id}`, ...given });

export const pickOrder = (items: Item[], given: Partial<Order> = {}): Order =>
  order('SO-1', items, {
    state: 'in_progress',
    pickers: [{ name: 'Anna', color: 'blue', paused: false, deviceid: null }],
    ...given,
  });

/** Opens a session with this many lines, on a clock that only the test advances. */
export function openSession(count: number, given: Partial<Order> = {}) {
  let state: PickSession = startSession({
    orderNumber: 'SO-1',
    me: 'Anna',
    keyBase: 'k',
    isLost: false,
    message: undefined,
    underWay: new Set(),
    keys: { enterRule: 'unless_scanning', scannedAt: -Infinity },
  });
  let items = Array.from({ length: count }, (_, index) => litItem(index + 1));
  let lines = items.map(({ id }) => pickLine(id));
  const effects: PickEffect[] = [];

  const clock = { now: 0 };
  let drawnAt = 0;

  /**
   * Applies an event, draws the page 16 ms later, and returns the effects of the event. Without a time, people act as soon as they see the
   * page.
   */
  function handle(event: PickEvent, at = Math.max(clock.now, drawnAt)): readonly PickEffect[] {
    clock.now = at;
    const before = state;
    const step = next(state, event, at);
    state = step.state;
    if ((state.shows !== before.shows || state.offers !== before.offers) && rig.draws) {
      drawnAt = at + 16;
      state = next(state, { kind: 'drawn' }, drawnAt).state;
    }
    effects.push(...step.effects);
    return step.effects;
  }

  function setItem(id: number, change: Partial<Item>, more: Partial<Order> = {}): void {
    items = items.map((each) => (each.id === id ? { ...each, ...change } : each));
    handle({ kind: 'order', order: pickOrder(items, { ...given, ...more }), isMissing: false });
  }

  function end(type: 'command.acknowledged' | 'command.killed', id: number, change: Partial<Item>): void {
    const ended = { ...certain(items.find((each) => each.id === id)), ...change, command_id: null };
    // The id differs from that in the loaded work, because a count may have replaced the command.
    const command = { deviceid: `51D000:00000${id}`, command_id: 'new', at: '', qty: 0, by: '' };
    handle({
      kind: 'told',
      facts: [
        { type, ...command },
        { type: 'order.item', order_number: 'SO-1', item: ended },
      ],
    });
    setItem(id, { ...change, command_id: null });
  }

  const actions = (): readonly OutboxAction[] =>
    effects.flatMap((effect) => (effect.do === 'keep' ? [effect.action] : []));

  const asks = (): ScanAsk[] => effects.flatMap((effect) => (effect.do === 'scan' ? [effect.ask] : []));

  const rig = {
    /** Whether the rig draws each change. Otherwise, the test does. */
    draws: true,
    get now(): number {
      return clock.now;
    },
    set now(at: number) {
      clock.now = at;
    },
    effects,
    state: (): PickSession => state,
    /** The number that was counted last and is not booked yet. */
    count: () => [...state.counted.values()].at(-1),
    place: (): string | undefined => currentLine(state)?.location,
    question: (): PickQuestion | undefined => questionOf(state),
    handle,
    touch: (touch: Touch, at?: number): readonly PickEffect[] => handle({ kind: 'touch', ...touch }, at),
    scan: (code: string, at?: number): readonly PickEffect[] =>
      handle({ kind: 'scan', scan: { code, source: 'keyboard' } }, at),
    answer: (ask: ScanAsk, result: ScanResult): readonly PickEffect[] => handle({ kind: 'answered', ask, result }),
    /** Reports that the station has changed an item. */
    item: setItem,
    /** Reloads the work, which contains only lines that are still lit. */
    reread(change: (line: PickLine) => PickLine = (line) => line): void {
      const lit = new Set(items.filter((each) => each.state === 'active').map(({ id }) => id));
      lines = lines.filter(({ item_id: id }) => lit.has(id ?? 0)).map(change);
      handle({ kind: 'work', lines });
    },
    /** Reports a press at the shelf, which ends the command and its item. */
    press: (id: number, quantity = ASKED): void =>
      end('command.acknowledged', id, { state: quantity < ASKED ? 'short' : 'done', quantity_fulfilled: quantity }),
    /** Reports a correction at the station, which turns the light off and completes the item. */
    correct: (id: number, quantity = ASKED): void =>
      end('command.killed', id, { state: 'done', quantity_fulfilled: quantity }),
    actions,
    booked: (): string[] =>
      actions()
        .filter(({ kind }) => kind === 'confirm')
        .map(({ place }) => place),
    sounds: (): string[] => effects.flatMap((effect) => (effect.do === 'play' ? [effect.answer] : [])),
    asks,
    lastAsk: (): ScanAsk => certain(asks().at(-1)),
    lastDeed: (): OutboxAction => certain(actions().at(-1)),
  };
  handle({ kind: 'order', order: pickOrder(items, given), isMissing: false });
  handle({ kind: 'work', lines });
  // By now, the first line accepts touches.
  clock.now = 1_000;
  return rig;
}

function certain<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('The session wanted nothing of this kind.');
  return found;
}

export type SessionRig = ReturnType<typeof openSession>;
