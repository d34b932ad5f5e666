import { useEffect, useRef } from 'react';

export type StationKeys = {
  /** `+`, `-` and `0`; false where the key is none of them. */
  level(key: string): boolean;
  find(): void;
  chooseAll(): void;
  undo(): void;
  escape(): void;
};

/** The keys of the page, wherever the focus is, except in a field or a dialog. */
export function useStationKeys(keys: StationKeys): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });

  useEffect(() => {
    function hear(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.altKey || isElsewhere(event.target)) return;
      const { level, find, chooseAll, undo, escape } = newest.current;
      const withCtrl = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (withCtrl && key === 'a') chooseAll();
      else if (withCtrl && key === 'z' && !event.shiftKey) undo();
      else if (withCtrl) return;
      else if (key === '/') find();
      else if (key === 'escape') return escape();
      else if (!level(event.key)) return;
      event.preventDefault();
    }
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

/** Where keys are typed, or belong to what lies over the page. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], aside') !== null
  );
}
