import type { Deed } from '../../station/outbox/deeds.ts';
import { placeOf } from './lines.ts';
import { refuse, stay, takeKey, withEffects } from './sessionSteps.ts';
import type { PickLine, PickSession, PickStep } from './sessionTypes.ts';
import { askedOf, countOf, currentLine } from './sessionView.ts';

const MAX_QUANTITY = 99_999;

/**
 * The person takes so many of the current line. The shelf follows, so that its button and a scan book the same. More than asked
 * stays here until the person has confirmed it: the shelf shows what is asked.
 */
export function setCount(state: PickSession, line: PickLine, quantity: number): PickStep {
  const { item_id: id, quantity: listed } = line;
  if (id === null || listed === null || quantity > MAX_QUANTITY) return stay(state);
  const own = state.count?.itemId === id ? state.count : undefined;
  const asked = askedOf(line);
  const before = [...(own === undefined ? [] : [...own.before, own.quantity]), listed, asked];
  const count = { itemId: id, quantity: Math.max(0, quantity), isHeard: false, before };
  const counted = { ...state, count };
  if (line.deviceid === null || line.command_id === null) return stay(counted);
  const { state: next, key } = takeKey(counted);
  const deed: Deed = {
    kind: 'adjust',
    key,
    order_number: state.orderNumber,
    item_id: id,
    place: placeOf(line),
    deviceid: line.deviceid,
    command_id: line.command_id,
    quantity: Math.min(count.quantity, asked),
  };
  return withEffects(next, { do: 'keep', deed });
}

/** Plus or minus on the page. */
export function countBy(state: PickSession, by: 1 | -1, now: number): PickStep {
  const line = currentLine(state);
  const count = countOf(state, line);
  if (line === undefined || count === null) return refuse(state, now);
  return setCount(state, line, Math.min(MAX_QUANTITY, Math.max(0, count + by)));
}

/** What was counted at the shelf after the station had heard of this count is newer. */
export function settleCount(state: PickSession): PickSession {
  const { count, lines = [] } = state;
  if (count === undefined) return state;
  const line = lines.find(({ item_id: id }) => id === count.itemId);
  if (line === undefined) return { ...state, count: undefined };
  const listed = line.quantity;
  const asked = askedOf(line);
  if (listed === Math.min(count.quantity, asked))
    return count.isHeard ? state : { ...state, count: { ...count, isHeard: true } };
  return count.isHeard || !count.before.includes(listed) ? { ...state, count: undefined } : state;
}
