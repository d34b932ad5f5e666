import type { Remembered } from '../../../remembered.ts';
import { keepTyping, readTyping } from '../keptTyping.ts';
import { standingNumber, withCount } from './sessionCount.ts';
import type { Counted, PickLine, PickQuestion, PickSession, ReasonAsked } from './sessionTypes.ts';

type Of = Pick<PickSession, 'orderNumber' | 'me'>;

const keyOf = ({ orderNumber, me }: Of): string => `order.${orderNumber}.${me}`;

/**
 * Numbers that a person has typed but not booked yet with their lines, `lit`, the question about a press that booked another number, and lines
 * of which the reason for missing pieces is not given.
 */
export type KeptCounts = Pick<PickSession, 'counted' | 'lit' | 'question' | 'reasons'>;

const NOTHING: KeptCounts = { counted: new Map(), lit: [], question: undefined, reasons: [] };

/** Reads what this person typed in this tab for this order, before a reload or before leaving the page. */
export function readNumbers(storage: Remembered, of: Of): KeptCounts {
  try {
    // Safe cast: only `keepNumbers` writes the value.
    const kept = readTyping(storage, keyOf(of)) as Stored | undefined;
    if (kept === undefined) return NOTHING;
    const counted = new Map(kept.counted.map((count) => [count.itemId, count]));
    return { counted, lit: [...kept.lines], question: kept.question, reasons: kept.reasons };
  } catch {
    return NOTHING;
  }
}

/** Stores what a person has typed in a session, instead of what was stored before for this person and order. */
export function keepNumbers(storage: Remembered, state: PickSession): void {
  const { question, reasons } = state;
  const standing = standingNumber(state);
  const { counted } = standing === undefined ? state : withCount(state, standing);
  const isAsked = question?.kind === 'differs';
  const kept: Stored = {
    counted: [...counted.values()],
    // Only with its line can the page say after a reload that a press has booked another number.
    lines: state.lit.filter(({ item_id: id }) => counted.has(id ?? 0)),
    reasons,
    ...(isAsked ? { question } : {}),
  };
  const isEmpty = counted.size === 0 && reasons.length === 0 && !isAsked;
  keepTyping(storage, keyOf(state), isEmpty ? undefined : kept);
}

type Stored = { counted: Counted[]; lines: PickLine[]; reasons: readonly ReasonAsked[]; question?: PickQuestion };
