import { renderSamples } from '#shared/sound/samples.ts';
import { parseSound } from '#shared/sound/sound.ts';

/** A sound that is playing. `durationMs` is the sound's total length. */
export type Playing = { stop(): void; durationMs: number };

export type PlayOptions = {
  /** Volume from 0 to 1. */
  volume: number;
  /** Called once, when the sound has ended or was stopped. */
  ended?: () => void;
};

/** State of the speaker. `blocked` means that the browser allows sounds only after a click. */
export type SpeakerState = 'silent' | 'ready' | 'blocked' | 'missing';

export type Speaker = {
  /** Plays a sound. Returns undefined if the sound is invalid or silent, or cannot be played. */
  play(encoding: string, options: PlayOptions): Playing | undefined;
  /** Prepares the speaker for playing. Browsers allow this only during a click or a key press. */
  unlock(): void;
  state(): SpeakerState;
  subscribe(listener: () => void): () => void;
};

/** Gain at full volume, low enough that three simultaneous sounds do not clip. */
const LOUDEST = 0.66;
/** Fade-out in seconds of a sound that is stopped early. Without it, there would be a click. */
const FADE_S = 0.02;
const MAX_REMEMBERED = 8;
/** Maximum length of a cached sound in seconds. A longer one would use megabytes of memory. */
const LONGEST_REMEMBERED_S = 10;

/**
 * Plays sounds with Web Audio, from the same samples that the station serves as WAV. `makeAudio` returns undefined if
 * Web Audio is not supported.
 */
export function createSpeaker(makeAudio: () => AudioContext | undefined): Speaker {
  const listeners = new Set<() => void>();
  const rendered = new Map<string, AudioBuffer | undefined>();
  let audio: AudioContext | undefined;
  let isMade = false;

  function notify(): void {
    for (const listener of listeners) listener();
  }

  /** Creates the audio context on first use, because browsers warn about an audio context that is created without a click. */
  function make(): AudioContext | undefined {
    if (isMade) return audio;
    isMade = true;
    audio = makeAudio();
    audio?.addEventListener('statechange', notify);
    notify();
    return audio;
  }

  function unlock(): void {
    const made = make();
    // If the browser refuses, the context stays suspended, which `state` reports.
    if (made !== undefined && made.state !== 'running') made.resume().then(notify, () => undefined);
  }

  function bufferOf(context: AudioContext, encoding: string): AudioBuffer | undefined {
    const known = rendered.get(encoding);
    if (known !== undefined || rendered.has(encoding)) return known;
    const buffer = render(context, encoding);
    if (buffer !== undefined && buffer.duration > LONGEST_REMEMBERED_S) return buffer;
    const [oldest] = rendered.keys();
    if (rendered.size >= MAX_REMEMBERED && oldest !== undefined) rendered.delete(oldest);
    rendered.set(encoding, buffer);
    return buffer;
  }

  return {
    play(encoding, { volume, ended }) {
      const context = make();
      const buffer = context && bufferOf(context, encoding);
      if (context === undefined || buffer === undefined) return undefined;
      const loudness = context.createGain();
      loudness.gain.value = volume * LOUDEST;
      loudness.connect(context.destination);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(loudness);
      source.addEventListener('ended', () => {
        loudness.disconnect();
        ended?.();
      });
      source.start();
      return {
        durationMs: buffer.duration * 1_000,
        stop() {
          loudness.gain.setTargetAtTime(0, context.currentTime, FADE_S / 4);
          source.stop(context.currentTime + FADE_S);
        },
      };
    },
    unlock,
    state() {
      if (!isMade) return 'silent';
      if (audio === undefined) return 'missing';
      return audio.state === 'running' ? 'ready' : 'blocked';
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function render(context: AudioContext, encoding: string): AudioBuffer | undefined {
  const sound = parseSound(encoding);
  if (!sound.ok || sound.notes.length === 0) return undefined;
  const samples = renderSamples(sound.notes, { sampleRate: context.sampleRate });
  const buffer = context.createBuffer(1, samples.length, context.sampleRate);
  buffer.copyToChannel(
    Float32Array.from(samples, (sample) => sample / 32_768),
    0,
  );
  return buffer;
}
