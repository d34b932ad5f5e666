import { useEffect, useState } from 'react';

/** Pause in typing, in milliseconds, before a request is sent. */
const TYPING_MS = 120;

/** Returns the text once it has not changed for TYPING_MS. An empty text is returned immediately. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : settled;
}
