import { useEffect, useRef, type RefObject } from 'react';

/** For what takes the place of the button that opened it: where that button had the focus, it goes on here. */
export function useLostFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, []);
  return ref;
}
