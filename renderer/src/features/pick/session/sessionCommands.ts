import * as texts from '../../../words/texts.ts';
import { deleteDigit, handleDigit, withoutDigits } from './sessionCount.ts';
import { claimNewest } from './sessionPresses.ts';
import { sayWrongScan, withEffects } from './sessionSteps.ts';
import { handleTouch, undoOffer } from './sessionTouches.ts';
import { PAD_KEYS, type PickQuestion, type PickSession, type PickStep, type Touch } from './sessionTypes.ts';
import { partOf, questionOf } from './sessionView.ts';

const PRINTED = /^PICK:([A-Z]+\d?|\d)$/i;

/** Returns the word of a printed command in lower case, or undefined for other codes. */
export function commandIn(code: string): string | undefined {
  return PRINTED.exec(code.trim())?.[1]?.toLowerCase();
}

/** Handles a printed command, which presses a button or enters a digit of a count. */
export function handleCommand(state: PickSession, command: string, now: number): PickStep {
  const question = questionOf(state);
  const { orderNumber } = state;
  const heard = { ...state, scanned: undefined };
  if (command === 'pause' && question === undefined && partOf(state).kind === 'line') {
    return withEffects(heard, { do: 'call', call: { call: 'pause', orderNumber } });
  }
  if (command === 'mine') return claimNewest(heard, now);
  const counted = countedBy(heard, command, now);
  if (counted !== undefined) return counted;
  if (command === 'undo' && undoOffer(state) === undefined)
    return sayWrongScan(state, texts.pick.message.nothingToUndo);
  const touch = question === undefined ? touchOnPage(state, command) : touchAt(question, command, state);
  if (touch === undefined) return sayWrongScan(state, texts.pick.message.noCommand(command));
  return handleTouch(withoutDigits(heard), touch, now);
}

/** Handles printed digits of a count, and BACK, which deletes the last one. Returns undefined for other commands. */
function countedBy(state: PickSession, command: string, now: number): PickStep | undefined {
  const question = questionOf(state);
  const isCounting = question === undefined ? partOf(state).kind === 'line' : isFinding(question);
  if (!isCounting) return undefined;
  if (/^\d$/.test(command)) return handleDigit(state, command, now);
  return command === 'back' ? deleteDigit(state, now) : undefined;
}

/** Whether the Short dialog asks for the number of pieces found. */
const isFinding = (question: PickQuestion): boolean => question.kind === 'short' && question.reason === undefined;

const ON_LINE = new Map(
  Object.entries<Touch>({
    ok: { touch: 'picked' },
    short: { touch: 'short' },
    skip: { touch: 'skip' },
    undo: { touch: 'undo' },
  }),
);

function touchOnPage(state: PickSession, command: string): Touch | undefined {
  const { kind } = partOf(state);
  if (kind === 'line') return ON_LINE.get(command);
  if (command === 'undo') return { touch: 'undo' };
  if (kind === 'verify') return undefined;
  if (command === 'next') return { touch: 'choose' };
  if (command !== 'ok') return undefined;
  return kind === 'take' || kind === 'paused' ? { touch: 'take' } : { touch: 'choose' };
}

const YES: Readonly<Partial<Record<PickQuestion['kind'], Touch>>> = {
  pad: { touch: 'enterPad' },
  over: { touch: 'bookCount' },
  number: { touch: 'bookCount' },
  join: { touch: 'join' },
  empty: { touch: 'isEmpty' },
  left: { touch: 'enterPad' },
};

const IN_MORE = new Map(Object.entries<Touch>({ skip: { touch: 'skip' }, pause: { touch: 'pause' } }));

function touchAt(question: PickQuestion, command: string, { shortReasons }: PickSession): Touch | undefined {
  if (command === 'ok') return YES[question.kind];
  if (command === 'undo') return { touch: 'undo' };
  if (command === 'back') return backFrom(question);
  if (question.kind === 'more') return IN_MORE.get(command);
  if (question.kind === 'pad' || question.kind === 'left') {
    const key = PAD_KEYS.find((each) => each === command);
    return key === undefined ? undefined : { touch: 'padKey', key };
  }
  const [, which] = /^reason(\d)$/.exec(command) ?? [];
  const reason = which === undefined ? undefined : shortReasons[Number(which) - 1];
  if (reason === undefined) return undefined;
  return question.kind === 'reason' || isFinding(question) ? { touch: 'reason', reason } : undefined;
}

function backFrom(question: PickQuestion): Touch {
  if ((question.kind === 'pad' || question.kind === 'left') && question.text !== '')
    return { touch: 'padKey', key: 'delete' };
  if (question.kind === 'over' || question.kind === 'differs') return { touch: 'takeAsked' };
  return { touch: question.kind === 'short' && question.reason !== undefined ? 'back' : 'close' };
}
