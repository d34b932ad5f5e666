import { type RefObject, useEffect, useRef } from 'react';
import { useSingleKeys } from '../../kit/field/useSingleKeys.ts';

export type StationKeys = {
  /** Returns the action of `+`, `-` and `0`, or undefined for other keys. */
  level(key: string): (() => void) | undefined;
  find(): void;
  chooseAll(): void;
  undo(): void;
  escape(): void;
};

/** Elements in which people type, or that cover the page. */
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], aside';

/** Handles the page's keyboard shortcuts, except in fields and dialogs. */
export function useStationKeys(keys: StationKeys): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useSingleKeys((key) => (key === '/' ? keys.find : keys.level(key)), isElsewhere);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.altKey) return;
      if (event.target instanceof Element && isElsewhere(event.target)) return;
      const { chooseAll, undo, escape } = newest.current;
      const withCtrl = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (key === 'escape' && !withCtrl) return escape();
      if (withCtrl && key === 'a') chooseAll();
      else if (withCtrl && key === 'z' && !event.shiftKey) undo();
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isElsewhere(target: Element): boolean {
  return target.closest(ELSEWHERE) !== null;
}

/**
 * Returns a ref for an element that replaces the button that opened it. Focuses the element if the focus was lost with
 * the button.
 */
export function useLostFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, []);
  return ref;
}
