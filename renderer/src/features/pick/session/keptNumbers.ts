import type { Remembered } from '../../../remembered.ts';
import { standingNumber, withCount } from './sessionCount.ts';
import type { Counted, PickQuestion, PickSession, ReasonAsked } from './sessionTypes.ts';

const keyOf = (orderNumber: string): string => `pickstation.numbers.order.${orderNumber}`;

/** Numbers that a person has typed but not booked yet, and the question about a press that booked another number. */
export type KeptCounts = Pick<PickSession, 'counted' | 'question' | 'reasons'>;

const NOTHING: KeptCounts = { counted: new Map(), question: undefined, reasons: [] };

/** Reads what this person typed in this tab for this order, before a reload or before leaving the page. */
export function readNumbers(storage: Remembered, { orderNumber, me }: { orderNumber: string; me: string }): KeptCounts {
  try {
    // Safe cast: only `keepNumbers` writes the value.
    const kept = JSON.parse(storage.get(keyOf(orderNumber)) ?? 'null') as Stored | null;
    if (kept === null || kept.me !== me) return NOTHING;
    const counted = new Map(kept.counted.map((count) => [count.itemId, count]));
    return { counted, question: kept.question, reasons: kept.reasons };
  } catch {
    return NOTHING;
  }
}

/** Stores what a person has typed in a session, instead of what was stored before for this order. */
export function keepNumbers(storage: Remembered, state: PickSession): void {
  const { me, orderNumber, question, reasons } = state;
  const standing = standingNumber(state);
  const { counted } = standing === undefined ? state : withCount(state, standing);
  const isAsked = question?.kind === 'differs' || (question?.kind === 'short' && question.pressed !== undefined);
  const kept: Stored = {
    me,
    counted: [...counted.values()],
    // The reason for a press is asked about once it is clear which number counts.
    reasons: isAsked ? reasons.filter(({ line }) => line.item_id === question.line.item_id) : [],
    ...(isAsked ? { question } : {}),
  };
  storage.set(keyOf(orderNumber), counted.size === 0 && !isAsked ? null : JSON.stringify(kept));
}

type Stored = { me: string; counted: Counted[]; reasons: ReasonAsked[]; question?: PickQuestion };
