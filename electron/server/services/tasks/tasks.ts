import type { Task, TaskDone, TaskQuery } from '#shared/api/task.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow } from '../../db/repositories/stock.ts';
import type { TaskRow } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { move, refuseOutdated, taskAnswer } from '../articles/index.ts';
import type { TasksContext } from './types.ts';

const PAGE = 1_000;

/** Creates the functions that list, complete and dismiss tasks. */
export function createTasks(context: TasksContext) {
  return {
    list: (query: TaskQuery): Task[] => list(context, query),
    /**
     * Completes a task and books it. Throws `not_found`, `conflict` if the task has ended, `outdated` if the stock has changed since it was
     * counted, or `invalid` for a missing or unsuitable field.
     */
    done: (id: string, asked: TaskDone, by: string) => done(context, id, asked, by),
    /** Dismisses a task. Throws `not_found`, or `conflict` if the task has ended. */
    dismiss: (id: string, by: string): Promise<Task> => dismiss(context, id, by),
    /**
     * Handles a long press on an idle device, inside a transaction. Returns the SKU of the article to replenish, or undefined if no article
     * is below its minimum there, or if the setting `tasks` is off.
     */
    called: (tx: Transaction, deviceId: string): string | undefined => called(context, tx, deviceId),
  };
}

export type Tasks = ReturnType<typeof createTasks>;

function list({ reads }: TasksContext, { state, kind, limit = PAGE, after = '0' }: TaskQuery): Task[] {
  const page = { state: state ?? null, kind: kind ?? null, after: Number(after), limit };
  return reads.tasks.list(page).map((row) => taskAnswer(reads, row));
}

function done(context: TasksContext, id: string, asked: TaskDone, by: string): Promise<Task & { warnings?: string[] }> {
  return context.writer.write((tx) => {
    const task = getOpen(context, id);
    const { quantity = task.quantity } = asked;
    if (quantity === null) {
      const what = task.kind === 'count' ? 'counted' : 'brought';
      throw refusal('/quantity', `Send how many pieces you ${what}. Task ${task.id} has no quantity.`);
    }
    if (asked.from !== undefined && task.kind !== 'replenish')
      throw refusal('/from', `Only a task of kind replenish takes \`from\`. Task ${task.id} is a ${task.kind}.`);
    if (asked.was !== undefined && task.kind !== 'count')
      throw refusal('/was', `Only a task of kind count takes \`was\`. Task ${task.id} is a ${task.kind}.`);
    if (task.kind === 'put_back' && quantity > (task.quantity ?? 0))
      throw refusal('/quantity', `Task ${task.id} has only ${task.quantity ?? 0} pieces, not ${quantity}.`);
    // End the task first, so that the following booking does not end it.
    const ended = context.records.end(tx, task, { state: 'done', by, quantity });
    carryOut[task.kind](context, tx, ended, { quantity, from: asked.from, was: asked.was, by });
    const answer = taskAnswer(context.repositories, ended);
    return quantity === 0 && task.kind !== 'count'
      ? { ...answer, warnings: ['quantity: It is 0, so the task is done and nothing was booked.'] }
      : answer;
  });
}

type Done = { quantity: number; from: string | undefined; was: number | null | undefined; by: string };

/** Functions that book a completed task, by kind of task. */
const carryOut: Readonly<
  Record<TaskRow['kind'], (context: TasksContext, tx: Transaction, task: TaskRow, done: Done) => void>
> = {
  replenish({ books }, tx, task, { quantity, from, by }) {
    const { article, place } = getPlace(books, task, task.place);
    if (quantity === 0) return;
    const kind = from === undefined ? 'put_away' : 'transfer';
    if (from !== undefined) {
      const source = getPlace(books, task, from).place;
      if (source.placeKey === place.placeKey)
        throw refusal('/from', `\`from\` is the place of the task, ${place.place}. Name another place.`);
      move(books, tx, { article, place: source.place, kind, change: { delta: -quantity } }, { by });
    }
    move(books, tx, { article, place: place.place, kind, change: { delta: quantity } }, { by });
  },
  count({ books }, tx, task, { quantity, was, by }) {
    const { article, place } = getPlace(books, task, task.place);
    refuseOutdated(place, was);
    move(books, tx, { article, place: place.place, kind: 'count', change: { to: quantity, isEmpty: false } }, { by });
  },
  put_back(context, tx, task, { quantity, by }) {
    if (quantity === 0) return;
    if (task.itemId !== null) return context.orders.putBack(tx, task.itemId, quantity, by);
    putAway(context, tx, task, quantity, by);
  },
};

/** Puts pieces of a deleted order back to the places from which they came, starting with the place that was picked last. */
function putAway({ books }: TasksContext, tx: Transaction, task: TaskRow, quantity: number, by: string): void {
  const article = getArticle(books, task);
  let rest = quantity;
  for (const source of task.sources ?? [{ place: task.place, quantity }]) {
    const pieces = Math.min(rest, source.quantity);
    if (pieces > 0)
      move(books, tx, { article, place: source.place, kind: 'put_away', change: { delta: pieces } }, { by });
    rest -= pieces;
  }
}

function dismiss(context: TasksContext, id: string, by: string): Promise<Task> {
  return context.writer.write((tx) => {
    const ended = context.records.end(tx, getOpen(context, id), { state: 'dismissed', by });
    return taskAnswer(context.repositories, ended);
  });
}

function called(
  { repositories, settings, placeTasks }: TasksContext,
  tx: Transaction,
  deviceId: string,
): string | undefined {
  if (!settings.current().tasks || !repositories.articles.hasAny()) return undefined;
  const label = repositories.devices.find(deviceId)?.label ?? '';
  const names = [label, ...repositories.aliases.listByDevice(deviceId).map(({ name }) => name)];
  const places = [...new Set(names.map(nameKey))].flatMap((key) => (key === '' ? [] : repositories.stock.listAt(key)));
  const lowest = placeTasks.replenishLowest(tx, places, 'device');
  return lowest === undefined ? undefined : repositories.articles.find(lowest.articleId)?.sku;
}

function getOpen({ repositories }: TasksContext, id: string): TaskRow {
  const row = /^\d{1,15}$/.test(id) ? repositories.tasks.find(Number(id)) : undefined;
  if (row === undefined) throw new StationError('not_found', `There is no task ${id}. GET /api/tasks/ lists them.`);
  if (row.state === 'open') return row;
  const who = row.endedBy === '' ? '' : ` by ${row.endedBy}`;
  throw new StationError('conflict', `Task ${id} is already ${row.state}${who}. Nothing was changed.`);
}

function getArticle({ articles }: Books, { articleId, sku }: TaskRow): ArticleRow {
  const article = articles.find(articleId);
  if (article === undefined) throw new StationError('conflict', `Article ${sku} is deleted. Dismiss the task.`);
  return article;
}

type Books = TasksContext['books'];

function getPlace(books: Books, task: TaskRow, name: string): { article: ArticleRow; place: ArticlePlaceRow } {
  const article = getArticle(books, task);
  const place = books.stock.findPlace(article.id, nameKey(name));
  if (place !== undefined) return { article, place };
  throw new StationError('conflict', `Article ${article.sku} has no place ${name}. Name one of its places.`);
}

function refusal(path: string, message: string): StationError {
  return new StationError('invalid', `${path}: ${message}`, [{ path, message }]);
}
