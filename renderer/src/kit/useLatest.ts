import { type RefObject, useEffect, useRef } from 'react';

/** What it was when this was drawn last, for what is called later. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
