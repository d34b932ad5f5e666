import { browserStorage } from '../../ui/storage.ts';

const KEY = 'pick.letters';
const OFF = 'off';

/** Whether the letters S, U and N, then Enter, act in this browser. Otherwise they are codes like any other text. */
export function areLettersOn(): boolean {
  return browserStorage().get(KEY) !== OFF;
}

export function setLettersOn(isOn: boolean): void {
  browserStorage().set(KEY, isOn ? null : OFF);
}
