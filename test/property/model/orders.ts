import type { NewOrder, Order } from '#shared/api/order.ts';
import { type AskContent } from './asks.ts';
import { find, SENDER, addressOfItem } from './naming.ts';
import type { End, Follows, Oracle } from './oracle.ts';
import {
  becomes,
  fulfilledOf,
  noteBooked,
  articleOf,
  isComplete,
  isOver,
  isToLight,
  itemsOf,
  newOrder,
  pickerAt,
  remainingOf,
  type ModelItem,
  type ModelOrder,
  type ModelShipment,
} from './orderState.ts';
import { colorOf, isFor, type ModelPicker } from './people.ts';
import type { Moment } from './reports.ts';
import { adjust, showRest } from './standIns.ts';
import { nothing, type ModelCommand, type ModelDevice, type ReceivedFields } from './state.ts';

type Row = { kind: string; qty: number; by?: string; deviceId?: string; location?: string; nonce?: string };

/** The caller of a launch (`by`) and the picker for whom the order is launched. `color` overrides the picker's color. */
export type ModelLaunch = {
  by: string;
  color?: string | undefined;
  picker?: ModelPicker | null | undefined;
  /** Whether this continues an earlier launch. */
  isGoingOn?: boolean;
};

/** Orders (contract, sections 8 and 16). */
export class ModelOrders {
  readonly all = new Map<string, ModelOrder>();
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Creates an order. Like the methods below, returns the status. `answered` provides the ids, which the station chooses. */
  create(number: string, given: NewOrder, answered: Order | undefined, { wallMs }: Moment): number {
    if (this.all.has(number)) return 409;
    if (answered === undefined) return 201;
    this.all.set(number, newOrder(given, answered, wallMs));
    return 201;
  }

  /** Launches an order. If `launch.picker` is set, skips the lines of other pickers. */
  launch(number: string, launch: ModelLaunch, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    const wanted = this.wanted(order, launch);
    if (wanted.length === 0 && order.pickers.some(({ waits }) => waits)) return 200;
    if (!this.hasLeft(order, wanted) || !this.canLight(order, (item) => wanted.includes(item))) return 409;
    this.lightUp(order, launch, now);
    return 200;
  }

  /** Returns whether the order can be launched. A fulfilled order can be relaunched only for items without a device. */
  hasLeft({ state }: ModelOrder, wanted: readonly ModelItem[]): boolean {
    return state !== 'fulfilled' || wanted.some(({ unassigned }) => unassigned);
  }

  /** Returns the items that a launch lights if they have a place. A launch without a picker leaves out the items of waiting pickers. */
  wanted(order: ModelOrder, { picker }: Pick<ModelLaunch, 'picker'>): ModelItem[] {
    const waiting = picker === undefined ? order.pickers.filter(({ waits }) => waits).map(({ name }) => name) : [];
    return itemsOf(order).filter(
      (item) => isToLight(item) && isFor(item, picker) && waiting.every((name) => name !== item.picker),
    );
  }

  /** Returns whether any line is active, or would become active by launching the items for which `isMeant` returns true. */
  canLight(order: ModelOrder, isMeant: (item: ModelItem) => boolean): boolean {
    return itemsOf(order).some(
      (item) =>
        item.state === 'active' ||
        (isMeant(item) && isToLight(item) && (item.picker !== null || this.place(item) !== undefined)),
    );
  }

  lightUp(order: ModelOrder, { by, color, picker, isGoingOn = false }: ModelLaunch, now: Moment): void {
    const wanted = this.wanted(order, { picker });
    const lit = wanted.flatMap((item) => {
      const device = this.place(item);
      return device === undefined ? [] : [{ item, device }];
    });
    const missed = wanted.filter((item) => lit.every((found) => found.item !== item));
    const ownerOf = (item: ModelItem): string | null => picker?.name ?? item.picker;
    const changed = missed.filter((item) =>
      ownerOf(item) === null ? !(item.unassigned && item.state === 'open') : item.state !== 'active',
    );
    if (lit.length === 0 && changed.length === 0) return;
    const moved = [...lit.map(({ item }) => item), ...changed];
    const paused = order.pickers.filter((each) => each.paused).map(({ name }) => name);
    const fresh = moved.filter(
      (item) =>
        !isGoingOn &&
        item.state !== 'active' &&
        paused.every((name) => name !== item.picker) &&
        (ownerOf(item) !== null || !changed.includes(item)),
    );
    for (const each of order.pickers)
      if (moved.some((item) => item.picker === each.name)) Object.assign(each, { paused: false, waits: false });
    for (const { item, device } of lit) {
      item.picker = picker?.name ?? item.picker;
      this.light(item, device, color ?? colorOf(order, item), by, now);
    }
    for (const item of changed) {
      item.deviceId = null;
      const owner = ownerOf(item);
      if (owner === null) this.leaveOut(item);
      else Object.assign(item, { state: 'active', noLight: true, unassigned: false, timedOut: false, picker: owner });
    }
    order.launchedAt = now.wallMs;
    if (fresh.length > 0) order.isTold = false;
    for (const shipment of order.shipments) {
      const isLitNow = moved.some((item) => item.of === shipment && item.state === 'active');
      if (fresh.some((item) => item.of === shipment)) shipment.isTold = false;
      if (isLitNow && shipment.state !== 'fulfilled') shipment.state = 'in_progress';
      else if (shipment.state === 'aborted') shipment.state = 'open';
    }
    order.state = 'in_progress';
    const { callbacks, next } = this.settle(order, order.shipments, now);
    this.tell(order, { kind: 'order_launched', qty: lit.length, by }, now, callbacks);
    next();
  }

  abort(number: string, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled' || order.state === 'aborted') return 200;
    this.takeBack(itemsOf(order), SENDER, now);
    for (const item of itemsOf(order))
      if (isToLight(item) || item.state === 'active')
        Object.assign(item, { state: 'cancelled', timedOut: false, noLight: false });
    for (const shipment of order.shipments) if (shipment.state !== 'fulfilled') shipment.state = 'aborted';
    order.state = 'aborted';
    this.tell(order, { kind: 'order_aborted', qty: fulfilledOf(order), by: SENDER }, now);
    return 200;
  }

  remove(number: string, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    this.takeBack(itemsOf(order), SENDER, now);
    for (const item of itemsOf(order)) this.oracle.currents.over(item);
    this.all.delete(number);
    this.tell(order, { kind: 'order_removed', qty: fulfilledOf(order), by: SENDER }, now);
    return 204;
  }

  correct(number: string, itemId: number, to: number, now: Moment): number {
    const order = this.all.get(number);
    const item = order && itemsOf(order).find(({ id }) => id === itemId);
    if (order === undefined || item === undefined) return 404;
    if (to === item.fulfilled) return 200;
    const wasOver = isOver(item);
    const state = to >= item.given.ordered_quantity ? 'done' : wasOver && to < item.fulfilled ? 'open' : item.state;
    const timedOut = state === item.state && item.timedOut;
    this.change(item, { fulfilled: to, state, timedOut }, { kind: 'order_corrected', by: SENDER }, now);
    return 200;
  }

  /** Changes how many pieces a line needs. Never raises the number of a finished line. */
  orderPieces(number: string, itemId: number, to: number, now: Moment): number {
    const order = this.all.get(number);
    const item = order && itemsOf(order).find(({ id }) => id === itemId);
    if (order === undefined || item === undefined) return 404;
    if (order.state === 'fulfilled' || order.state === 'aborted' || to < item.fulfilled) return 409;
    if (to === item.given.ordered_quantity) return 200;
    const { command } = item;
    const place = this.whereOf(item);
    const { of: shipment } = item;
    const isDone = item.fulfilled >= to;
    if (isDone && !isOver(item)) item.round += 1;
    item.given = { ...item.given, ordered_quantity: to };
    if (isDone) Object.assign(item, { state: 'done', timedOut: false });
    this.confirmed(item, place.deviceId);
    const { callbacks, next } = this.settle(order, [shipment], now);
    this.tell(order, { kind: 'order_changed', qty: to, ...place, by: SENDER }, now, callbacks);
    if (command !== null) {
      if (isDone) this.withdraw(item, SENDER, now);
      else showRest(this.oracle, this.oracle.device(place.deviceId), command, remainingOf(item), SENDER, now);
    }
    next();
    return 200;
  }

  /** Removes a line without pieces. */
  removeLine(number: string, itemId: number, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled' || order.state === 'aborted') return 409;
    const item = itemsOf(order).find(({ id }) => id === itemId);
    if (item === undefined) return 404;
    if (item.fulfilled > 0 || itemsOf(order).length === 1) return 409;
    const { of: shipment } = item;
    const place = this.whereOf(item);
    shipment.items = shipment.items.filter((each) => each !== item);
    if (shipment.items.length === 0) shipment.state = 'open';
    const { callbacks, next } = this.settle(order, [shipment], now);
    this.tell(order, { kind: 'order_changed', qty: 0, ...place, by: SENDER }, now, callbacks);
    this.withdraw(item, SENDER, now);
    this.oracle.currents.over(item);
    next();
    return 204;
  }

  /** Returns the device and the place of a line in the history. */
  private whereOf({ command, noLight, unassigned, deviceId, given }: ModelItem): {
    deviceId: string;
    location: string;
  } {
    const isServed = command !== null || (!noLight && !unassigned);
    const device = isServed ? (deviceId ?? given.deviceid ?? '') : '';
    const label = this.oracle.devices.get(device)?.label ?? '';
    return { deviceId: device, location: isServed ? label : (given.warehouse_location ?? '') };
  }

  private leaveOut(item: ModelItem): void {
    Object.assign(item, { state: 'open', unassigned: true, noLight: false, timedOut: false, deviceId: null });
  }

  /** Marks lines that have neither a picker nor a device as unassigned again. */
  release(order: ModelOrder): void {
    for (const item of itemsOf(order)) {
      if (item.picker !== null || !isToLight(item) || item.state === 'cancelled') continue;
      if (item.state === 'active' || (!item.unassigned && this.place(item) === undefined)) this.leaveOut(item);
    }
  }

  /** Relights an undone line of a launched order where it was lit before, otherwise at its place, otherwise without a light. */
  lightAgain(item: ModelItem, by: string, now: Moment): void {
    const { of: order } = item.of;
    const own = order.pickers.filter(({ name }) => name === item.picker);
    const whose = own.length > 0 ? own : order.pickers;
    const isPaused = whose.length > 0 && whose.every(({ paused }) => paused);
    if (order.state !== 'in_progress' || isPaused) return;
    const device = this.oracle.devices.get(item.deviceId ?? '') ?? this.place(item);
    if (device !== undefined) this.lightAt(item, device, by, now);
    else if (item.picker === null) this.release(order);
    else Object.assign(item, { state: 'active', noLight: true, deviceId: null });
  }

  /** Turns off a line whose place has no light now. */
  darken(item: ModelItem, by: string, now: Moment): void {
    this.change(item, { fulfilled: item.fulfilled, state: 'open' }, { kind: 'order_moved', by }, now);
    if (item.picker === null) this.leaveOut(item);
    else Object.assign(item, { state: 'active', noLight: true, timedOut: false, deviceId: null });
  }

  /** Lights a waiting line at the device that has its name now. */
  lightNamed(item: ModelItem, device: ModelDevice, by: string, now: Moment): void {
    this.light(item, device, colorOf(item.of.of, item), by, now, 'label');
    const { callbacks, next } = this.settle(item.of.of, [item.of], now);
    if (callbacks.length > 0) throw new Error('A line that is lit completes nothing');
    next();
  }

  /** Lights one line of a launched order. */
  lightAt(item: ModelItem, device: ModelDevice, by: string, now: Moment): void {
    this.light(item, device, colorOf(item.of.of, item), by, now);
  }

  /** Changes an item without a press. A reopened line does not return to a picker who has left. */
  change(
    item: ModelItem,
    after: Pick<ModelItem, 'fulfilled' | 'state'> & Partial<ModelItem>,
    { kind, by }: { kind: string; by: string },
    now: Moment,
  ): void {
    const { of: shipment, command, fulfilled: before } = item;
    const { of: order } = shipment;
    const isOpenAgain = isOver(item) && !isOver(after);
    if (!isOver(item) && isOver(after)) item.round += 1;
    const isServed = command !== null || (!item.noLight && !item.unassigned);
    const device = isServed ? (item.deviceId ?? item.given.deviceid ?? '') : '';
    const label = this.oracle.devices.get(device)?.label ?? '';
    const place = { id: device, label: isServed ? label : (item.given.warehouse_location ?? '') };
    const wasActive = item.state === 'active';
    const wasShort = item.state === 'short';
    Object.assign(item, after);
    // A correction to the full quantity, or a change that reopens the item, clears `noLight`.
    if (item.state !== 'short' && (item.state === 'open' || (wasActive && isOver(item) && kind === 'order_corrected')))
      item.noLight = false;
    noteBooked(item, { fulfilled: before, isShort: wasShort });
    if (isOpenAgain && order.pickers.every(({ name }) => name !== item.picker)) item.picker = null;
    this.confirmed(item, device, isOpenAgain ? by : undefined);
    const events = item.fulfilled === before ? [] : [item.fulfilled > before ? 'item_added' : 'item_removed'];
    const owed = this.item(item, place, events);
    const { callbacks, next } = this.settle(order, [shipment], now);
    const row: Row = {
      kind,
      qty: item.fulfilled,
      deviceId: device,
      location: place.label,
      nonce: this.nonceOf(item),
      by,
    };
    this.tell(order, row, now, [...owed, ...callbacks]);
    if (command !== null) {
      if (item.state === 'active' && !item.noLight)
        adjust(this.oracle, this.oracle.device(device), command, remainingOf(item), now);
      else this.withdraw(item, by, now);
    }
    next();
  }

  /**
   * Counts scanned pieces. The light then shows the remaining quantity as a new command. This can also close a line without a light. `by`
   * is the person who gets the pieces, `sender` the caller of the scan.
   */
  count(
    item: ModelItem,
    { pieces, closes, by, sender }: { pieces: number; closes: boolean; by: string; sender: string },
    now: Moment,
  ): void {
    const { of: shipment, command } = item;
    const { of: order } = shipment;
    const device = command === null ? '' : (item.deviceId ?? '');
    const text = device === '' ? item.given.warehouse_location : this.oracle.devices.get(device)?.label;
    const place = { id: device, label: text ?? '' };
    if (command !== null)
      showRest(this.oracle, this.oracle.device(device), command, remainingOf(item) - pieces, sender, now);
    item.fulfilled += pieces;
    if (item.command !== null) this.oracle.lines.frozen(item.command);
    if (closes) {
      item.round += 1;
      item.state = item.fulfilled >= item.given.ordered_quantity ? 'done' : 'short';
      if (order.pickers.some(({ name }) => name === by)) item.picker = by;
      item.timedOut = false;
      this.confirmed(item, device);
    }
    noteBooked(item, { fulfilled: item.fulfilled - pieces, isShort: false });
    const owed = this.item(item, place, pieces > 0 ? ['item_added'] : []);
    const { callbacks, next } = this.settle(order, [shipment], now);
    const kind = item.state === 'short' ? 'order_short' : 'order_counted';
    const of = { deviceId: device, location: place.label, nonce: this.nonceOf(item), by };
    this.tell(order, { kind, qty: item.fulfilled, ...of }, now, [...owed, ...callbacks]);
    next();
  }

  /** Records the device at which a picker last finished a line, or opened one of the lines again that are theirs. */
  private confirmed(item: ModelItem, deviceId: string, openedBy?: string): void {
    const picker = item.of.of.pickers.find(({ name }) => name === item.picker);
    const isOwn = picker?.name.toLowerCase() === openedBy?.toLowerCase();
    if ((isOver(item) || isOwn) && picker !== undefined && deviceId !== '') picker.deviceid = deviceId;
  }

  /** Must be called when an item's command has ended. Returns the callbacks expected for this end and for everything that it completed. */
  ended(item: ModelItem, device: ModelDevice, command: ModelCommand, end: End, now: Moment): Follows {
    item.command = null;
    item.deviceId = device.id;
    if (end.kind !== 'acknowledged') {
      item.state = 'open';
      item.timedOut = end.kind === 'timedOut';
      const nonce = item.given.callback_nonce ?? '';
      const isOwed = end.kind === 'timedOut' && end.told && nonce !== '' && this.oracle.tells('order');
      const qty = command.byWorker ? (command.adjusted ?? 0) : 0;
      const nack = { acknack: 'nack', deviceid: device.id, location: device.label, nonce, qty };
      return { callbacks: isOwed ? [nack] : [], next: nothing };
    }
    const { base = this.oracle.lines.of(command.id)?.base } = end;
    return this.booked(item, device, { ...end, base }, now);
  }

  /**
   * Records a confirmation of a line: adds the confirmed quantity to the line's quantity when it was shown. The fulfilled quantity never
   * decreases.
   */
  booked(item: ModelItem, device: ModelDevice, end: End, now: Moment): Follows {
    const { of: shipment, fulfilled: before } = item;
    item.round += 1;
    item.timedOut = false;
    const needed = item.given.ordered_quantity;
    const to = (end.base ?? before) + end.qty;
    const isOld = end.ordered !== undefined && end.ordered > needed;
    item.fulfilled = Math.max(before, isOld ? Math.min(to, needed) : to);
    item.state = item.fulfilled >= item.given.ordered_quantity ? 'done' : 'short';
    noteBooked(item, { fulfilled: before, isShort: false });
    if (end.by === 'device') item.picker = pickerAt(item, end.at, now.wallMs);
    else if (shipment.of.pickers.some(({ name }) => name === end.by)) item.picker = end.by ?? null;
    this.confirmed(item, device.id);
    const owed = this.item(item, device, item.fulfilled > before ? ['device_ack', 'item_added'] : ['device_ack']);
    const { callbacks, next } = this.settle(shipment.of, [shipment], now);
    return { callbacks: [...owed, ...callbacks], next };
  }

  /** Updates the states of the shipments and the order. Returns the expected callbacks and the action that follows. */
  private settle(order: ModelOrder, shipments: readonly ModelShipment[], now: Moment): Follows {
    const callbacks: ReceivedFields[] = [];
    const reopened = order.state === 'aborted' ? 'aborted' : order.launchedAt === null ? 'open' : 'in_progress';
    const { templates } = this.oracle.settings;
    const { number } = order;
    for (const shipment of shipments) {
      if (!becomes(shipment, isComplete(shipment.items), reopened)) continue;
      const nonce = shipment.nonce ?? fill(templates.shipmentnonce, number, shipment.number);
      const names = { order: number, shipment: shipment.number };
      const callback = { order_event: 'shipment_fulfilled', ...names, ...named('shipmentnonce', nonce) };
      if (nonce.trim() !== '' && !shipment.isTold) callbacks.push(callback);
      shipment.isTold = true;
    }
    if (!becomes(order, isComplete(itemsOf(order)), reopened)) {
      if (order.state !== 'fulfilled') order.fulfilledAt = null;
      return this.owed(callbacks, nothing);
    }
    order.fulfilledAt = now.wallMs;
    const nonce = order.given.ordernonce ?? fill(templates.ordernonce, number, '');
    if (nonce.trim() !== '' && !order.isTold) {
      callbacks.push({ order_event: 'order_fulfilled', order: number, ...named('ordernonce', nonce) });
    }
    order.isTold = true;
    const qty = fulfilledOf(order);
    return this.owed(callbacks, () => this.tell(order, { kind: 'order_fulfilled', qty }, now));
  }

  private owed(callbacks: ReceivedFields[], next: () => void): Follows {
    return { callbacks: this.oracle.tells('order') ? callbacks : [], next };
  }

  private item(item: ModelItem, place: Pick<ModelDevice, 'id' | 'label'>, events: readonly string[]): ReceivedFields[] {
    if (!this.oracle.tells('order')) return [];
    const { given, fulfilled, of: shipment } = item;
    const nonce = this.nonceOf(item);
    return events.map((event) => ({
      order_event: event,
      order: shipment.of.number,
      shipment: shipment.number,
      item: articleOf(item),
      SKU: given.SKU ?? '',
      UPC: given.UPC ?? '',
      location: place.label,
      device: place.id,
      deviceid: place.id,
      quantity: fulfilled,
      ordered_quantity: given.ordered_quantity,
      quantity_fulfilled: fulfilled,
      quantity_remaining: remainingOf(item),
      nonce,
      vendor_nonce: nonce,
    }));
  }

  /**
   * Returns the item's nonce, or the one from the settings if the item has none. If both are empty, returns a token that stays the same for
   * this item.
   */
  private nonceOf(item: ModelItem): string {
    const { of: shipment, given, id } = item;
    const { of: order } = shipment;
    const template = fill(this.oracle.settings.templates.callback_nonce, order.number, shipment.number);
    const nonce = given.callback_nonce ?? template;
    if (nonce !== '') return nonce;
    order.token ??= this.oracle.ledger.peek(new RegExp(`item_([\\w-]{12})_${id}\\b`));
    return `item_${order.token}_${id}`;
  }

  private light(
    item: ModelItem,
    device: ModelDevice,
    color: string | undefined,
    by: string,
    now: Moment,
    address?: 'label',
  ): void {
    const { settings } = this.oracle;
    const { given, of: shipment } = item;
    const isDark = item.state === 'active' && item.noLight;
    const { seconds } = shipment.of.given;
    const isSaid = (given.warehouse_location ?? '').toLowerCase() === device.label.toLowerCase();
    const content: AskContent = {
      target: 'device',
      address: address ?? addressOfItem(this.oracle, item, device),
      nonce: given.callback_nonce ?? '',
      word: 'flash',
      lines: [articleOf(item), isSaid ? '' : (given.warehouse_location ?? '')].filter((line) => line !== ''),
      barcode: given.UPC ?? given.SKU ?? '',
      quantity: remainingOf(item),
      color: color ?? settings.orderColor,
      seconds: seconds ?? settings.orderSeconds,
    };
    if (isDark) this.oracle.currents.lit(item, device);
    Object.assign(item, { state: 'active', unassigned: false, noLight: false, timedOut: false, deviceId: device.id });
    item.command = this.oracle.light(device, { kind: 'item', item }, content, now);
    item.command.sender = by;
  }

  /** Withdraws the commands of the items, starting with the last item. */
  takeBack(items: readonly ModelItem[], by: string, now: Moment): void {
    for (const item of items.toReversed()) this.withdraw(item, by, now);
  }

  private withdraw(item: ModelItem, by: string, now: Moment): void {
    const { command, deviceId } = item;
    if (command === null) return;
    item.command = null;
    this.oracle.withdraw(this.oracle.device(deviceId ?? ''), command, by, now);
  }

  private place({ given }: ModelItem): ModelDevice | undefined {
    const { deviceid, warehouse_location, SKU, UPC, name } = given;
    const byId = typeof deviceid !== 'string' ? undefined : find(this.oracle, deviceid, undefined);
    const names = [warehouse_location, SKU, UPC, name];
    return byId ?? names.map((text) => find(this.oracle, undefined, text)).find((device) => device !== undefined);
  }

  tell({ number }: ModelOrder, row: Row, { wallMs: at }: Moment, callbacks: readonly ReceivedFields[] = []): void {
    const { deviceId = '', location = '', nonce = '', kind, qty, by } = row;
    const fact = { kind, deviceId, commandId: null, nonce, location, qty, at, work: `order:${number}`, callbacks };
    this.oracle.expect(by === undefined ? fact : { ...fact, by });
  }
}

function fill(template: string, order: string, shipment: string): string {
  return template.replaceAll('{order}', order).replaceAll('{shipment}', shipment);
}

function named(name: string, nonce: string): ReceivedFields {
  return { nonce, vendor_nonce: nonce, [name]: nonce };
}
