import type { SoundChoice, SoundSetting } from '../../../renderer/src/sound/choice.ts';
import { createSpeaker } from '../../../renderer/src/sound/speaker.ts';
import type { TurnChannel } from '../../../renderer/src/sound/soundTurn.ts';

/** A sound that was started on a fake speaker. */
export type Begun = {
  samples: Float32Array;
  sampleRate: number;
  /** Volume at the start of the sound, from 0 to 1. */
  loudness: number;
  stopped: boolean;
  /** Ends the sound as if it had been played completely. */
  finish(): void;
};

/**
 * Fakes the part of Web Audio that the page uses. It records sounds instead of playing them, and is suspended until
 * sound is allowed.
 */
export class FakeAudioContext extends EventTarget {
  static made: FakeAudioContext[] = [];
  /** Whether the browser currently allows the page to play sounds. */
  static allowed = true;

  readonly begun: Begun[] = [];
  readonly destination = {};
  readonly sampleRate = 8_000;
  readonly currentTime = 0;
  state: 'suspended' | 'running' = FakeAudioContext.allowed ? 'running' : 'suspended';

  constructor() {
    super();
    FakeAudioContext.made.push(this);
  }

  resume(): Promise<void> {
    // Browsers leave the promise pending until sounds are allowed.
    if (!FakeAudioContext.allowed) return new Promise(() => undefined);
    this.state = 'running';
    this.dispatchEvent(new Event('statechange'));
    return Promise.resolve();
  }

  createBuffer(_channels: 1, length: number, sampleRate: number) {
    const samples = new Float32Array(length);
    return {
      duration: length / sampleRate,
      sampleRate,
      samples,
      copyToChannel: (from: Float32Array) => samples.set(from),
    };
  }

  createGain() {
    return {
      gain: { value: 1, setTargetAtTime: () => undefined },
      connect: () => undefined,
      disconnect: () => undefined,
    };
  }

  createBufferSource() {
    return new FakeSource((begun) => this.begun.push(begun));
  }
}

class FakeSource extends EventTarget {
  buffer: { samples: Float32Array; sampleRate: number } | null = null;
  readonly #began: (begun: Begun) => void;
  #gain: { gain: { value: number } } | undefined;
  #begun: Begun | undefined;

  constructor(began: (begun: Begun) => void) {
    super();
    this.#began = began;
  }

  connect(node: { gain: { value: number } }): void {
    this.#gain = node;
  }

  start(): void {
    if (this.buffer === null || this.#gain === undefined) throw new Error('Nothing is connected.');
    const { samples, sampleRate } = this.buffer;
    this.#begun = {
      samples,
      sampleRate,
      loudness: this.#gain.gain.value,
      stopped: false,
      finish: () => this.dispatchEvent(new Event('ended')),
    };
    this.#began(this.#begun);
  }

  stop(): void {
    if (this.#begun !== undefined) this.#begun.stopped = true;
    queueMicrotask(() => this.dispatchEvent(new Event('ended')));
  }
}

/** Creates a speaker that records sounds. Returns all sounds so far, from every audio context, as `begun`. */
export function fakeSpeaker(allowed = true) {
  FakeAudioContext.made = [];
  FakeAudioContext.allowed = allowed;
  const speaker = createSpeaker(() => Object.assign(new FakeAudioContext()) as AudioContext);
  return { speaker, begun: () => FakeAudioContext.made.flatMap(({ begun }) => begun) };
}

/** Creates a sound setting that is kept in memory only. */
export function fakeChoice(setting: SoundSetting = { on: true, volume: 50 }): SoundChoice {
  const listeners = new Set<() => void>();
  let now = setting;
  return {
    get: () => now,
    set(change) {
      now = { ...now, ...change };
      for (const handle of listeners) handle();
    },
    lookAgain: () => undefined,
    subscribe(handle) {
      listeners.add(handle);
      return () => listeners.delete(handle);
    },
  };
}

type Message = Parameters<TurnChannel['post']>[0];

/** Fakes the tabs of one browser. Messages reach the other tabs in order, one at a time. */
export function fakeBrowser() {
  const tabs: { handle: (message: Message) => void; open: boolean }[] = [];
  const waiting: (() => void)[] = [];
  return {
    channel(): TurnChannel & { close(): void } {
      const tab = { handle: (_message: Message) => undefined as void, open: true };
      tabs.push(tab);
      return {
        post(message) {
          for (const other of tabs) if (other !== tab) waiting.push(() => other.open && other.handle(message));
        },
        onMessage(listener) {
          tab.handle = listener;
        },
        close() {
          tab.open = false;
        },
      };
    },
    /** Delivers all pending messages. */
    settle(): void {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
    },
  };
}
