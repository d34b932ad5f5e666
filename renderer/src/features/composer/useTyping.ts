import { useRef, useState } from 'react';

/** The field of words that somebody is typing into, empty where there is none: half a word is no mistake yet. */
export function useTyping() {
  const [typing, setTyping] = useState('');
  const isPressing = useRef(false);
  return {
    typing,
    setTyping,
    /** The field is left: what is wrong with it is said, but not while a button is pressed that would move away below it. */
    leave(): void {
      if (!isPressing.current) return setTyping('');
      onRelease(() => setTimeout(() => setTyping('')));
    },
    /** For where the buttons are. */
    press(): void {
      isPressing.current = true;
      onRelease(() => {
        isPressing.current = false;
      });
    },
  };
}

function onRelease(run: () => void): void {
  const done = new AbortController();
  const end = () => {
    done.abort();
    run();
  };
  for (const event of ['pointerup', 'pointercancel']) window.addEventListener(event, end, { signal: done.signal });
}
