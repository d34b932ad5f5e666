import { createHash } from 'node:crypto';
import type { Article, ArticleQuery } from '#shared/api/article.ts';
import type { Batch, BatchProgress, BatchQuery } from '#shared/api/batch.ts';
import type { Device } from '#shared/api/device.ts';
import type { OrderProgress, OrderQuery } from '#shared/api/order.ts';
import type { Commit } from '../db/writer.ts';
import { createAlarm } from '../scheduling/alarm.ts';
import type { Clock } from '../ports.ts';
import type { Topics } from './topics.ts';
import { publicOrder } from './privateWords.ts';

/** Time to collect changes to one device or order, in milliseconds. Events report each change immediately. */
const SETTLE_MS = 250;
/** Time to collect changes to a device's battery and signal, in milliseconds. They change constantly. */
const CONDITION_MS = 10_000;
/** Maximum number of state messages in progress, so that callbacks and responses do not have to wait. */
const AT_ONCE = 8;
const PAGE = 200;
/** Maximum number of unknown topics from other clients that wait to be cleared. */
const MAX_MADE_UP = 1_000;

/** Publishes a retained message. An empty one clears the topic. Resolves with false if the connection has ended. */
export type Store = (topic: string, payload: string) => Promise<boolean>;

type StateSource = {
  devices: {
    get(deviceId: string): Device;
    listIds(query: { limit?: number }): string[];
    knows(deviceId: string): boolean;
  };
  orders: {
    listProgress(query: OrderQuery): OrderProgress[];
    findProgress(orderNumber: string): OrderProgress | undefined;
  };
  batches: {
    /** Returns batches, newest first. */
    list(query: BatchQuery): BatchProgress[];
    find(id: number): Batch | undefined;
  };
  articles: {
    list(query: ArticleQuery): Article[];
    find(sku: string): Article | undefined;
  };
};

/** Dependencies and state of the retained topics. */
type RetainedContext = Pick<
  StateSource & { topics: Topics; clock: Clock; store: Store },
  'articles' | 'batches' | 'devices' | 'orders' | 'topics' | 'clock' | 'store'
> & {
  /** Hash of the text that the broker stores for each topic. */
  stored: Map<string, string>;
  /** Functions that return the text to store in each changed topic, or undefined to clear the topic. */
  changed: Map<string, () => string | undefined>;
  unwell: Set<string>;
  /** The topic of each article by its id, to clear the previous topic of a renamed article. */
  stockTopics: Map<number, string>;
  /** Number of unknown topics that other clients wrote since the last restore. */
  madeUp: number;
  settle: ReturnType<typeof createAlarm>;
  conditions: ReturnType<typeof createAlarm>;
  /**
   * Whether states are being stored. Also true until `start` has stored everything, because `start` could otherwise overwrite a later state
   * with an earlier one.
   */
  isPumping: boolean;
  isOver: boolean;
};

/**
 * Creates the publisher of retained states for one connection. Keeps the states of devices, orders, batches and stock on the broker up to
 * date: stores each state only once, shortly after a change, and clears the states of deleted items.
 */
export function createRetained(parts: StateSource & { topics: Topics; clock: Clock; store: Store }) {
  const { articles, batches, devices, orders, topics, clock, store } = parts;
  const context: RetainedContext = {
    articles,
    batches,
    devices,
    orders,
    topics,
    clock,
    store,
    stored: new Map<string, string>(),
    changed: new Map<string, () => string | undefined>(),
    unwell: new Set<string>(),
    stockTopics: new Map<number, string>(),
    madeUp: 0,
    settle: createAlarm(clock, () => void pump(context)),
    conditions: createAlarm(clock, () => takeConditions(context)),
    isPumping: true,
    isOver: false,
  };
  return {
    start: (found: ReadonlyMap<string, string>) => start(context, found),
    committed: (asked: Pick<Commit, 'facts'>) => committed(context, asked),
    noteOverwritten: (topic: string, text: string) => noteOverwritten(context, topic, text),
    restore: (overwritten: readonly string[]) => restore(context, overwritten),
    heardConditions: (deviceIds: readonly string[]) => heardConditions(context, deviceIds),
    stop: () => stop(context),
  };
}

export type Retained = ReturnType<typeof createRetained>;

/** Stores everything that is missing on the broker. `found` contains the broker's retained messages by topic. */
async function start(context: RetainedContext, found: ReadonlyMap<string, string>): Promise<void> {
  const { stored, changed, settle } = context;
  for (const [topic, text] of found) stored.set(topic, hashOf(text));
  // Store everything before later changes, which are newer.
  const current = await putEverything(context);
  context.isPumping = false;
  for (const topic of found.keys())
    if (!current.has(topic) && !changed.has(topic)) change(context, topic, () => undefined);
  settle.within(0);
}

function committed(context: RetainedContext, { facts }: Pick<Commit, 'facts'>): void {
  const { topics, devices } = context;
  for (const fact of facts) {
    if (fact.type === 'order.changed') {
      const { order } = fact;
      change(context, topics.order(order.order_number), () => JSON.stringify(publicOrder(order)));
    } else if (fact.type === 'article.changed') changeStock(context, fact.article);
    else if (fact.type === 'article.removed') {
      context.stockTopics.delete(fact.id);
      change(context, topics.stock(fact.sku), () => undefined);
    } else if (fact.type === 'batch.removed') change(context, topics.batch(fact.batch_id), () => undefined);
    else if (fact.type === 'batch.changed') {
      const { batch_id: id } = fact;
      change(context, topics.batch(id), () => textOfBatch(context, id));
    } else if (fact.type === 'order.removed') change(context, topics.order(fact.order_number), () => undefined);
    else if (fact.type === 'device.added') changeDevice(context, fact.device.deviceid);
    else if ('deviceid' in fact) {
      changeDevice(context, fact.deviceid);
      if (fact.type === 'command.moved') changeDevice(context, fact.to);
    } else if (fact.type === 'deadlines.shifted') for (const id of devices.listIds({})) changeDevice(context, id);
  }
}

/**
 * Records that another client wrote this text to a topic. Returns false if the text is correct, or if too many unknown topics already wait
 * to be cleared, in which case the next connection clears the topic.
 */
function noteOverwritten(context: RetainedContext, topic: string, text: string): boolean {
  const { stored } = context;
  const isKnown = stored.has(topic);
  if (stored.get(topic) === (text === '' ? undefined : hashOf(text))) return false;
  if (!isKnown && context.madeUp >= MAX_MADE_UP) return false;
  if (!isKnown) context.madeUp += 1;
  // Record the foreign text, so that the next `put` stores ours.
  stored.set(topic, hashOf(text));
  return true;
}

/**
 * Stores the stock of an article. If the article was renamed, updates the previous topic, too, because another article may have taken over
 * the old SKU in the same commit.
 */
function changeStock(context: RetainedContext, article: Article): void {
  const { topics, stockTopics } = context;
  const topic = topics.stock(article.sku);
  const former = stockTopics.get(article.id);
  stockTopics.set(article.id, topic);
  if (former !== undefined && former !== topic) change(context, former, () => textOfStock(context, former));
  change(context, topic, () => JSON.stringify(stockAnswer(article)));
}

/** Returns the stock of an article, by place. */
function stockAnswer({ id, sku, name, unit, active, places, updated }: Article) {
  return { id, sku, name, unit, active, places, updated };
}

/** Returns the stock of the article to which this topic belongs, or undefined if there is none. */
function textOfStock({ articles, topics }: RetainedContext, topic: string): string | undefined {
  const article = articles.find(topics.stateOf(topic)?.id ?? '');
  return article === undefined || topics.stock(article.sku) !== topic
    ? undefined
    : JSON.stringify(stockAnswer(article));
}

/** Stores overwritten states again, and clears topics of unknown devices, orders, batches and articles. */
function restore(context: RetainedContext, overwritten: readonly string[]): void {
  const { topics } = context;
  context.madeUp = 0;
  for (const topic of overwritten) {
    const { kind, id } = topics.stateOf(topic) ?? {};
    change(context, topic, () => {
      if (kind === 'stock') return textOfStock(context, topic);
      if (kind === 'batch') return topics.batch(Number(id)) === topic ? textOfBatch(context, Number(id)) : undefined;
      return kind === 'device' ? textOfDevice(context, id ?? '') : textOfOrder(context, id ?? '');
    });
  }
}

/** Schedules an update of these devices, whose battery, signal or reachability has changed. */
function heardConditions({ unwell, conditions }: RetainedContext, deviceIds: readonly string[]): void {
  for (const deviceId of deviceIds) unwell.add(deviceId);
  if (unwell.size > 0) conditions.within(CONDITION_MS);
}

function stop(context: RetainedContext): void {
  const { settle, conditions } = context;
  context.isOver = true;
  settle.stop();
  conditions.stop();
}

function isRunning(context: RetainedContext): boolean {
  return !context.isOver;
}

function textOfDevice({ devices }: RetainedContext, deviceId: string): string | undefined {
  return devices.knows(deviceId) ? JSON.stringify(devices.get(deviceId)) : undefined;
}

function textOfBatch({ batches }: RetainedContext, id: number): string | undefined {
  const batch = Number.isSafeInteger(id) ? batches.find(id) : undefined;
  return batch && JSON.stringify(batch);
}

function textOfOrder({ orders }: RetainedContext, orderNumber: string): string | undefined {
  const order = orders.findProgress(orderNumber);
  return order === undefined ? undefined : JSON.stringify(publicOrder(order));
}

function change({ changed, settle }: RetainedContext, topic: string, text: () => string | undefined): void {
  changed.set(topic, text);
  settle.within(SETTLE_MS);
}

function changeDevice(context: RetainedContext, deviceId: string): void {
  change(context, context.topics.device(deviceId), () => textOfDevice(context, deviceId));
}

function takeConditions(context: RetainedContext): void {
  const { unwell } = context;
  for (const deviceId of unwell) changeDevice(context, deviceId);
  unwell.clear();
}

/** Stores a text unless the broker already has it. Clears the topic if the text is undefined. */
async function put(context: RetainedContext, topic: string, text: string | undefined): Promise<void> {
  const { stored, store } = context;
  const hash = text === undefined ? undefined : hashOf(text);
  if (stored.get(topic) === hash) return;
  if (hash === undefined) stored.delete(topic);
  else stored.set(topic, hash);
  if (!(await store(topic, text ?? ''))) context.isOver = true;
}

async function putAll(
  context: RetainedContext,
  states: readonly (readonly [topic: string, text: string | undefined])[],
): Promise<void> {
  for (let from = 0; from < states.length && isRunning(context); from += AT_ONCE) {
    await Promise.all(states.slice(from, from + AT_ONCE).map(([topic, text]) => put(context, topic, text)));
  }
}

/** Stores all changes. Only one call runs at a time, so that an older state never overwrites a newer one. */
async function pump(context: RetainedContext): Promise<void> {
  const { changed } = context;
  if (context.isPumping) return;
  context.isPumping = true;
  while (changed.size > 0 && isRunning(context)) {
    const some = [...changed].slice(0, AT_ONCE);
    for (const [topic] of some) changed.delete(topic);
    await putAll(
      context,
      some.map(([topic, text]) => [topic, text()]),
    );
  }
  context.isPumping = false;
}

/** Stores the states of everything. Reads each page after storing the previous one, so that the event loop is never blocked for long. */
async function putEverything(context: RetainedContext): Promise<Set<string>> {
  const { devices, topics, orders } = context;
  const current = new Set<string>();
  const deviceIds = devices.listIds({});
  for (let from = 0; from < deviceIds.length && isRunning(context); from += PAGE) {
    const page = deviceIds
      .slice(from, from + PAGE)
      .map((id) => [topics.device(id), textOfDevice(context, id)] as const);
    for (const [topic] of page) current.add(topic);
    await putAll(context, page);
  }
  for (let after: string | undefined; isRunning(context);) {
    const page = orders.listProgress({ limit: PAGE, after });
    const states = page.map((order) => [topics.order(order.order_number), JSON.stringify(publicOrder(order))] as const);
    for (const [topic] of states) current.add(topic);
    await putAll(context, states);
    after = page.at(-1)?.order_number;
    if (after === undefined) break;
  }
  await putBatches(context, current);
  await putStock(context, current);
  return current;
}

async function putBatches(context: RetainedContext, current: Set<string>): Promise<void> {
  const { batches, topics } = context;
  for (let after: string | undefined; isRunning(context);) {
    const page = batches.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { id } of page) {
      current.add(topics.batch(id));
      // oxlint-disable-next-line no-await-in-loop -- writing a large batch takes milliseconds, so write one at a time
      await put(context, topics.batch(id), textOfBatch(context, id));
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = String(last.id);
  }
}

async function putStock(context: RetainedContext, current: Set<string>): Promise<void> {
  const { articles, topics, stockTopics } = context;
  for (let after: string | undefined; isRunning(context);) {
    const page = articles.list({ active: 'all', limit: PAGE, ...(after === undefined ? {} : { after }) });
    const states = page.map((article) => [topics.stock(article.sku), JSON.stringify(stockAnswer(article))] as const);
    for (const [index, [topic]] of states.entries()) {
      current.add(topic);
      const { id } = page[index] ?? { id: 0 };
      if (!stockTopics.has(id)) stockTopics.set(id, topic);
    }
    await putAll(context, states);
    after = page.at(-1)?.sku;
    if (after === undefined) break;
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
