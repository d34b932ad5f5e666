import type { Api } from './api.ts';
import { ApiError } from './apiError.ts';
import { applyMessages, takeSnapshot, type StationStore } from './store.ts';
import type { OpenStream, StreamMessage } from './stream.ts';

export type LivePorts = {
  openStream: OpenStream;
  loadStation: Api['loadStation'];
  now(): number;
  /** Calls `run` after `delayMs`; answers what cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
  /** Uniform in [0, 1): windows that lost the station together do not come back together. */
  fraction(): number;
  onSignedOut(): void;
};

/** The station comments every 15 s: this long without a word, it is gone. */
const SILENCE_MS = 40_000;
const OPEN_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** What arrives within one frame is drawn together. */
const FRAME_MS = 16;

/**
 * Keeps the store equal to the station: stream first, then the snapshot, then what is newer (architecture, rule 11).
 * Loses and finds the connection by itself, and says so in `connection`.
 */
export class Live {
  readonly #ports: LivePorts;
  readonly #store: StationStore;
  #running = false;
  #failures = 0;
  #closeStream: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #cancelFrame: (() => void) | undefined;
  /** What waits for a snapshot (held) or for the frame. */
  #waiting: StreamMessage[] = [];
  #held = false;
  /** Only the newest stream and the newest snapshot count. */
  #stream = 0;
  #load = 0;

  constructor(ports: LivePorts, store: StationStore) {
    this.#ports = ports;
    this.#store = store;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#failures = 0;
    this.#connect();
  }

  /** Idempotent. What is in the store stays. */
  stop(): void {
    this.#running = false;
    this.#closeAll();
  }

  /** The machine woke up or found its network: do not wait for the next try. */
  retryNow(): void {
    if (!this.#running || this.#store.getState().connection.kind !== 'lost') return;
    this.#failures = 0;
    this.#connect();
  }

  #connect(): void {
    this.#closeAll();
    const stream = ++this.#stream;
    const revision = this.#store.getState().station?.revision;
    this.#held = revision === undefined;
    this.#watch(OPEN_MS);
    const ifCurrent = (run: () => void) => {
      if (stream === this.#stream && this.#running) run();
    };
    this.#closeStream = this.#ports.openStream(revision, {
      opened: () => ifCurrent(() => this.#opened()),
      heard: (message) => ifCurrent(() => this.#heard(message)),
      failed: (reason) => ifCurrent(() => (reason === 'signedOut' ? this.#signedOut() : this.#lost())),
    });
  }

  #opened(): void {
    this.#watch(SILENCE_MS);
    if (this.#held) return this.#takeSnapshot();
    this.#isLive();
  }

  #heard(message: StreamMessage): void {
    this.#watch(SILENCE_MS);
    if (message.kind === 'alive') return;
    if (message.kind !== 'reset') {
      this.#waiting.push(message);
      if (!this.#held) this.#cancelFrame ??= this.#ports.setTimer(FRAME_MS, () => this.#applyWaiting());
    }
    // What the settings changed in the snapshot is not part of the fact.
    if (
      message.kind === 'reset' ||
      (message.kind === 'facts' && message.facts.some((fact) => fact.type === 'settings.changed'))
    ) {
      this.#held = true;
      this.#takeSnapshot();
    }
  }

  #takeSnapshot(): void {
    const load = ++this.#load;
    const isCurrent = () => load === this.#load && this.#running;
    this.#ports.loadStation().then(
      (snapshot) => {
        if (!isCurrent()) return;
        takeSnapshot(this.#store, snapshot);
        this.#held = false;
        this.#applyWaiting();
        this.#isLive();
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        if (error instanceof ApiError && error.code === 'unauthenticated') this.#signedOut();
        else this.#lost();
      },
    );
  }

  #applyWaiting(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    if (this.#held) return;
    const messages = this.#waiting;
    this.#waiting = [];
    applyMessages(this.#store, messages);
  }

  #isLive(): void {
    this.#failures = 0;
    if (this.#store.getState().connection.kind !== 'live') this.#store.setState({ connection: { kind: 'live' } });
  }

  #lost(): void {
    this.#closeAll();
    const { connection } = this.#store.getState();
    if (connection.kind !== 'lost') this.#store.setState({ connection: { kind: 'lost', sinceAt: this.#ports.now() } });
    const delayMs =
      Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures) * (0.75 + this.#ports.fraction() / 2);
    this.#failures += 1;
    this.#cancelRetry = this.#ports.setTimer(delayMs, () => this.#connect());
  }

  #signedOut(): void {
    this.stop();
    this.#ports.onSignedOut();
  }

  #watch(limitMs: number): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#ports.setTimer(limitMs, () => this.#lost());
  }

  #closeAll(): void {
    this.#applyWaiting();
    this.#waiting = [];
    this.#stream += 1;
    this.#load += 1;
    this.#closeStream();
    this.#closeStream = () => undefined;
    this.#cancelWatch();
    this.#cancelRetry();
  }
}
