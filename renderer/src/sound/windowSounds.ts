import { useSyncExternalStore } from 'react';
import type { StationStore } from '../station/live/store.ts';
import { soundChoice, type SoundChoice } from './choice.ts';
import { windowSpeaker } from './playSound.ts';
import { createSoundTurn, tabChannel, type TurnChannel } from './soundTurn.ts';
import type { Speaker } from './speaker.ts';
import { startStationSounds } from './stationSounds.ts';

/** The parts of a window that the sounds need. */
type SoundWindow = EventTarget & {
  setTimeout(run: () => void, delayMs: number): number;
  clearTimeout(timer: number): void;
};

type Parts = {
  window: SoundWindow;
  store: StationStore;
  speaker: Speaker;
  choice: SoundChoice;
  channel: TurnChannel | undefined;
};

/**
 * Plays the station's sounds in this window while they are switched on. Browsers allow sound only after a click or a
 * key press, so the first one anywhere in the window unlocks the speaker. Returns a function that stops the sounds.
 */
export function startWindowSounds({ window, store, speaker, choice, channel }: Parts): () => void {
  const canPlay = () => choice.get().on && speaker.state() === 'ready';
  const turn = createSoundTurn({
    channel,
    id: crypto.getRandomValues(new Uint32Array(2)).join('-'),
    now: () => Date.now(),
    setTimer(delayMs, run) {
      const timer = window.setTimeout(run, delayMs);
      return () => window.clearTimeout(timer);
    },
    fraction: () => Math.random(),
    canPlay,
  });
  const sounds = startStationSounds({
    store,
    speaker,
    isOn: () => choice.get().on && turn.isMine(),
    volume: () => choice.get().volume / 100,
    now: () => Date.now(),
  });
  let could = false;

  function unlock(): void {
    if (choice.get().on && speaker.state() !== 'ready') speaker.unlock();
  }

  function look(): void {
    const can = canPlay();
    if (can && !could) turn.take();
    if (!choice.get().on) sounds.silence();
    could = can;
  }

  function focus(): void {
    if (canPlay()) turn.take();
  }

  const ends = [
    choice.subscribe(() => {
      unlock();
      look();
    }),
    speaker.subscribe(look),
    listen(window, 'click', unlock),
    listen(window, 'keydown', unlock),
    listen(window, 'focus', focus),
    listen(window, 'pageshow', focus),
    listen(window, 'pagehide', turn.leave),
    listen(window, 'storage', choice.lookAgain),
    sounds.stop,
    turn.leave,
  ];
  unlock();
  look();
  return () => {
    for (const end of ends) end();
  };
}

function listen(window: EventTarget, event: string, run: () => void): () => void {
  // Capture the event before another handler can stop its propagation.
  window.addEventListener(event, run, { capture: true });
  return () => window.removeEventListener(event, run, { capture: true });
}

/** Starts the station's sounds in this window. Returns a function that stops them. */
export function startSounds(store: StationStore): () => void {
  return startWindowSounds({ window, store, speaker: windowSpeaker, choice: soundChoice, channel: tabChannel() });
}

/**
 * State of the sounds in this window. `waits` means that the browser allows sound only after a click, `missing` that
 * it cannot play sounds.
 */
export type SoundStatus = 'off' | 'on' | 'waits' | 'missing';

export function useSoundStatus(speaker: Speaker = windowSpeaker, choice: SoundChoice = soundChoice): SoundStatus {
  const state = useSyncExternalStore(speaker.subscribe, speaker.state);
  const { on } = useSyncExternalStore(choice.subscribe, choice.get);
  if (state === 'missing') return 'missing';
  if (!on) return 'off';
  return state === 'ready' ? 'on' : 'waits';
}
