import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import { type BatchAct, type BatchAction, type BatchPieces, isJudged } from './actions.ts';

export type BatchCalls = Pick<
  Api,
  'actInBatch' | 'putIntoSlot' | 'reassignShares' | 'reopenItem' | 'scan' | 'undoPut' | 'verifyItem'
>;

/** Time of an action. `late`: the person has checked an old pick since. */
type When = { key: string; confirmed_at?: string; late?: true };

/**
 * Sends an action in a batch, in one or more calls. Repeating the action with the same key books nothing twice.
 * Rejects with the error of the first refused call, and with the pieces that were refused.
 */
export async function sendBatchAction(
  api: BatchCalls,
  { batch, act }: BatchAction,
  { key, ...when }: When,
): Promise<void> {
  const calls = callsOf(api, batch, act, when);
  const refused: { index: number; error: ApiError }[] = [];
  for (const [index, call] of calls.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- calls are sent in order
      await call(index === 0 ? key : `${key}.${index}`);
    } catch (error) {
      // If an answer is missing, rethrow, so that all calls are repeated.
      if (!(error instanceof ApiError) || !isJudged(error.code)) throw error;
      refused.push({ index, error });
    }
  }
  const [first] = refused;
  if (first === undefined) return;
  if (!('pieces' in act) || isWhole(act)) throw first.error;
  const { code, message } = first.error;
  const parts = piecesOfCalls(act);
  const pieces = refused.flatMap(({ index }) => parts[index] ?? []);
  throw new PartlyBooked({ code, detail: message }, { ...act, pieces });
}

/** Whether an action is one call, so that the station books or refuses all its pieces together. */
export const isWhole = (act: BatchAct): boolean => act.does === 'unpick' && act.press === true;

/** Splits the pieces of an action by the calls that send them: one for each item that is reopened or verified, otherwise one for each piece. */
export function piecesOfCalls({ does, pieces }: Extract<BatchAct, { pieces: unknown }>): BatchPieces[][] {
  const isOfItem = does === 'unpick' || does === 'verify';
  return isOfItem ? [...Map.groupBy(pieces, ({ item_id: item }) => item).values()] : pieces.map((piece) => [piece]);
}

type Call = (key: string) => Promise<unknown>;

function callsOf(api: BatchCalls, batch: number, act: BatchAct, { late, ...when }: Omit<When, 'key'>): Call[] {
  switch (act.does) {
    case 'pick':
      return [(key) => sendPick(api, batch, act, { key, late, ...when })];
    case 'verify':
      return callsOfScan(api, act, when);
    case 'put':
      return act.pieces.map(({ slot, item_id, quantity }) => async (key) => {
        const { result, says } = await api.putIntoSlot({
          path: { id: batch },
          body: {
            ...(slot === null ? {} : { slot }),
            item_id,
            quantity,
            key,
          },
        });
        if (result === 'wrong_slot') throw new ApiError('conflict', says);
      });
    case 'takeOut':
      return act.pieces.map(
        ({ slot, item_id, quantity }) =>
          (key) =>
            api.undoPut({ path: { id: batch }, body: { ...(slot === null ? {} : { slot }), item_id, quantity, key } }),
      );
    case 'exchange': {
      const { does: _, ...body } = act;
      return [(key) => api.undoPut({ path: { id: batch }, body: { ...body, instead: true, key } })];
    }
    case 'unpick': {
      const pieces = piecesOfCalls(act).flatMap(([first]) => first ?? []);
      if (act.press === true) return [(key) => reopenTogether(api, pieces, { key, ...when })];
      return pieces.map((piece) => (key) => reopen(api, piece, { key, ...when }));
    }
    case 'reassign':
      return [
        (key) =>
          api.reassignShares({ path: { id: batch }, body: { ...reassigned(act.shares), reason: act.reason, key } }),
      ];
  }
}

function reopen(
  api: Pick<BatchCalls, 'reopenItem'>,
  { order_number, item_id: id, quantity_fulfilled: shown }: BatchPieces,
  { key, press, confirmed_at }: When & { press?: true },
): Promise<unknown> {
  const seen = confirmed_at === undefined || shown === undefined ? {} : { seen: shown };
  const when = confirmed_at === undefined ? {} : { confirmed_at };
  const body = { key, ...(press === undefined ? {} : { press }), ...when, ...seen };
  return api.reopenItem({ path: { order_number, id }, body });
}

/**
 * Takes back what one confirmation picked. The station returns all of it when any of its items is reopened, so the next item is tried if
 * one is refused, for example because its order was aborted. Rejects with the first problem if all are refused.
 */
async function reopenTogether(
  api: Pick<BatchCalls, 'reopenItem'>,
  pieces: readonly BatchPieces[],
  { key, ...when }: When,
): Promise<void> {
  let problem: unknown;
  for (const [index, piece] of pieces.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next item is only tried after a refusal
      await reopen(api, piece, { key: index === 0 ? key : `${key}.${index}`, press: true, ...when });
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || !isJudged(error.code)) throw error;
      problem ??= error;
    }
  }
  if (problem !== undefined) throw problem;
}

/** The station has refused a part of an action, the `rest`, and booked the other parts. */
export class PartlyBooked extends ApiError {
  readonly rest: BatchAct;

  constructor(problem: { code: ApiError['code']; detail: string }, rest: BatchAct) {
    super(problem.code, problem.detail);
    this.name = 'PartlyBooked';
    this.rest = rest;
  }
}

/** Books a pick of one place for all its items, in one call. Rejects with the problem if the station refuses it. */
async function sendPick(
  api: Pick<BatchCalls, 'actInBatch'>,
  batch: number,
  act: Extract<BatchAct, { does: 'pick' }>,
  { key, confirmed_at, late }: { [Field in keyof When]: When[Field] | undefined } & Pick<When, 'key'>,
): Promise<void> {
  const { shares, reason, scanned } = act;
  const lines = [...Map.groupBy(shares, ({ item_id: item }) => item)].map(([item_id, pieces]) => {
    const seen = confirmed_at === undefined ? undefined : pieces[0]?.quantity_fulfilled;
    const quantity = pieces.reduce((sum, each) => sum + each.quantity, 0);
    return { item_id, quantity, ...(seen === undefined ? {} : { seen }) };
  });
  const pick = {
    key,
    act: 'pick' as const,
    ...(confirmed_at === undefined ? {} : { acted_at: confirmed_at }),
    ...(late === undefined ? {} : { late }),
    lines,
    ...(reason === undefined ? {} : { reason }),
    ...(scanned === undefined ? {} : { code: scanned }),
  };
  const { outcomes } = await api.actInBatch({ path: { id: batch }, body: { acts: [pick] } });
  const { problem, not_booked: left } = outcomes[0] ?? {};
  if (problem === undefined) return;
  if (left === undefined) throw new ApiError(problem.code, problem.detail, problem.errors);
  const rest = shares.filter(({ item_id: item }) => left.some((each) => each.item_id === item));
  const quantity = rest.reduce((sum, each) => sum + each.quantity, 0);
  throw new PartlyBooked(problem, { ...act, shares: rest, quantity });
}

/** Returns calls that verify the article of each item, or record that the article cannot be scanned. */
function callsOfScan(api: BatchCalls, act: Extract<BatchAct, { does: 'verify' }>, when: Omit<When, 'key'>): Call[] {
  const { code } = act;
  return piecesOfCalls(act)
    .flatMap(([first]) => first ?? [])
    .map(({ order_number: order, item_id: item }) => async (key) => {
      if (code === null) return api.verifyItem({ path: { order_number: order, id: item }, body: { key, ...when } });
      const { says, verified } = await api.scan({
        body: { code, intent: 'verify', item_id: item, act: true, key, ...when },
      });
      if (!verified) throw new ApiError('conflict', says);
      return undefined;
    });
}

const reassigned = (shares: readonly { item_id: number; quantity: number }[]) => ({
  shares: shares.map(({ item_id, quantity }) => ({ item_id, quantity })),
});
