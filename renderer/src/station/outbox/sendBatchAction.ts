import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import type { BatchAct, BatchAction } from './actions.ts';

export type BatchCalls = Pick<
  Api,
  | 'acknowledgeCommand'
  | 'confirmItem'
  | 'putIntoSlot'
  | 'reassignShares'
  | 'reopenItem'
  | 'scan'
  | 'undoPut'
  | 'verifyItem'
>;

type When = { key: string; confirmed_at?: string };

/**
 * Sends an action in a batch, in one or more calls. Repeating the action with the same key books nothing twice.
 * Rejects with the error of the first refused call.
 */
export async function sendBatchAction(
  api: BatchCalls,
  { batch, act }: BatchAction,
  { key, ...when }: When,
): Promise<void> {
  const calls = callsOf(api, batch, act, when);
  const refused: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- calls are sent in order
      await call(index === 0 ? key : `${key}.${index}`);
    } catch (error) {
      // If an answer is missing, rethrow, so that all calls are repeated.
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
      refused.push(error);
      if (act.does === 'pick' || act.does === 'reassign') break;
    }
  }
  if (refused.length > 0) throw refused[0];
}

type Call = (key: string) => Promise<unknown>;

function callsOf(api: BatchCalls, batch: number, act: BatchAct, when: Omit<When, 'key'>): Call[] {
  switch (act.does) {
    case 'pick': {
      const { scanned, shares } = act;
      const calls = callsOfPick(api, batch, act, when);
      if (scanned === undefined) return calls;
      const picked = shares.filter(({ quantity }) => quantity > 0);
      // Ignore a refused scan: the pieces are picked, and the page asks for the scan again.
      return [...calls, ...callsOfScan(api, { pieces: picked, code: scanned }, when).map(ignoreConflict)];
    }
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
    case 'unpick':
      return act.pieces.map(
        ({ order_number: order, item_id: item }) =>
          (key) =>
            api.reopenItem({ path: { order_number: order, id: item }, body: { key } }),
      );
    case 'reassign':
      return [
        (key) =>
          api.reassignShares({ path: { id: batch }, body: { ...reassigned(act.shares), reason: act.reason, key } }),
      ];
  }
}

/**
 * Returns calls that confirm picked pieces. At a place with a light, confirms the total and then reports the items
 * that get fewer pieces. Without a light, confirms each item.
 */
function callsOfPick(
  api: BatchCalls,
  batch: number,
  { deviceid, command_id: command, quantity, shares, reason }: Extract<BatchAct, { does: 'pick' }>,
  when: Omit<When, 'key'>,
): Call[] {
  if (deviceid !== null && command !== null) {
    const acknowledge: Call = (key) =>
      api.acknowledgeCommand({
        path: { DeviceID: deviceid },
        body: { command_id: command, qty: quantity, key, ...when },
      });
    if (reason === undefined) return [acknowledge];
    return [
      acknowledge,
      (key) => api.reassignShares({ path: { id: batch }, body: { ...reassigned(shares), reason, key } }),
    ];
  }
  return shares.map(
    ({ order_number: order, item_id: item, quantity: pieces }) =>
      (key) =>
        api.confirmItem({
          path: { order_number: order, id: item },
          body: { quantity: pieces, ...(reason === undefined ? {} : { reason }), key, ...when },
        }),
  );
}

/** Returns calls that verify the article of each item, or record that the article cannot be scanned. */
function callsOfScan(
  api: BatchCalls,
  { pieces, code }: Pick<Extract<BatchAct, { does: 'verify' }>, 'pieces' | 'code'>,
  when: Omit<When, 'key'>,
): Call[] {
  return pieces.map(({ order_number: order, item_id: item }) => async (key) => {
    if (code === null) return api.verifyItem({ path: { order_number: order, id: item }, body: { key, ...when } });
    const { says, verified } = await api.scan({
      body: { code, intent: 'verify', item_id: item, act: true, key, ...when },
    });
    if (!verified) throw new ApiError('conflict', says);
    return undefined;
  });
}

const ignoreConflict =
  (call: Call): Call =>
  (key) =>
    call(key).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    });

const reassigned = (shares: readonly { item_id: number; quantity: number }[]) => ({
  shares: shares.map(({ item_id, quantity }) => ({ item_id, quantity })),
});
