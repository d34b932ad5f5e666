import { useEffect, useRef, useState } from 'react';
import { soundChoice } from './choice.ts';
import { createSpeaker, type Playing } from './speaker.ts';

/** The speaker of this window. All parts of the window share it, because browsers limit the number of audio contexts. */
export const windowSpeaker = createSpeaker(() => ('AudioContext' in window ? new window.AudioContext() : undefined));

/**
 * Plays a sound at a user's request, even if device sounds are off. `encoding` may also be the name of a tune.
 * Returns undefined if the sound is invalid or silent, or if this browser cannot play sounds.
 */
export function playSound(encoding: string, ended?: () => void): Playing | undefined {
  windowSpeaker.unlock();
  const volume = soundChoice.get().volume / 100;
  return windowSpeaker.play(encoding, ended === undefined ? { volume } : { volume, ended });
}

/** Previews one sound at a time. The sound stops when the component unmounts. */
export function useSoundPreview(): { isPlaying: boolean; play(encoding: string): void; stop(): void } {
  const [isPlaying, setPlaying] = useState(false);
  const current = useRef<Playing>(undefined);

  function stop(): void {
    const playing = current.current;
    current.current = undefined;
    playing?.stop();
    setPlaying(false);
  }

  useEffect(() => () => current.current?.stop(), []);

  return {
    isPlaying,
    play(encoding) {
      stop();
      const playing = playSound(encoding, () => {
        // Ignore the end of a stopped sound, which may arrive after the next sound has started.
        if (current.current !== playing) return;
        current.current = undefined;
        setPlaying(false);
      });
      current.current = playing;
      setPlaying(playing !== undefined);
    },
    stop,
  };
}
