import type { Left, LeftAsked, StockRow } from '#shared/api/stock.ts';
import { BARE_CONTENT } from '#shared/lib/requests/deviceRequest.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { CoreOf } from '../../core.ts';
import type { ArticlePlaceRow, QuestionRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { move, stockAnswers } from '../articles/index.ts';
import { personOf } from '../base/index.ts';
import { type Commands, EMPTY_TARGET } from '../commands/index.ts';
import type { TasksContext } from './types.ts';

const ASK_SECONDS = 10;
/** Color of a question. It is used neither for ordinary work nor for problems. */
const ASK_COLOR = 'magenta';
const THREE_BUTTONS = 3;
const DEVICE = 'device';

type LeftContext = Pick<TasksContext, 'books' | 'placeTasks' | 'reads' | 'repositories' | 'writer'> & {
  commands: Pick<Commands, 'send'>;
};

/** How long a question can be answered, in milliseconds. Contract, section 15. */
const OPEN_MS = 15 * 60_000;

/** Who answers. `mayCount` tells whether without being asked; `refuse` throws because that right is missing. */
export type Answerer = { by: string; mayCount: boolean; refuse: () => void };

/**
 * Asks on devices with three buttons how many pieces are left after a pick, and books the answers. If nobody answers, nothing changes.
 */
export function createLeftQuestions(core: Pick<CoreOf<'tasks'>, 'bus' | 'log'>, context: LeftContext) {
  const { reads } = context;

  function ask(asked: LeftAsked): void {
    context.writer
      .write((tx) => {
        const commandId = askAt(context, tx, asked);
        if (commandId !== undefined) context.books.stock.setQuestionCommand(Number(commandId), asked.movement_id);
      })
      .catch((error: unknown) => core.log.warn({ err: error }, 'could not ask a device whether its place is empty'));
  }

  /** Books the answer. A press means that the place is empty or, if the worker set a quantity first, that some pieces are left. */
  function pressed(commandId: string, qty: number): void {
    const question = reads.stock.findQuestionOfCommand(Number(commandId));
    if (question === undefined) return;
    const { id: movement_id, sku, place: location } = question;
    const what = qty > 0 ? { some_left: true as const } : { count: 0 };
    const device = { by: DEVICE, mayCount: true, refuse: () => undefined };
    answer(context, { sku, location, movement_id, ...what }, device).catch((error: unknown) =>
      core.log.warn({ err: error }, 'could not book the answer of a device about its stock'),
    );
  }

  return {
    /**
     * Books an answer. Throws `not_found`, or `outdated` if the question was answered, is older than 15 minutes, or something has moved at the
     * place since. Calls `refuse` if nobody asked.
     */
    answer: (left: Left, answerer: Answerer): Promise<StockRow> => answer(context, left, answerer),
    /** Starts asking. Returns a function that stops it again. */
    start: (): (() => void) =>
      core.bus.subscribe({
        commit({ facts }) {
          for (const fact of facts) {
            if (fact.type === 'stock.asked' && fact.asked.what === 'empty') ask(fact.asked);
            if (fact.type === 'command.acknowledged') pressed(fact.command_id, fact.qty);
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

function answer(context: LeftContext, left: Left, answerer: Answerer): Promise<StockRow> {
  const { sku, location, count } = left;
  return context.writer.write((tx) => {
    const { books, placeTasks } = context;
    const article = books.articles.findBySku(nameKey(sku));
    const place = article === undefined ? undefined : books.stock.findPlace(article.id, nameKey(location));
    if (article === undefined || place === undefined)
      throw new StationError(
        'not_found',
        `There is no article ${sku} with the place ${location}. GET /api/stock/ lists them.`,
      );
    const { by } = answerer;
    const question = questionOf(context, tx, { place, movementId: left.movement_id, answerer });
    if (question !== undefined) books.stock.setAnswered(tx.now, question.id);
    if (count === undefined) placeTasks.askToCount(tx, place, by);
    else {
      const picker = personOf(books, by) || (question?.picker ?? '');
      const change = { to: count, isEmpty: false };
      move(books, tx, { article, place: place.place, kind: 'count', change }, { by, picker });
    }
    return getStock(books, article.id, place);
  });
}

/**
 * Returns the open question that is answered, or undefined if somebody who may count without being asked answers none. Throws `outdated`,
 * and calls `refuse` if nobody asked.
 */
function questionOf(
  { books }: LeftContext,
  tx: Transaction,
  asked: { place: ArticlePlaceRow; movementId: number | undefined; answerer: Answerer },
): QuestionRow | undefined {
  const { place, movementId, answerer } = asked;
  const { articleId, placeKey } = place;
  const { by, mayCount } = answerer;
  const question =
    movementId === undefined
      ? books.stock.findQuestionTo({ articleId, placeKey, person: by })
      : books.stock.findQuestion(movementId);
  // The place may have been renamed since.
  const isHere =
    question?.articleId === articleId && (question.placeKey === placeKey || place.movementId === movementId);
  const isAsked = isHere && (mayCount || question.picker === by || question.doneBy === by);
  if (!isAsked && !mayCount) answerer.refuse();
  const why = isAsked ? whyClosed(question, place, tx.now) : movementId === undefined ? undefined : MOVED;
  if (why === undefined) return isAsked ? question : undefined;
  if (mayCount && movementId === undefined) return undefined;
  throw new StationError('outdated', `${why.replace('{place}', place.place)} Nothing was booked.`);
}

const MOVED = 'Something has moved at {place} since.';

/** Returns why a question can no longer be answered, or undefined if it is open. */
function whyClosed(
  { id, at, answeredAt }: QuestionRow,
  { movementId }: ArticlePlaceRow,
  now: number,
): string | undefined {
  if (answeredAt !== null) return 'Somebody has already said what is left at {place}.';
  if (now - at > OPEN_MS) return 'The question about {place} is older than 15 minutes.';
  return movementId === id ? undefined : MOVED;
}

function getStock(books: LeftContext['books'], articleId: number, { placeKey }: ArticlePlaceRow): StockRow {
  const place = books.stock.findPlace(articleId, placeKey);
  const [row] = place === undefined ? [] : stockAnswers(books, [place]);
  if (row === undefined) throw new Error('A place that was counted has no stock.');
  return row;
}
