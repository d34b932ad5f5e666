import type { ActOutcome, BatchActs, BatchActsResult, ActsChange, PickAct } from '#shared/api/batchActs.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { actOnce, callerIdOf, statusOfAct } from '../base/index.ts';
import type { Batches } from '../batches/index.ts';
import type { Orders } from '../orders/index.ts';
import { isArticleOf } from './scanToVerify.ts';

type ActsContext = Pick<CoreOf<'picking'>, 'repositories' | 'writer'> & {
  batches: Pick<Batches, 'changeSince' | 'pick' | 'read'>;
  orders: Pick<Orders, 'verify' | 'waive'>;
};

/** Who acts. `isPerson` tells whether the caller is a person. `problemOf` describes an error for the caller. */
type Acting = {
  by: string;
  picker: string | undefined;
  isPerson: boolean;
  problemOf(error: StationError): Problem;
};

type BookedAct = ActsChange['acts'][number];

/**
 * Books what a person did in a batch, in one commit. A refused act changes nothing and does not stop the next one. Throws `not_found`, and
 * `conflict` if a program names no picker while several people hold pieces.
 */
export function actInBatch(
  context: ActsContext,
  id: number,
  { acts }: BatchActs,
  who: Acting,
): Promise<BatchActsResult> {
  const { batches, writer } = context;
  return writer.writeLarge((tx) => {
    const open = batches.read(id);
    const hands = [...new Set(open.batch.hands.map(({ by }) => by))];
    if (who.picker === undefined && !who.isPerson && hands.length > 1) {
      const names = hands.map((name) => name || 'nobody in particular').join(' and ');
      throw new StationError('conflict', `Several people hold pieces: ${names}. Send picker.`);
    }
    const before = writer.revision();
    const booked: BookedAct[] = [];
    const outcomes = acts.map((act, index) => actOne(context, tx, { id, act, index }, who, booked));
    const named = new Set(acts.flatMap(({ lines }) => lines.map(({ item_id: itemId }) => itemId)));
    const changed = batches.changeSince(open, named);
    const revision = booked.length === 0 ? before : tx.revision;
    return { outcomes, change: { job: { batch: id }, before, revision, acts: booked, ...changed } };
  });
}

type One = { id: number; act: PickAct; index: number };

/** Judges one act, and adds it to `booked` if it was booked. */
function actOne(
  context: ActsContext,
  tx: Transaction,
  { id, act, index }: One,
  who: Acting,
  booked: BookedAct[],
): ActOutcome {
  const { repositories } = context;
  const { key } = act;
  const caller = callerIdOf(repositories, who.by);
  const refused = (error: unknown): ActOutcome => {
    if (!(error instanceof StationError) || error.code === 'storage') throw error;
    const problem = problemAt(error, index, who);
    return { key, status: problem.status, result: 'refused', says: error.message, problem };
  };
  /** Books the act in a savepoint, because its outcome is stored even if it is refused. */
  const judge = (): ActOutcome => {
    const of = act.of === undefined ? 0 : (statusOfAct(repositories, tx, { caller, key: act.of }) ?? Infinity);
    if (of >= FIRST_REFUSAL) return { key, status: 200, result: 'cancelled', says: 'Nothing to do.' };
    try {
      const { says, entry, refused: lines } = tx.attempt(() => pick(context, tx, id, act, who));
      booked.push(entry);
      if (lines.size === 0) return { key, status: 200, result: 'booked', says };
      return { key, status: MIXED, result: 'booked', says, ...partly(act, lines, index, who) };
    } catch (error) {
      return refused(error);
    }
  };
  // The clock of a browser can be corrected between two attempts.
  const content = { id, ...act, acted_at: undefined };
  try {
    return actOnce(repositories, tx, { caller, key, content }, judge).outcome;
  } catch (error) {
    return refused(error);
  }
}

const MIXED = 207;
const FIRST_REFUSAL = 400;

/** Describes an error whose paths start at the act. */
function problemAt({ code, message, errors }: StationError, index: number, { problemOf }: Acting): Problem {
  const within = errors.map((each) => ({ ...each, path: `/acts/${index}${each.path}` }));
  return problemOf(new StationError(code, message, within));
}

/** Describes the lines of a booked act that were left out. */
function partly(
  { lines }: PickAct,
  refused: ReadonlyMap<number, StationError>,
  index: number,
  who: Acting,
): Pick<ActOutcome, 'not_booked' | 'problem'> {
  const [first] = refused.values();
  const errors = [...refused].map(([line, { message }]) => ({ path: `/lines/${line}`, message }));
  return {
    not_booked: lines
      .filter((_, line) => refused.has(line))
      .map(({ item_id: itemId, quantity }) => ({ item_id: itemId, quantity })),
    problem: problemAt(new StationError(first?.code ?? 'conflict', first?.message ?? '', errors), index, who),
  };
}

function pick(
  { repositories, batches, orders }: ActsContext,
  tx: Transaction,
  id: number,
  act: PickAct,
  { by, picker, isPerson }: Acting,
): { says: string; entry: BookedAct; refused: ReadonlyMap<number, StationError> } {
  const { key, code, how = isPerson ? 'page' : 'program' } = act;
  const { pieces, leftOver, location, refused } = batches.pick(tx, id, act, { by, picker });
  for (const [itemId, quantity] of pieces) {
    if (quantity === 0 || code === undefined) continue;
    if (code === null) orders.waive(tx, itemId, by);
    else if (isArticleOf(repositories, itemId, code)) orders.verify(tx, itemId, { by, forWhom: picker ?? by });
  }
  const sum = [...pieces.values()].reduce((total, each) => total + each, 0);
  const at = location === '' ? '' : ` at ${location}`;
  const over = leftOver === 0 ? '' : ` Put ${leftOver} back.`;
  const lines = [...pieces].map(([itemId, quantity]) => ({ item_id: itemId, quantity }));
  const left = leftOver === 0 ? {} : { left_over: leftOver };
  const entry = { key, act: 'pick', by: picker ?? (isPerson ? by : ''), how, lines, ...left } as const;
  return { says: `Picked ${sum}${at}.${over}`, entry, refused };
}
