import { useEffect, useMemo } from 'react';
import { soundChoice, type SoundChoice } from './choice.ts';
import { windowSpeaker } from './playSound.ts';
import type { Playing, Speaker } from './speaker.ts';

/** Sounds that respond to a scan. For a correct scan, the sound rises by a fifth; for a wrong one, it is low. */
const SOUNDS = {
  right: '90,c6,1,g6,1',
  wrong: '180,d5,1,c5,2',
  done: '110,c6,1,e6,1,g6,2',
  attention: '160,a5,1,p,1,a5,1',
  tick: '40,g4,1',
} as const;

/** Interval between repetitions of the attention sound in milliseconds. */
const AGAIN_MS = 2_500;
/** Events that stop the attention sound. A scanner that acts as a keyboard causes `keydown`. */
const TOUCHES = ['pointerdown', 'keydown'] as const;

export type AnswerSounds = {
  /** Plays a short rising fifth. */
  right(): void;
  /** Plays two low notes. */
  wrong(): void;
  /** Plays three notes. */
  done(): void;
  /** Repeats a sound until the next answer, or until somebody touches the page, presses a key or scans. */
  attention(): void;
  /** Plays a tick, which means that input was discarded. */
  tick(): void;
  stop(): void;
};

type Parts = { window: Window; speaker: Speaker; choice: SoundChoice };

/**
 * Creates the sounds that respond to scans. They play only if sounds are switched on in this browser and the browser
 * allows them.
 */
export function createAnswerSounds({ window, speaker, choice }: Parts): AnswerSounds {
  let playing: Playing | undefined;
  let timer: number | undefined;

  function play(encoding: string): void {
    playing?.stop();
    playing = undefined;
    const { on, volume } = choice.get();
    if (on && speaker.state() === 'ready') playing = speaker.play(encoding, { volume: volume / 100 });
  }

  function quiet(): void {
    window.clearInterval(timer);
    timer = undefined;
    for (const touch of TOUCHES) window.removeEventListener(touch, stop, { capture: true });
  }

  function stop(): void {
    quiet();
    playing?.stop();
    playing = undefined;
  }

  const once = (encoding: string) => (): void => {
    quiet();
    play(encoding);
  };

  return {
    right: once(SOUNDS.right),
    wrong: once(SOUNDS.wrong),
    done: once(SOUNDS.done),
    tick: once(SOUNDS.tick),
    attention() {
      quiet();
      play(SOUNDS.attention);
      timer = window.setInterval(() => play(SOUNDS.attention), AGAIN_MS);
      for (const touch of TOUCHES) window.addEventListener(touch, stop, { capture: true });
    },
    stop,
  };
}

/** Returns the sounds that respond to scans. They stop when the page is left. */
export function useAnswerSounds(): AnswerSounds {
  const sounds = useMemo(() => createAnswerSounds({ window, speaker: windowSpeaker, choice: soundChoice }), []);
  useEffect(() => sounds.stop, [sounds]);
  return sounds;
}
