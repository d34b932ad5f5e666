import { useDeferredValue, useRef, useState, type RefObject } from 'react';
import { useFindKey } from './useFindKey.ts';

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
