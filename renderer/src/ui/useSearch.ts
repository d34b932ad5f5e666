import { type RefObject, useDeferredValue, useRef, useState } from 'react';
import { useSingleKeys } from './useSingleKeys.ts';

export type SearchState = {
  value: string;
  onChange(text: string): void;
  /** The same, when there was time to draw what it finds: what is typed comes first. */
  typed: string;
  isEmpty: boolean;
  input: RefObject<HTMLInputElement | null>;
};

/** What is looked for on a page; the key `/` goes there. */
export function useSearch(): SearchState {
  const [value, onChange] = useState('');
  const typed = useDeferredValue(value);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  return { value, onChange, typed, isEmpty: typed.trim() === '', input };
}

/** Where keys are typed, or belong to a dialog. */
const NOT_HERE = 'input:not([type="checkbox"]), textarea, [role="dialog"], [role="alertdialog"]';

/** The key `/` goes to the search, wherever the focus is, except in a field or a dialog. */
export function useFindKey(input: RefObject<HTMLInputElement | null>): void {
  useSingleKeys((key) => (key === '/' ? () => input.current?.focus() : undefined), isTypedIn);
}

export function isTypedIn(target: Element): boolean {
  return target.closest(NOT_HERE) !== null;
}
