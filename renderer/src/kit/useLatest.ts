import { type RefObject, useEffect, useRef } from 'react';

/** Returns a ref to the latest value, for callbacks that run later. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
