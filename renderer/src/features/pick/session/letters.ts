import { browserStorage } from '../../../storage.ts';

const KEY = 'pick.letters';
const OFF = 'off';

/** Whether S, U and N, followed by Enter, are commands in this browser. Otherwise, they are treated as codes. */
export function areLettersOn(): boolean {
  return browserStorage().get(KEY) !== OFF;
}

export function setLettersOn(isOn: boolean): void {
  browserStorage().set(KEY, isOn ? null : OFF);
}
