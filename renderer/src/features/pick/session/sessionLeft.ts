import type { LeftAsked } from '#shared/api/stock.ts';
import { MAX_STOCK } from '#shared/lib/articles/articleLimits.ts';
import * as texts from '../../../words/texts.ts';
import { SAME_KEY_MS } from './inertTimes.ts';
import { refuse, withMessage, stay, withEffects } from './sessionSteps.ts';
import type { PickQuestion, PickSession, PickStep, Touch } from './sessionTypes.ts';
import { questionOf } from './sessionView.ts';

const words = texts.pick;

type LeftQuestion = Extract<PickQuestion, { kind: 'empty' | 'left' }>;

/** How long the page asks whether a place is empty, in milliseconds. Devices ask for the same length of time. */
const EMPTY_MS = 10_000;
/** Time to enter the number of pieces, in milliseconds since the last digit. It is long, because counting requires walking and looking. */
const LEFT_MS = 60_000;

/**
 * Asks how many pieces are left after a pick. Asks only the person who picked, because only that person may answer, and only while no other
 * question is open.
 */
export function askWhatIsLeft(state: PickSession, asked: LeftAsked, now: number): PickStep {
  const isMine = asked.order === state.orderNumber && asked.picker === state.me;
  if (!isMine || questionOf(state) !== undefined) return stay(state);
  const question: LeftQuestion =
    asked.what === 'empty'
      ? { kind: 'empty', asked, until: now + EMPTY_MS }
      : { kind: 'left', asked, text: '', until: now + LEFT_MS };
  return stay({ ...state, question });
}

/** Handles a touch while this question is open. Returns undefined if the question has no such button. */
export function touchLeft(state: PickSession, question: LeftQuestion, touch: Touch, now: number): PickStep | undefined {
  const closed: PickSession = { ...state, question: undefined };
  if (touch.touch === 'close') return stay(closed);
  if (question.kind === 'empty') {
    if (touch.touch === 'isEmpty') return answerCount(state, question, 0, now);
    return touch.touch === 'someLeft' ? answerSome(closed, question, now) : undefined;
  }
  if (touch.touch === 'enterPad')
    return question.text === '' ? stay(closed) : answerCount(state, question, Number(question.text), now);
  if (touch.touch !== 'padKey') return undefined;
  const { key } = touch;
  const isBounce = question.last?.key === key && state.at < question.last.at + SAME_KEY_MS;
  const text = key === 'delete' ? question.text.slice(0, -1) : String(Number(`${question.text}${key}`));
  if (isBounce || Number(text) > MAX_STOCK) return refuse(state, now);
  return stay({ ...state, question: { ...question, text, last: { key, at: state.at }, until: now + LEFT_MS } });
}

/** Reports the number of pieces left to the station. */
export function answerCount(state: PickSession, { asked }: LeftQuestion, count: number, now: number): PickStep {
  const { SKU: sku, location, movement_id } = asked;
  const message = withMessage(
    { ...state, question: undefined },
    { kind: 'note', text: count === 0 ? words.left.saidEmpty(location) : words.left.saidCount(location, count) },
    now,
  );
  return withEffects(message.state, {
    do: 'call',
    call: { call: 'left', left: { sku, location, movement_id, count } },
  });
}

function answerSome(closed: PickSession, { asked }: LeftQuestion, now: number): PickStep {
  const { SKU: sku, location, movement_id } = asked;
  const message = withMessage(closed, { kind: 'note', text: words.left.saidSome(location) }, now);
  const left = { sku, location, movement_id, some_left: true } as const;
  return withEffects(message.state, { do: 'call', call: { call: 'left', left } });
}
