import type { RefObject } from 'react';
import { useSingleKeys } from './useSingleKeys.ts';

/** Where `/` is a character, or belongs to something else. */
const NOT_HERE = 'input:not([type="checkbox"]), textarea, [role="dialog"], [role="alertdialog"]';

/** The key `/` goes to the search, wherever the focus is, except in a field or a dialog. */
export function useFindKey(input: RefObject<HTMLInputElement | null>): void {
  useSingleKeys(
    (key) => (key === '/' ? () => input.current?.focus() : undefined),
    (target) => target.closest(NOT_HERE) !== null,
  );
}
