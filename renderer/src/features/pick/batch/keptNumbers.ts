import type { Remembered } from '../../../remembered.ts';
import { keepTyping, readTyping } from '../keptTyping.ts';
import { standingNumber } from './batchTyped.ts';
import type { BatchQuestion, BatchSession, BatchUndo, NamedCarrier } from './batchTypes.ts';
import { withNumber } from './batchPart.ts';
import { lineKey, viewOf } from './batchView.ts';
import type { PickLine } from '../session/sessionTypes.ts';

const keyOf = ({ kind, id }: NamedCarrier, me: string): string => `${kind}.${id}.${me}`;

/**
 * What a person has typed or scanned, but not booked yet: numbers, packs with the undos of their scans, and the question about
 * pieces that a press has booked.
 */
export type KeptNumbers = Pick<
  BatchSession,
  'packs' | 'undos' | 'counted' | 'stack' | 'question' | 'keptBatch' | 'keptLines'
>;

const NOTHING: KeptNumbers = {
  packs: new Map(),
  undos: [],
  counted: new Map(),
  stack: undefined,
  question: undefined,
  keptBatch: undefined,
  keptLines: [],
};

/** Reads what this person typed in this tab at this cart or wall, before a reload or before leaving the page. */
export function readNumbers(storage: Remembered, carrier: NamedCarrier, me: string): KeptNumbers {
  try {
    // Safe cast: only `keepNumbers` writes the value.
    const kept = readTyping(storage, keyOf(carrier, me)) as Stored | undefined;
    if (kept === undefined) return NOTHING;
    const { packs, undos, counted, stack, question, batch: keptBatch, lines: keptLines } = kept;
    return {
      packs: new Map(packs),
      undos: [...undos],
      counted: new Map(counted),
      stack,
      question,
      keptBatch,
      keptLines,
    };
  } catch {
    return NOTHING;
  }
}

/** Stores what a person has typed in a session, instead of what was stored before for this person and this cart or wall. */
export function keepNumbers(storage: Remembered, carrier: NamedCarrier, state: BatchSession): void {
  const { me, packs, undos, stack, question } = state;
  const standing = standingNumber(state);
  const counted = standing === undefined ? state.counted : withNumber(state.counted, standing.line, standing.count);
  const asked = question !== undefined && isAboutPress(question) ? { question } : {};
  const number = stack === undefined ? {} : { stack };
  const batch = state.read === undefined ? state.keptBatch : state.read.batch?.id;
  const kept: Stored = {
    packs: [...packs],
    undos: undos.filter(({ does }) => does === 'count'),
    counted: [...counted],
    // Only with its line can the page say after a reload that a press has booked another number.
    lines: (viewOf(state)?.lines ?? state.keptLines).filter((line) => counted.has(lineKey(line))),
    ...number,
    ...asked,
    ...(batch === undefined ? {} : { batch }),
  };
  const isEmpty = packs.size === 0 && counted.size === 0 && stack === undefined && asked.question === undefined;
  keepTyping(storage, keyOf(carrier, me), isEmpty ? undefined : kept);
}

/** Whether a question is about pieces that a press has booked, so that it does not end with its line. */
function isAboutPress(question: BatchQuestion): boolean {
  const isShort = question.kind === 'short' && (question.isBooked || question.unpicks !== undefined);
  return isShort || question.kind === 'differs' || question.kind === 'putDiffers';
}

type Stored = {
  packs: [line: string, pack: { quantity: number; code: string }][];
  undos: BatchUndo[];
  counted: [line: string, count: number][];
  lines: readonly PickLine[];
  stack?: number;
  batch?: number;
  question?: BatchQuestion;
};
