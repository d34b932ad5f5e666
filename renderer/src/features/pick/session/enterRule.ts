import { ENTER_RULES, type EnterRule } from '#shared/lib/picking/enterRules.ts';
import { browserStorage } from '../../../storage.ts';

const KEY = 'pick.enter';
const keyOf = (person: string): string => `${KEY}.${person}`;

/** What is chosen in this browser: for everybody, such as at a kiosk, or for one person. */
export type EnterChoice = 'here' | { person: string };

export function enterChoice(of: EnterChoice): EnterRule | undefined {
  const stored = browserStorage().get(of === 'here' ? KEY : keyOf(of.person));
  return ENTER_RULES.find((rule) => rule === stored);
}

/** Chooses what Enter confirms. Undefined returns to the setting of the shop. */
export function chooseEnter(of: EnterChoice, rule: EnterRule | undefined): void {
  browserStorage().set(of === 'here' ? KEY : keyOf(of.person), rule ?? null);
}

/** Returns what Enter confirms for this person in this browser, or undefined if the setting of the shop applies. */
export function enterRuleHere(person: string): EnterRule | undefined {
  return enterChoice({ person }) ?? enterChoice('here');
}
