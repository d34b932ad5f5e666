import { browserStorage } from '../../../storage.ts';

const KEY = 'pick.letters';
const OFF = 'off';

/** Whether S, U or N, then Enter, is a command in this browser. Otherwise it is a code like any other text. */
export function areLettersOn(): boolean {
  return browserStorage().get(KEY) !== OFF;
}

export function setLettersOn(isOn: boolean): void {
  browserStorage().set(KEY, isOn ? null : OFF);
}
