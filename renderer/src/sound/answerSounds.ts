import { useEffect, useMemo } from 'react';
import { soundChoice, type SoundChoice } from './choice.ts';
import { windowSpeaker } from './playSound.ts';
import type { Playing, Speaker } from './speaker.ts';

/** Encodings of what a person hears after a scan. Right rises by a fifth; wrong is low. */
const SOUNDS = {
  right: '90,c6,1,g6,1',
  wrong: '180,d5,1,c5,2',
  done: '110,c6,1,e6,1,g6,2',
  attention: '160,a5,1,p,1,a5,1',
  tick: '40,g4,1',
} as const;

/** From one beginning to the next. */
const AGAIN_MS = 2_500;
/** How a person, or a scanner that types, answers a call for attention. */
const TOUCHES = ['pointerdown', 'keydown'] as const;

export type AnswerSounds = {
  /** A short rising fifth. */
  right(): void;
  /** Two low notes. */
  wrong(): void;
  /** Three notes. */
  done(): void;
  /** Repeated until somebody touches the page, presses a key or scans, or the next answer. */
  attention(): void;
  /** Something was dropped. */
  tick(): void;
  stop(): void;
};

type Parts = { window: Window; speaker: Speaker; choice: SoundChoice };

/** Heard only if a person switched sounds on in this browser, and the browser lets the page sound. */
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

/** The sounds of a page; silent when it is left. */
export function useAnswerSounds(): AnswerSounds {
  const sounds = useMemo(() => createAnswerSounds({ window, speaker: windowSpeaker, choice: soundChoice }), []);
  useEffect(() => sounds.stop, [sounds]);
  return sounds;
}
