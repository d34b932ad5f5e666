import { firstLabeled } from './naming.ts';
import type { Item } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Entry, PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import {
  answerOfItem,
  answerOfOrder,
  answerOfPickers,
  isOver,
  itemsOf,
  remainingOf,
  type ModelItem,
} from './orderState.ts';
import { adjustOnPage, showOnPage } from './pages.ts';
import { findMeant, type Moment } from './reports.ts';
import { type Meaning, meaningOf, type ScanAnswer } from './scans.ts';
import { same } from './snapshot.ts';
import { comparableLine } from './workLines.ts';
import { withoutCircumstances, withoutGuess } from './works.ts';

type Picked = Extract<Entry, { kind: 'picked' }>;
type Ask<What extends PickAsk['what']> = Extract<PickAsk, { what: What }>;
type Keyed = Ask<'short' | 'reopen' | 'acknowledge' | 'adjust' | 'scan'>;
/** The result of a request. `isChanged` is false if the request changed nothing, so that its key can be used again. */
export type PickResult = { status: number; body?: object; isChanged?: boolean };

const DAY = 24 * 3_600_000;
/** Time in which a repeated scan of the same code counts once. */
const REPEAT_MS = 2_000;
export const REASONS = ['missing', 'damaged', 'wrong_item', 'other'] as const;

/** Handles the requests of pickers (contract, section 16). */
export class ModelPicking {
  private readonly oracle: Oracle;
  /** First answers by caller and key. A different request with the same key is refused. */
  private readonly keys = new Map<string, { request: string; body: object; wallMs: number }>();
  /** The last effective scan, by caller. A restart clears it. */
  private readonly scanned = new Map<string, { what: string; monoMs: number; body: object }>();

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  restarted(): void {
    this.scanned.clear();
  }

  /** Carries out one request in the model, and checks the station's answer. */
  answer({ ask, by, answer, wallMs, monoMs }: Picked): void {
    const { status, body } = this.carryOut(ask, by, { wallMs, monoMs });
    const what = `The answer to ${JSON.stringify(ask)} of ${by}`;
    same(`${what}: ${JSON.stringify(answer?.body)}; its status`, answer?.status, status);
    if (body !== undefined) same(what, comparable(ask, answer?.body as object), JSON.parse(JSON.stringify(body)));
  }

  private carryOut(ask: PickAsk, by: string, now: Moment): PickResult {
    const { pickers } = this.oracle;
    if (pickers.person(by) !== undefined && isForAnother(ask, by))
      return { status: this.isReused(ask, by, now) ? 409 : 403 };
    switch (ask.what) {
      case 'launch':
        return this.order(ask.name, pickers.launch(ask, by, now));
      case 'join':
        return this.order(ask.name, pickers.join(ask, by, now));
      case 'leave':
        return this.order(ask.name, pickers.leave(ask, by, now));
      case 'pause':
        return this.order(ask.name, pickers.pause(ask, by, now));
      case 'handover':
        return this.order(ask.name, pickers.handOver(ask, by, now));
      case 'short':
        return this.once(ask, by, now, () => this.short(ask, by, now));
      case 'reopen':
        return this.once(ask, by, now, () => this.reopen(ask, by, now));
      case 'acknowledge':
        return this.once(ask, by, now, () => this.acknowledge(ask, by, now));
      case 'adjust':
        return this.once(ask, by, now, () => adjustOnPage(this.oracle, ask, by, now));
      case 'current':
        return showOnPage(this.oracle, ask, by, now);
      case 'scan':
        return this.scan(ask, by, now);
    }
  }

  private order(number: string, status: number): PickResult {
    const order = this.oracle.orders.all.get(number);
    return status === 200 && order !== undefined ? { status, body: answerOfOrder(order) } : { status };
  }

  /** Returns whether the key belongs to a different request. This is checked before the right to act for others. */
  private isReused(ask: PickAsk, by: string, { wallMs }: Moment): boolean {
    const known = 'key' in ask && ask.key !== undefined ? this.keys.get(`${by} ${ask.key}`) : undefined;
    return known !== undefined && known.wallMs > wallMs - DAY && known.request !== JSON.stringify(ask);
  }

  /** Performs the action once per key. The key stays free if the request was refused or changed nothing. */
  private once(ask: Keyed, by: string, { wallMs }: Moment, act: () => PickResult): PickResult {
    const { key } = ask;
    const request = JSON.stringify(ask);
    const known = this.keys.get(`${by} ${key}`);
    if (key !== undefined && known !== undefined && known.wallMs > wallMs - DAY) {
      return known.request === request ? { status: 200, body: known.body } : { status: 409 };
    }
    const { isChanged = true, ...result } = act();
    // Copy the body, because parts of it change later.
    const body = JSON.parse(JSON.stringify(result.body ?? {})) as object;
    if (key !== undefined && result.status === 200 && isChanged)
      this.keys.set(`${by} ${key}`, { request, body, wallMs });
    return result.body === undefined ? result : { ...result, body };
  }

  private item(number: string, itemId: number): ModelItem | undefined {
    const order = this.oracle.orders.all.get(number);
    return order === undefined ? undefined : itemsOf(order).find(({ id }) => id === itemId);
  }

  private short({ name, itemId, quantity, reason, elsewhere }: Ask<'short'>, by: string, now: Moment): PickResult {
    const { orders, devices } = this.oracle;
    const item = this.item(name, itemId);
    if (item === undefined) return { status: 404 };
    if (!REASONS.some((each) => each === reason)) return { status: 400 };
    // Whether only the reason of a short line changes.
    const isReason =
      item.state === 'short' && elsewhere === undefined && (quantity ?? item.fulfilled) === item.fulfilled;
    if (isOver(item) && !isReason) return { status: 409 };
    const { given, command } = item;
    const rest = remainingOf(item);
    const { adjusted = null, byWorker = false } = command ?? {};
    // If the count equals the rest, nobody has counted, unless the worker set it.
    const counted = byWorker || adjusted !== rest ? (adjusted ?? 0) : 0;
    const fulfilled = isReason ? item.fulfilled : (quantity ?? item.fulfilled + counted);
    if (fulfilled < item.fulfilled) return { status: 400 };
    const isFull = fulfilled >= given.ordered_quantity;
    const change = { kind: 'order_short', by };
    if (isFull || elsewhere === undefined) {
      orders.change(item, { fulfilled, state: isFull ? 'done' : 'short', timedOut: false }, change, now);
    } else {
      const device = devices.get(elsewhere);
      if (device === undefined) return { status: 400 };
      const { of: order } = item.of;
      const moved = { fulfilled, state: 'open', timedOut: false, unassigned: false } as const;
      const wasLit = item.command !== null;
      orders.change(item, moved, change, now);
      // Presses on the previous device no longer count.
      item.round += 1;
      if (wasLit) this.oracle.currents.over(item);
      else this.oracle.currents.lit(item, device);
      item.given = { ...given, deviceid: elsewhere };
      const picker = order.pickers.find((each) => each.name === item.picker);
      if (order.state === 'in_progress' && picker?.paused !== true) orders.lightAt(item, device, by, now);
    }
    return { status: 200, body: { ...answerOfItem(item), elsewhere: this.elsewhere(item) } };
  }

  /** Lists other devices labeled with the SKU. */
  private elsewhere({ given, deviceId }: ModelItem): object[] {
    const own = deviceId ?? given.deviceid;
    return firstLabeled(this.oracle)
      .filter(({ id, label }) => label !== '' && label.toLowerCase() === given.SKU?.toLowerCase() && id !== own)
      .map(({ id, label }) => ({ deviceid: id, location: label }));
  }

  /** Reopens a line. `instead` is the item for which the press was intended. */
  private reopen({ name, itemId, quantity, instead, pieces }: Ask<'reopen'>, by: string, now: Moment): PickResult {
    const item = this.item(name, itemId);
    if (item === undefined) return { status: 404 };
    if (instead === itemId && pieces === undefined) return { status: 400 };
    const { ordered_quantity: ordered } = item.given;
    if (!isOver(item) || ordered === 0) return { status: 409 };
    const kept = item.lastBooked === 0 ? 0 : Math.max(0, item.fulfilled - item.lastBooked);
    const before = Math.max(0, item.fulfilled - item.lastBooked);
    const usual = item.state === 'short' ? item.fulfilled : kept < ordered ? kept : 0;
    const fulfilled = quantity ?? (instead === undefined ? usual : before);
    if (fulfilled >= ordered) return { status: 400 };
    const all = [...this.oracle.orders.all.values()].flatMap(itemsOf);
    const other = all.find(({ id }) => id === instead);
    if (instead !== undefined && other === undefined) return { status: 400 };
    if (other !== undefined && other !== item && other.state !== 'open' && other.state !== 'active')
      return { status: 409 };
    const { picker } = item;
    const change = { kind: 'order_reopened', by };
    this.oracle.orders.change(item, { fulfilled, state: 'open', verified: false, unassigned: false }, change, now);
    // Another number for the same line lights nothing in between.
    if (other !== item) {
      this.oracle.pickers.waitIfBusy(item.of.of, picker);
      this.oracle.orders.lightAgain(item, by, now);
    }
    if (other !== undefined) {
      const booked = { kind: 'order_confirmed', by };
      const asked = other.given.ordered_quantity;
      const taken = pieces === undefined ? asked : other.fulfilled + pieces;
      const state = taken >= asked ? 'done' : 'short';
      this.oracle.orders.change(other, { fulfilled: taken, state, timedOut: false }, booked, now);
    }
    return { status: 200, body: answerOfItem(item) };
  }

  private acknowledge({ deviceid, commandId, qty: said }: Ask<'acknowledge'>, by: string, now: Moment): PickResult {
    const device = this.oracle.devices.get(deviceid);
    if (device === undefined || this.oracle.owners.get(commandId) !== device) return { status: 404 };
    const command = findMeant(this.oracle, device, commandId);
    if (command === undefined) return { status: 409 };
    const qty = said ?? command.adjusted ?? command.quantity ?? 0;
    // A given quantity is relative to what that command showed.
    const shown = said === undefined ? undefined : this.oracle.lines.of(commandId);
    const end = { kind: 'acknowledged', qty, at: now.wallMs, by, told: true } as const;
    const { owner } = command;
    const before = owner?.kind === 'item' ? owner.item.fulfilled : 0;
    this.oracle.close(
      device,
      command,
      shown === undefined ? end : { ...end, base: shown.base, ordered: shown.ordered },
      now,
    )();
    const elsewhere = owner?.kind === 'item' && owner.item.state === 'short' ? this.elsewhere(owner.item) : [];
    const booked = owner?.kind === 'item' && owner.item.fulfilled > before ? owner.item : undefined;
    const over =
      owner?.kind === 'item'
        ? (booked?.fulfilled ?? 0) - (booked?.given.ordered_quantity ?? 0)
        : qty - (command.quantity ?? qty);
    const overWords = `qty: acknowledged ${qty}, ${over} more than requested. Correct the quantity if this is wrong.`;
    const warnings = over > 0 ? [overWords] : [];
    return { status: 200, body: { deviceid, command_id: String(command.id), qty, elsewhere, warnings } };
  }

  /** Handles a scan. If `act` is false, the scan changes nothing and does not count as a first scan. */
  private scan(ask: Ask<'scan'>, by: string, now: Moment): PickResult {
    const { pickers } = this.oracle;
    const { code, key, quantity, order = '' } = ask;
    const person = pickers.person(ask.picker ?? by)?.name;
    const picker = person ?? by;
    if (!ask.act) {
      const meaning = meaningOf(this.oracle, ask, picker, now.monoMs);
      const body = tooMany(meaning, ask) ?? meaning.answer;
      const isThere = !isForOther(ask.picker, by) || pickers.person(by) === undefined;
      let isRepeated = true;
      const result = this.once(ask, by, now, () => {
        isRepeated = false;
        const isChanged = isThere && this.arrives(meaning, picker, now);
        return { status: 200, body, isChanged };
      });
      return isRepeated && result.status === 200 ? { ...result, body: { ...result.body, repeated: true } } : result;
    }
    const isRepeatable = key === undefined && quantity === undefined;
    const what = `${code.trim().toLowerCase()} ${order} ${picker.toLowerCase()}`;
    const last = this.scanned.get(by);
    if (isRepeatable && last?.what === what && now.monoMs - last.monoMs < REPEAT_MS) {
      return { status: 200, body: { ...last.body, repeated: true } };
    }
    let isFirst = false;
    const act = (): PickResult => {
      isFirst = true;
      const result = this.act(ask, { by, picker, person }, now);
      return { isChanged: hasChanged(result.body ?? {}), ...result };
    };
    const { status, body = {} } = this.once(ask, by, now, act);
    if (status !== 200) return { status };
    if (isRepeatable) this.scanned.set(by, { what, monoMs: now.monoMs, body });
    return { status: 200, body: isFirst ? body : { ...body, repeated: true } };
  }

  /** Records that the picker has scanned something at a place. Returns whether this changed what a device shows. */
  private arrives({ line, answer }: Meaning, picker: string, now: Moment): boolean {
    const { currents, devices, lines } = this.oracle;
    const named = answer.result === 'place' && !answer.verified && answer.deviceid !== null ? answer.deviceid : '';
    const device = line?.device ?? devices.get(named);
    if (device === undefined) return false;
    const { moved } = lines.cases;
    currents.arrive(picker, device, now.monoMs);
    currents.arrange(now);
    return lines.cases.moved > moved;
  }

  private act(
    ask: Ask<'scan'>,
    who: { by: string; picker: string; person: string | undefined },
    now: Moment,
  ): PickResult {
    const { oracle } = this;
    const meaning = meaningOf(oracle, ask, who.picker, now.monoMs);
    const { answer, line, unlit, order, verified } = meaning;
    const said = (body: ScanAnswer): PickResult => ({ status: 200, body });
    if (verified !== undefined) verified.verified = true;
    if (order !== undefined) {
      const isForNobody = who.person === undefined && ask.picker === undefined;
      if (who.person === undefined && !isForNobody) return said(answer);
      const launch = { name: order.number, picker: who.person, color: undefined };
      const before = `${oracle.told} ${JSON.stringify(order.pickers)}`;
      const isLit = oracle.pickers.launch(launch, who.by, now, !isForNobody) === 200;
      const isChanged = !isForNobody || before !== `${oracle.told} ${JSON.stringify(order.pickers)}`;
      if (isLit) return { ...said({ ...answer, taken: !isForNobody, launched: isForNobody }), isChanged };
      // Nobody can join an order that has ended.
      const isJoinable = order.state === 'open' || order.state === 'in_progress';
      return said({ ...answer, pickers: isJoinable ? answerOfPickers(order) : [] });
    }
    if (line === undefined && unlit === undefined)
      return { ...said(answer), ...(verified === undefined && { isChanged: this.arrives(meaning, who.picker, now) }) };
    const refused = tooMany(meaning, ask);
    if (refused !== undefined) return { ...said(refused), isChanged: this.arrives(meaning, who.picker, now) };
    const item = line?.item ?? unlit;
    const rest = item === undefined ? undefined : remainingOf(item);
    const quantity = ask.quantity ?? answer.quantity;
    const isFull = rest === undefined || quantity === null || quantity >= rest;
    const closes = isFull || ask.close || ask.quantity === undefined;
    const isReason = REASONS.some((each) => each === ask.reason);
    if ((ask.close && !isFull && !isReason) || (!closes && quantity === 0)) return { status: 400 };
    if (item !== undefined && (!closes || line === undefined)) {
      oracle.orders.count(item, { pieces: quantity ?? 0, closes, by: who.picker, sender: who.by }, now);
    } else if (line !== undefined) {
      const end = { kind: 'acknowledged', qty: quantity ?? 0, at: now.wallMs, by: who.picker, told: true } as const;
      oracle.close(line.device, line.command, end, now)();
    }
    if (answer.verified && item !== undefined) item.verified = true;
    if (closes || item === undefined) return said({ ...answer, result: 'acknowledged', quantity });
    if (line !== undefined) oracle.currents.arrive(who.picker, line.device, now.monoMs);
    const command_id = item.command === null ? null : String(item.command.id);
    return said({ ...answer, result: 'counted', quantity, remaining: remainingOf(item), command_id });
  }
}

/** Returns whether a request names another person than the caller. */
function isForOther(picker: string | undefined, by: string): boolean {
  return picker !== undefined && picker.toLowerCase() !== by.toLowerCase();
}

/** Returns the answer `too_many` if a scan would count more pieces than its line has left, otherwise undefined. */
function tooMany({ answer, line, unlit }: Meaning, { quantity, over }: Ask<'scan'>): ScanAnswer | undefined {
  if (line === undefined && unlit === undefined) return undefined;
  const item = line?.item ?? unlit;
  const remaining = item === undefined ? answer.quantity : remainingOf(item);
  if (over || quantity === undefined || remaining === null || quantity <= remaining) return undefined;
  return { ...answer, result: 'too_many', quantity: null, remaining };
}

function hasChanged(body: object): boolean {
  const { result } = body as ScanAnswer;
  return result === 'acknowledged' || result === 'counted';
}

/** Removes the parts of an answer that the model does not cover. */
function comparable(ask: PickAsk, body: object): object {
  if (ask.what === 'short' || ask.what === 'reopen') {
    const { warnings: _said, ...item } = body as Item & { warnings?: unknown };
    return withoutGuess(item);
  }
  if (ask.what === 'acknowledge') return body;
  if (ask.what === 'adjust') return JSON.parse(JSON.stringify({ ...body, at: undefined })) as object;
  if (ask.what === 'current') return comparableLine(body as WorkLine);
  if (ask.what === 'scan') return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'says'));
  return withoutCircumstances(body as Parameters<typeof withoutCircumstances>[0]);
}

/**
 * Returns whether a person sends this request on behalf of somebody else. People may act only for themselves, a program may act for anyone.
 */
function isForAnother(ask: PickAsk, by: string): boolean {
  if (ask.what === 'handover' || !('picker' in ask) || (ask.what === 'scan' && !ask.act)) return false;
  return isForOther(ask.picker, by);
}
