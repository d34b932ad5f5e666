import { useEffect, type RefObject } from 'react';

/** Where `/` is a character, or belongs to something else. */
const NOT_HERE = 'input:not([type="checkbox"]), textarea, [role="dialog"], [role="alertdialog"]';

/** The key `/` goes to the search, wherever the focus is, except in a field or a dialog. */
export function useFindKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function hear(event: KeyboardEvent): void {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target instanceof Element && target.closest(NOT_HERE) !== null) return;
      event.preventDefault();
      input.current?.focus();
    }
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [input]);
}
