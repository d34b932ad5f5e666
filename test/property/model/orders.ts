import type { NewOrder, Order } from '#shared/api/order.ts';
import { find, SENDER, type AskContent } from './asks.ts';
import type { End, Follows, Oracle } from './oracle.ts';
import {
  becomes,
  fulfilledOf,
  isComplete,
  isToLight,
  itemsOf,
  newItem,
  remainingOf,
  type ModelItem,
  type ModelOrder,
  type ModelShipment,
} from './orderState.ts';
import type { Moment } from './reports.ts';
import { adjust } from './standIns.ts';
import { nothing, type ModelCommand, type ModelDevice, type ReceivedFields } from './state.ts';

type Row = { kind: string; qty: number; deviceId?: string; location?: string; nonce?: string };

/** Orders as the contract has them, section 8. */
export class ModelOrders {
  readonly all = new Map<string, ModelOrder>();
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Each answers the status. `answered`: ids are the station's choice. */
  create(number: string, given: NewOrder, answered: Order | undefined, { wallMs }: Moment): number {
    if (this.all.has(number)) return 409;
    if (answered === undefined) return 201;
    const order: ModelOrder = {
      id: answered.id,
      number,
      given,
      token: undefined,
      state: 'open',
      isTold: false,
      createdAt: wallMs,
      launchedAt: null,
      fulfilledAt: null,
      shipments: [],
    };
    const shipments = given.shipments ?? [{ shipment_number: number, items: given.items ?? [] }];
    order.shipments = shipments.map(({ shipment_number, shipmentnonce, items }, at) => {
      const { id = 0, items: ids = [] } = answered.shipments[at] ?? {};
      const work = { state: 'open', isTold: false } as const;
      const shipment: ModelShipment = {
        of: order,
        id,
        number: shipment_number,
        nonce: shipmentnonce,
        ...work,
        items: [],
      };
      shipment.items = items.map((item, index) => newItem(shipment, item, ids[index]?.id ?? 0));
      if (isComplete(shipment.items)) shipment.state = 'fulfilled';
      return shipment;
    });
    if (isComplete(itemsOf(order))) Object.assign(order, { state: 'fulfilled', fulfilledAt: wallMs });
    this.all.set(number, order);
    return 201;
  }

  launch(number: string, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    const wanted = itemsOf(order).filter(isToLight);
    const lit = wanted.flatMap((item) => {
      const device = this.place(item);
      return device === undefined ? [] : [{ item, device }];
    });
    const isLit = itemsOf(order).some(({ state }) => state === 'active');
    if (order.state === 'fulfilled' || (lit.length === 0 && !isLit)) return 409;
    const missed = wanted.filter((item) => lit.every((found) => found.item !== item));
    const isNews = lit.length > 0 || missed.some(({ unassigned, state }) => !unassigned || state === 'cancelled');
    if (!isNews) return 200;
    for (const { item, device } of lit) this.light(item, device, now);
    for (const item of missed) {
      if (!item.unassigned || item.state === 'cancelled') item.deviceId = null;
      Object.assign(item, { state: 'open', unassigned: true, timedOut: false });
    }
    order.launchedAt = now.wallMs;
    if (lit.length > 0) order.isTold = false;
    for (const shipment of order.shipments) {
      const isLitNow = lit.some(({ item }) => item.of === shipment);
      if (isLitNow) shipment.isTold = false;
      if (isLitNow && shipment.state !== 'fulfilled') shipment.state = 'in_progress';
      else if (shipment.state === 'aborted') shipment.state = 'open';
    }
    order.state = 'in_progress';
    const { callbacks, next } = this.settle(order, order.shipments, now);
    this.tell(order, { kind: 'order_launched', qty: lit.length }, now, callbacks);
    next();
    return 200;
  }

  abort(number: string, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled' || order.state === 'aborted') return 200;
    this.takeBack(order, now);
    for (const item of itemsOf(order))
      if (isToLight(item) || item.state === 'active') Object.assign(item, { state: 'cancelled', timedOut: false });
    for (const shipment of order.shipments) if (shipment.state !== 'fulfilled') shipment.state = 'aborted';
    order.state = 'aborted';
    this.tell(order, { kind: 'order_aborted', qty: fulfilledOf(order) }, now);
    return 200;
  }

  remove(number: string, now: Moment): number {
    const order = this.all.get(number);
    if (order === undefined) return 404;
    this.takeBack(order, now);
    this.all.delete(number);
    this.tell(order, { kind: 'order_removed', qty: fulfilledOf(order) }, now);
    return 204;
  }

  correct(number: string, itemId: number, to: number, now: Moment): number {
    const order = this.all.get(number);
    const item = order && itemsOf(order).find(({ id }) => id === itemId);
    if (order === undefined || item === undefined) return 404;
    const before = item.fulfilled;
    if (to === before) return 200;
    const isOver = item.state === 'done' || item.state === 'short';
    item.fulfilled = to;
    const was = item.state;
    if (to >= item.given.ordered_quantity) item.state = 'done';
    else if (isOver && to < before) item.state = 'open';
    if (item.state !== was) item.timedOut = false;
    const device = item.deviceId ?? item.given.deviceid ?? '';
    const place = { id: device, label: this.oracle.devices.get(device)?.label ?? '' };
    const { command } = item;
    const owed = this.item(item, place, [to > before ? 'item_added' : 'item_removed']);
    const { callbacks, next } = this.settle(order, [item.of], now);
    const row: Row = {
      kind: 'order_corrected',
      qty: to,
      deviceId: device,
      location: place.label,
      nonce: this.nonceOf(item),
    };
    this.tell(order, row, now, [...owed, ...callbacks]);
    if (command !== null) {
      if (item.state === 'active') adjust(this.oracle, this.oracle.device(device), command, remainingOf(item), now);
      else this.withdraw(item, now);
    }
    next();
    return 200;
  }

  /** The command of an item is over: what is owed with it, and what is complete then. */
  ended(item: ModelItem, device: ModelDevice, command: ModelCommand, end: End, now: Moment): Follows {
    const { of: shipment } = item;
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
    item.fulfilled += end.qty;
    item.state = item.fulfilled >= item.given.ordered_quantity ? 'done' : 'short';
    const owed = this.item(item, device, end.qty > 0 ? ['device_ack', 'item_added'] : ['device_ack']);
    const { callbacks, next } = this.settle(shipment.of, [shipment], now);
    return { callbacks: [...owed, ...callbacks], next };
  }

  /** What is complete by now, or no longer: with what is owed for that, and what history tells of it. */
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
      item: given.name ?? given.SKU ?? '',
      SKU: given.SKU ?? '',
      UPC: '',
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

  /** Its own, else that of the settings, else a token that never changes. */
  private nonceOf(item: ModelItem): string {
    const { of: shipment, given, id } = item;
    const { of: order } = shipment;
    const template = fill(this.oracle.settings.templates.callback_nonce, order.number, shipment.number);
    const nonce = given.callback_nonce ?? template;
    if (nonce !== '') return nonce;
    order.token ??= this.oracle.ledger.peek(new RegExp(`item_([\\w-]{12})_${id}\\b`));
    return `item_${order.token}_${id}`;
  }

  private light(item: ModelItem, device: ModelDevice, now: Moment): void {
    const { settings } = this.oracle;
    const { given, of: shipment } = item;
    const { color, seconds } = shipment.of.given;
    const isSaid = (given.warehouse_location ?? '').toLowerCase() === device.label.toLowerCase();
    const content: AskContent = {
      target: 'device',
      nonce: given.callback_nonce ?? '',
      word: 'flash',
      lines: [given.name ?? given.SKU ?? '', isSaid ? '' : (given.warehouse_location ?? '')].filter(
        (line) => line !== '',
      ),
      barcode: given.SKU ?? '',
      quantity: remainingOf(item),
      color: color ?? settings.orderColor,
      seconds: seconds ?? settings.orderSeconds,
    };
    Object.assign(item, { state: 'active', unassigned: false, timedOut: false, deviceId: device.id });
    item.command = this.oracle.light(device, { kind: 'item', item }, content, now);
  }

  private takeBack(order: ModelOrder, now: Moment): void {
    for (const item of itemsOf(order).toReversed()) this.withdraw(item, now);
  }

  private withdraw(item: ModelItem, now: Moment): void {
    const { command, deviceId } = item;
    if (command === null) return;
    item.command = null;
    this.oracle.withdraw(this.oracle.device(deviceId ?? ''), command, now);
  }

  private place({ given }: ModelItem): ModelDevice | undefined {
    const { deviceid, warehouse_location, SKU, name } = given;
    const byId = typeof deviceid !== 'string' ? undefined : find(this.oracle, deviceid, undefined);
    const names = [warehouse_location, SKU, name];
    return byId ?? names.map((text) => find(this.oracle, undefined, text)).find((device) => device !== undefined);
  }

  private tell(
    { number }: ModelOrder,
    row: Row,
    { wallMs: at }: Moment,
    callbacks: readonly ReceivedFields[] = [],
  ): void {
    const { deviceId = '', location = '', nonce = '', kind, qty } = row;
    const fact = { kind, deviceId, commandId: null, nonce, location, qty, at, work: `order:${number}`, callbacks };
    this.oracle.expect(kind === 'order_fulfilled' ? fact : { ...fact, by: SENDER });
  }
}

function fill(template: string, order: string, shipment: string): string {
  return template.replaceAll('{order}', order).replaceAll('{shipment}', shipment);
}

function named(name: string, nonce: string): ReceivedFields {
  return { nonce, vendor_nonce: nonce, [name]: nonce };
}
