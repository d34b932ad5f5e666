import type { EnterRule } from '#shared/lib/picking/enterRules.ts';
import type { OwnInput } from '../../../kit/inputTimes.ts';

/** How long after a scan people are expected to scan on a page, in milliseconds. */
const SCANNING_MS = 3_600_000;
/** So many confirmations by Enter or Space at different places within this time, in milliseconds, are probably a mistake. */
const HASTY_PLACES = 3;
const HASTY_MS = 2_000;
/** Milliseconds after the last line, and after another Enter, during which Enter does not take the next order. */
export const NEXT_BY_ENTER_MS = 1_200;

export type InputKind = OwnInput['via'];

/** A confirmation by Enter or Space. `undo` is what Undo reverts. */
export type KeyConfirmation<Undo> = { at: number; place: string; undo: Undo };

/** The part of a session that decides what Enter and Space confirm. */
export type KeyRules<Undo> = {
  readonly enterRule: EnterRule;
  /** When a code was last scanned on this page. */
  readonly scannedAt: number;
  /** When Enter was last pressed on its own, and how long after the time before. */
  readonly enterAt: number;
  readonly enterPauseMs: number;
  /** The line for which the person has typed a number. */
  readonly typedFor: string | undefined;
  /** The latest confirmations by Enter or Space. */
  readonly hasty: readonly KeyConfirmation<Undo>[];
};

/** What a page knows about Enter when a session begins. */
export type KeyStart = Pick<KeyRules<never>, 'enterRule' | 'scannedAt'>;

export const startKeys = (start: KeyStart): KeyRules<never> => ({
  ...start,
  enterAt: -Infinity,
  enterPauseMs: Infinity,
  typedFor: undefined,
  hasty: [],
});

/** Records an Enter that was pressed on its own at this time. */
export function enterPressed<State extends KeyRules<unknown>>(state: State, at: number): State {
  return { ...state, enterAt: at, enterPauseMs: at - state.enterAt };
}

/**
 * Whether Enter confirms a line now. While people scan, it confirms only a line for which a number was typed, because scanners that lose
 * characters still send their Enter.
 */
export function confirmsByEnter(
  { enterRule, scannedAt, typedFor }: KeyRules<unknown>,
  { at, line }: { at: number; line: string | undefined },
): boolean {
  if (enterRule !== 'unless_scanning') return enterRule === 'always';
  return at - scannedAt >= SCANNING_MS || (line !== undefined && typedFor === line);
}

/** Adds a confirmation. `asked` has those that the page has to ask about, because they are too many. */
export function withConfirmation<Undo>(
  before: readonly KeyConfirmation<Undo>[],
  confirmation: KeyConfirmation<Undo>,
): { hasty: readonly KeyConfirmation<Undo>[]; asked?: readonly KeyConfirmation<Undo>[] } {
  const hasty = [...before.filter(({ at }) => confirmation.at - at <= HASTY_MS), confirmation];
  const places = new Set(hasty.map(({ place }) => place));
  return places.size < HASTY_PLACES ? { hasty } : { hasty: [], asked: hasty };
}
