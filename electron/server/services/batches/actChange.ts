import type { ActsChange } from '#shared/api/batchActs.ts';
import { openOf } from '../../domain/batches/shares.ts';
import type { Share } from '../../domain/batches/types.ts';
import { batchAnswer } from './answers.ts';
import type { BatchesContext, Open } from './types.ts';

/** The parts of a change that describe the batch. */
type Parts = Pick<ActsChange, 'lines' | 'slots' | 'hands' | 'people' | 'state'>;

/** Returns what differs between two states of a batch, and the lines of the items in `named`. */
export function changeBetween(context: BatchesContext, before: Open, after: Open, named: ReadonlySet<number>): Parts {
  const were = new Map(before.batch.shares.map((share) => [share.id, share]));
  const isTouched = (share: Share): boolean => named.has(share.itemId) || isOther(were.get(share.id), share);
  const touched = after.batch.shares.filter(isTouched);
  const slotBefore = new Map(before.batch.slots.map((slot) => [slot.slot, slot]));
  const [was, now] = [before, after].map((open) => batchAnswer(context.repositories, open, context.settings.current()));
  if (was === undefined || now === undefined) throw new Error('unreachable');
  const items = new Set(touched.map(({ itemId }) => itemId));
  return {
    lines: linesOf(context, after, items),
    slots: now.slots.flatMap(({ slot, state, shares }) => {
      const changed = shares.filter(({ item_id: itemId }) => items.has(itemId));
      return changed.length === 0 && slotBefore.get(slot)?.state === state ? [] : [{ slot, state, shares: changed }];
    }),
    hands: handsBetween(was, now),
    people: JSON.stringify(was.pickers) === JSON.stringify(now.pickers) ? [] : now.pickers,
    state: now.state,
  };
}

const FIELDS = ['slot', 'quantity', 'picked', 'put', 'putBack', 'ending', 'reason', 'pickId'] as const;

const isOther = (before: Share | undefined, after: Share): boolean =>
  before === undefined || FIELDS.some((field) => before[field] !== after[field]);

function linesOf({ repositories }: BatchesContext, { batch }: Open, items: ReadonlySet<number>): Parts['lines'] {
  return [...items].flatMap((itemId): Parts['lines'] => {
    const item = repositories.items.find(itemId);
    if (item === undefined) return [];
    const share = batch.shares.find((each) => each.itemId === itemId && openOf(each) > 0);
    const pickId = share?.pickId ?? null;
    const pick = pickId === null ? undefined : repositories.batches.findPick(pickId);
    const command = pick === undefined ? undefined : repositories.commands.findByOwner({ kind: 'pick', id: pick.id });
    return [
      {
        item_id: itemId,
        order_number: repositories.orders.findNumber(item.orderId) ?? '',
        state: item.state,
        ordered_quantity: item.ordered,
        quantity_fulfilled: item.fulfilled,
        location: pick?.location ?? null,
        deviceid: pick?.deviceId ?? null,
        command_id: command === undefined ? null : String(command.id),
      },
    ];
  });
}

type Held = Pick<ReturnType<typeof batchAnswer>, 'hands'>;

function handsBetween(before: Held, after: Held): Parts['hands'] {
  const piecesIn = ({ hands }: Held) =>
    new Map(
      hands.flatMap(({ by, shares }) =>
        shares.map((share) => [JSON.stringify([by, share.slot, share.item_id]), { by, share }] as const),
      ),
    );
  const [was, now] = [piecesIn(before), piecesIn(after)];
  const gone = [...was].flatMap(([key, { by, share }]) =>
    now.has(key) ? [] : [{ by, share: { ...share, quantity: 0 } }],
  );
  const changed = [...now].flatMap(([key, each]) =>
    was.get(key)?.share.quantity === each.share.quantity ? [] : [each],
  );
  return [...Map.groupBy([...gone, ...changed], ({ by }) => by)].map(([by, all]) => ({
    by,
    shares: all.map(({ share }) => share),
  }));
}
