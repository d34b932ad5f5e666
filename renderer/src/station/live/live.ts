import type { Api } from '../calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import { Silence, type TimePorts, SILENCE_MS } from './silence.ts';
import { retryDelayMs } from './retry.ts';
import { applyMessages, takeSnapshot, type StationStore } from './store.ts';
import type { OpenStream, StreamMessage } from './stream.ts';

export type LivePorts = TimePorts & {
  openStream: OpenStream;
  loadStation: Api['loadStation'];
  /** Returns the version of the station. */
  loadVersion(): Promise<string>;
  /** The version of this page. */
  version: string;
  /** Returns the milliseconds of a monotonic clock. */
  steady(): number;
  /** Returns a random number in [0, 1). It spreads the reconnections of windows that lost the station at the same time. */
  fraction(): number;
  isVisible(): boolean;
  onSignedOut(): void;
};

const OPEN_MS = 10_000;
/**
 * Largest clock change in milliseconds that has no noticeable effect. A larger change of this machine's clock
 * requires a new snapshot.
 */
const SET_MS = 2_000;
/** Length of a frame in milliseconds. Messages that arrive within a frame are drawn together. */
const FRAME_MS = 16;
/**
 * Maximum number of waiting messages. Above this number, a snapshot is faster and needs less memory. A hidden page
 * collects many messages, because its timers run rarely.
 */
const MAX_WAITING = 5_000;

/**
 * Keeps the store in sync with the station: opens the stream, loads a snapshot, then applies newer messages. Detects
 * a lost connection, reconnects, and reports both in `connection`.
 */
export class Live {
  readonly #ports: LivePorts;
  readonly #store: StationStore;
  readonly #silence: Silence;
  #running = false;
  #failures = 0;
  #closeStream: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #cancelFrame: (() => void) | undefined;
  /** Messages that wait for a snapshot (while `#buffering` is set) or for the next frame. */
  #waiting: StreamMessage[] = [];
  #buffering = false;
  /** Whether the store must be loaded from scratch, because its content may belong to another person or another station. */
  #needsSnapshot = true;
  #appliedAt = 0;
  /** Wall clock minus monotonic clock of this machine at the last snapshot, in milliseconds. */
  #wallAhead = 0;
  /** Whether messages were dropped because too many were waiting. If so, the page loads a snapshot when it is visible again. */
  #overflowed = false;
  /** Numbers of the newest stream and of the newest snapshot. Answers to older ones are ignored. */
  #stream = 0;
  #load = 0;

  constructor(ports: LivePorts, store: StationStore) {
    this.#ports = ports;
    this.#store = store;
    this.#silence = new Silence(ports, (lastHeardAt) => {
      // After the machine slept, retry immediately.
      const slept = ports.now() - lastHeardAt > SILENCE_MS + OPEN_MS;
      this.#lost(lastHeardAt);
      if (slept) this.retryNow();
    });
  }

  /** Connects, and loads a snapshot even if the store is filled. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#needsSnapshot = true;
    this.#failures = 0;
    this.#connect();
  }

  /** Disconnects, if connected. The store keeps its content. */
  stop(): void {
    this.#running = false;
    this.#closeAll();
  }

  /** Retries immediately. Called after the machine woke up or found its network. */
  retryNow(): void {
    if (!this.#running || this.#store.getState().connection.kind !== 'lost') return;
    this.#failures = 0;
    this.#connect();
  }

  /** Checks the connection. Called when the page becomes visible, perhaps after sleep. */
  look(): void {
    if (!this.#running) return;
    // If the connection is already lost, retry immediately instead of at the next timer.
    if (this.#store.getState().connection.kind === 'lost') return this.retryNow();
    this.#silence.look();
    if (this.#overflowed) this.#takeSnapshot();
  }

  /** Loads a snapshot. Called after somebody else has signed in in this browser. */
  reread(): void {
    if (this.#running) this.#takeSnapshot();
  }

  #connect(): void {
    const isReturn = this.#store.getState().connection.kind === 'lost';
    this.#closeAll();
    const stream = ++this.#stream;
    const revision = this.#needsSnapshot ? undefined : this.#store.getState().station?.revision;
    this.#buffering = revision === undefined;
    this.#silence.restart(OPEN_MS);
    const ifCurrent = (run: () => void) => {
      if (stream === this.#stream && this.#running) run();
    };
    this.#closeStream = this.#ports.openStream(revision, {
      opened: () => ifCurrent(() => this.#opened(isReturn)),
      onMessage: (message) => ifCurrent(() => this.#receive(message)),
      failed: (reason) => ifCurrent(() => (reason === 'signedOut' ? this.#signedOut() : this.#lost(undefined))),
    });
  }

  #opened(isReturn: boolean): void {
    this.#silence.restart(SILENCE_MS);
    if (this.#buffering || this.#wasClockSet()) return this.#takeSnapshot();
    this.#isLive();
    if (isReturn) this.#askVersion();
  }

  /** Checks the station's version, because the station may have been updated while the connection was lost. */
  #askVersion(): void {
    this.#ports.loadVersion().then(
      (version) => this.#noteVersion(version),
      // Ignore failures, because the next snapshot contains the version too.
      () => undefined,
    );
  }

  #noteVersion(version: string): void {
    const outdated = version !== this.#ports.version;
    if (this.#store.getState().outdated !== outdated) this.#store.setState({ outdated });
  }

  #receive(message: StreamMessage): void {
    this.#silence.restart(SILENCE_MS);
    if (this.#overflowed) return;
    if (!this.#buffering && this.#wasClockSet()) this.#takeSnapshot();
    if (message.kind === 'alive') return;
    if (message.kind !== 'reset') {
      this.#waiting.push(message);
      if (this.#waiting.length > MAX_WAITING) return this.#overflow();
      if (!this.#buffering) this.#cancelFrame ??= this.#ports.setTimer(this.#frameLeftMs(), () => this.#applyWaiting());
    }
    // Facts about settings and roles do not contain the resulting changes, so load a snapshot. A change to the
    // station's clock also needs a snapshot.
    if (
      message.kind === 'reset' ||
      (message.kind === 'facts' &&
        message.facts.some(
          ({ type }) => type === 'settings.changed' || type === 'access.changed' || type === 'deadlines.shifted',
        ))
    ) {
      this.#takeSnapshot();
    }
  }

  /**
   * Whether this machine's clock was set, so that the difference to the station's clock is unknown. A sleep of the
   * machine has the same effect.
   */
  #wasClockSet(): boolean {
    return Math.abs(this.#wallNow() - this.#wallAhead) > SET_MS;
  }

  #wallNow(): number {
    return this.#ports.now() - this.#ports.steady();
  }

  /**
   * Returns the milliseconds until the next frame. The first message after a pause is drawn immediately; messages
   * that arrive within a frame after that are drawn together.
   */
  #frameLeftMs(): number {
    const sinceMs = this.#ports.now() - this.#appliedAt;
    return sinceMs >= 0 && sinceMs < FRAME_MS ? FRAME_MS - sinceMs : 0;
  }

  #overflow(): void {
    this.#waiting = [];
    this.#buffering = true;
    this.#overflowed = true;
    // A snapshot in progress lacks the dropped messages, so discard it.
    this.#load += 1;
    if (this.#ports.isVisible()) this.#takeSnapshot();
  }

  #takeSnapshot(): void {
    this.#buffering = true;
    this.#overflowed = false;
    this.#wallAhead = this.#wallNow();
    const load = ++this.#load;
    const isCurrent = () => load === this.#load && this.#running;
    this.#ports.loadStation().then(
      (snapshot) => {
        if (!isCurrent()) return;
        this.#needsSnapshot = false;
        takeSnapshot(this.#store, snapshot);
        this.#noteVersion(snapshot.station.version);
        this.#buffering = false;
        this.#applyWaiting();
        this.#isLive();
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        if (error instanceof ApiError && error.code === 'unauthenticated') this.#signedOut();
        else this.#lost(undefined);
      },
    );
  }

  #applyWaiting(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    if (this.#buffering) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#appliedAt = this.#ports.now();
    applyMessages(this.#store, messages);
  }

  #isLive(): void {
    this.#failures = 0;
    if (this.#store.getState().connection.kind !== 'live') this.#store.setState({ connection: { kind: 'live' } });
  }

  /**
   * Marks the connection as lost, and schedules a retry. `sinceAt` is the time at which the station last sent
   * something, if known.
   */
  #lost(sinceAt: number | undefined): void {
    this.#closeAll();
    const { connection, station } = this.#store.getState();
    if (connection.kind !== 'lost') {
      const lastAt = station === null ? undefined : sinceAt;
      this.#store.setState({ connection: { kind: 'lost', sinceAt: lastAt ?? this.#ports.now() } });
    }
    const delayMs = retryDelayMs(this.#failures, this.#ports.fraction());
    this.#failures += 1;
    this.#cancelRetry = this.#ports.setTimer(delayMs, () => this.#connect());
  }

  #signedOut(): void {
    this.stop();
    this.#ports.onSignedOut();
  }

  #closeAll(): void {
    this.#applyWaiting();
    this.#waiting = [];
    this.#overflowed = false;
    this.#stream += 1;
    this.#load += 1;
    this.#closeStream();
    this.#closeStream = () => undefined;
    this.#silence.end();
    this.#cancelRetry();
  }
}
