import { texts } from '../../ui/texts.ts';
import { sayWrongScan, withEffects } from './sessionSteps.ts';
import { hearTouch } from './sessionTouches.ts';
import type { PickQuestion, PickSession, PickStep, Touch } from './sessionTypes.ts';
import { partOf, questionOf } from './sessionView.ts';

const PRINTED = /^PICK:([A-Z]+\d?|\d)$/i;

/** The word of a printed command, in lower case; undefined: the code is none. */
export function commandIn(code: string): string | undefined {
  return PRINTED.exec(code.trim())?.[1]?.toLowerCase();
}

/** A printed command presses the button that it names. No other code does. */
export function hearCommand(state: PickSession, command: string, now: number): PickStep {
  const question = questionOf(state);
  const { orderNumber } = state;
  if (command === 'pause' && question === undefined && partOf(state).kind === 'line') {
    return withEffects({ ...state, scanned: undefined }, { do: 'call', call: { call: 'pause', orderNumber } });
  }
  const touch = question === undefined ? touchOnPage(state, command) : touchAt(question, command);
  if (touch === undefined) return sayWrongScan(state, texts.pick.said.noCommand(command));
  return hearTouch({ ...state, scanned: undefined }, touch, now);
}

function touchOnPage(state: PickSession, command: string): Touch | undefined {
  const { kind } = partOf(state);
  if (kind === 'line') {
    switch (command) {
      case 'ok':
        return { touch: 'picked' };
      case 'short':
      case 'skip':
      case 'undo':
        return { touch: command };
      default:
        return undefined;
    }
  }
  if (command === 'undo') return { touch: 'undo' };
  if (command === 'next') return { touch: 'choose' };
  if (command !== 'ok') return undefined;
  return kind === 'take' || kind === 'paused' ? { touch: 'take' } : { touch: 'choose' };
}

function touchAt(question: PickQuestion, command: string): Touch | undefined {
  if (command === 'ok') {
    if (question.kind === 'over') return { touch: 'bookCount' };
    return question.kind === 'join' ? { touch: 'join' } : undefined;
  }
  if (command !== 'back') return undefined;
  return { touch: question.kind === 'over' ? 'takeAsked' : 'close' };
}
