import type { Left, LeftAsked, StockRow } from '#shared/api/stock.ts';
import { BARE_CONTENT } from '#shared/lib/requests/deviceRequest.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { CoreOf } from '../../core.ts';
import type { ArticlePlaceRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { move, stockAnswers } from '../articles/index.ts';
import { type Commands, EMPTY_TARGET } from '../commands/index.ts';
import type { TasksContext } from './types.ts';

const ASK_SECONDS = 10;
/** Color of a question. It is used neither for ordinary work nor for problems. */
const ASK_COLOR = 'magenta';
const THREE_BUTTONS = 3;

type LeftContext = Pick<TasksContext, 'books' | 'placeTasks' | 'repositories' | 'writer'> & {
  commands: Pick<Commands, 'send'>;
};

/**
 * Asks on devices with three buttons how many pieces are left after a pick, and books the answers. If nobody answers, nothing changes.
 * Questions are not stored, so a restart drops them.
 */
export function createLeftQuestions(core: Pick<CoreOf<'tasks'>, 'bus' | 'log'>, context: LeftContext) {
  /** Open questions by command id. */
  const open = new Map<string, LeftAsked>();

  function ask(asked: LeftAsked): void {
    context.writer
      .write((tx) => {
        const commandId = askAt(context, tx, asked);
        if (commandId !== undefined) tx.afterCommit(() => open.set(commandId, asked));
      })
      .catch((error: unknown) => core.log.warn({ err: error }, 'could not ask a device whether its place is empty'));
  }

  /** Books the answer. A press means that the place is empty or, if the worker set a quantity first, that some pieces are left. */
  function pressed({ SKU: sku, location, movement_id }: LeftAsked, qty: number): void {
    const what = qty > 0 ? { some_left: true as const } : { count: 0 };
    answer(context, { sku, location, movement_id, ...what }, 'device').catch((error: unknown) =>
      core.log.warn({ err: error }, 'could not book the answer of a device about its stock'),
    );
  }

  return {
    answer: (left: Left, by: string): Promise<StockRow> => answer(context, left, by),
    /** Starts asking. Returns a function that stops it again. */
    start: (): (() => void) =>
      core.bus.subscribe({
        commit({ facts }) {
          for (const fact of facts) {
            if (fact.type === 'stock.asked' && fact.asked.what === 'empty') ask(fact.asked);
            if (!('command_id' in fact) || typeof fact.command_id !== 'string') continue;
            const asked = open.get(fact.command_id);
            if (asked === undefined || fact.type === 'command.shown' || fact.type === 'command.adjusted') continue;
            open.delete(fact.command_id);
            if (fact.type === 'command.acknowledged') pressed(asked, fact.qty);
          }
        },
      }),
  };
}

export type LeftQuestions = ReturnType<typeof createLeftQuestions>;

/**
 * Shows the question on the pressed device, if the device has three buttons and no other command. Returns the command id, or undefined if
 * the question is not shown.
 */
function askAt({ repositories, commands }: LeftContext, tx: Transaction, asked: LeftAsked): string | undefined {
  const device = asked.deviceid === '' ? undefined : repositories.devices.find(asked.deviceid);
  if (device === undefined || device.buttons !== THREE_BUTTONS) return undefined;
  if (repositories.commands.findFirst(device.device_id) !== undefined) return undefined;
  const { commandId } = commands.send(tx, {
    deviceId: device.device_id,
    target: EMPTY_TARGET,
    alias: '',
    label: device.label,
    nonce: '',
    content: {
      ...BARE_CONTENT,
      lines: ['Empty?', 'Plus: some left'],
      quantity: 0,
      color: ASK_COLOR,
      seconds: ASK_SECONDS,
    },
    arrowAdded: false,
    sender: 'Pickstation',
  });
  return commandId;
}

/** Books an answer. Throws `not_found`, or `outdated` if the stock of this place has changed since the question. */
function answer(context: LeftContext, left: Left, by: string): Promise<StockRow> {
  const { sku, location, movement_id: since, count } = left;
  return context.writer.write((tx) => {
    const { books, placeTasks } = context;
    const article = books.articles.findBySku(nameKey(sku));
    const place = article === undefined ? undefined : books.stock.findPlace(article.id, nameKey(location));
    if (article === undefined || place === undefined)
      throw new StationError(
        'not_found',
        `There is no article ${sku} with the place ${location}. GET /api/stock/ lists them.`,
      );
    if (since !== undefined && since !== place.movementId)
      throw new StationError('outdated', `Something has moved at ${place.place} since. Nothing was booked.`);
    if (count === undefined) placeTasks.askToCount(tx, place, by);
    else move(books, tx, { article, place: place.place, kind: 'count', change: { to: count, isEmpty: false } }, { by });
    return getStock(books, article.id, place);
  });
}

function getStock(books: LeftContext['books'], articleId: number, { placeKey }: ArticlePlaceRow): StockRow {
  const place = books.stock.findPlace(articleId, placeKey);
  const [row] = place === undefined ? [] : stockAnswers(books, [place]);
  if (row === undefined) throw new Error('A place that was counted has no stock.');
  return row;
}
