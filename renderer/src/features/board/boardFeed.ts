import type { WallBoard } from '#shared/api/wallBoard.ts';
import { Silence, type TimePorts, SILENCE_MS } from '../../station/live/silence.ts';
import { retryDelayMs } from '../../station/live/retry.ts';
import type { Listener, RawMessage } from '../../station/live/stream.ts';
import { ApiError } from '../../words/apiError.ts';

export type BoardState =
  | { kind: 'connecting' }
  | { kind: 'live'; board: WallBoard; skewMs: number }
  /**
   * The station is unreachable. `board` is the last board that was shown, and `sinceAt` is when the station last
   * responded.
   */
  | { kind: 'lost'; sinceAt: number; board: WallBoard | undefined; skewMs: number }
  /** The station does not know this link. */
  | { kind: 'refused' };

export type BoardPorts = TimePorts & {
  /** Opens a session and returns its key. */
  openSession(): Promise<string>;
  /** Opens the event stream. Returns a function that closes it. */
  openStream(key: string, listener: Listener<RawMessage>): () => void;
  load(key: string): Promise<WallBoard>;
  changed(state: BoardState): void;
  /** Returns a random number in [0, 1), which spreads the reconnections of several screens over time. */
  fraction(): number;
};

const OPEN_MS = 15_000;
/**
 * Retry interval of a removed screen in milliseconds. It is long, because the link becomes valid again only if a backup
 * is restored.
 */
const REFUSED_MS = 60_000;
/** Minimum time between two loads of the board, in milliseconds. */
const CALM_MS = 2_000;
/** Reload interval without events, in milliseconds. Orders become late and hours end without an event. */
const REFRESH_MS = 20_000;

/**
 * Keeps the board up to date: signs in with the secret of the link, follows the event stream, and loads the board again
 * after changes. Reconnects automatically.
 */
export class BoardFeed {
  readonly #ports: BoardPorts;
  readonly #silence: Silence;
  #key: string | undefined;
  #shown: { board: WallBoard; skewMs: number } | undefined;
  #lostAt: number | undefined;
  #failures = 0;
  /** Number of the current connection. Results from earlier ones are ignored. */
  #turn = 0;
  #closeStream: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #cancelRead: (() => void) | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(ports: BoardPorts) {
    this.#ports = ports;
    this.#silence = new Silence(ports, (heardAt) => this.#lost(heardAt));
  }

  start(): void {
    this.#ports.changed({ kind: 'connecting' });
    void this.#connect();
  }

  stop(): void {
    this.#end();
  }

  /** Reconnects, or checks the connection. Called when the machine wakes up or its network returns. */
  look(): void {
    if (this.#lostAt !== undefined) {
      this.#failures = 0;
      void this.#connect();
    } else this.#silence.look();
  }

  async #connect(): Promise<void> {
    this.#end();
    const turn = this.#turn;
    const isCurrent = () => turn === this.#turn;
    this.#silence.restart(OPEN_MS);
    try {
      this.#key ??= await this.#ports.openSession();
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof ApiError && error.code === 'unauthenticated') this.#refused();
      else this.#lost(undefined);
      return;
    }
    if (!isCurrent()) return;
    const ifCurrent = (run: () => void) => {
      if (isCurrent()) run();
    };
    this.#closeStream = this.#ports.openStream(this.#key, {
      opened: () => ifCurrent(() => this.#read()),
      onMessage: (message) => ifCurrent(() => this.#receive(message)),
      failed: (reason) => ifCurrent(() => (reason === 'signedOut' ? this.#signInAgain() : this.#lost(undefined))),
    });
  }

  #receive(message: RawMessage): void {
    this.#silence.restart(SILENCE_MS);
    if (message.kind === 'facts' || message.kind === 'reset') this.#readSoon(CALM_MS);
  }

  /**
   * Signs in again after the session has ended, because it expired, the station restarted, or the screen was removed.
   */
  #signInAgain(): void {
    this.#key = undefined;
    void this.#connect();
  }

  /** Loads the board after at most `delayMs`, but not more often than once per `CALM_MS`. */
  #readSoon(delayMs: number): void {
    if (delayMs <= CALM_MS) {
      this.#cancelRead?.();
      const sinceMs = this.#ports.now() - this.#readAt;
      const waitMs = sinceMs >= 0 && sinceMs < CALM_MS ? CALM_MS - sinceMs : 0;
      this.#cancelRead = this.#ports.setTimer(waitMs, () => this.#read());
      return;
    }
    this.#cancelRead ??= this.#ports.setTimer(delayMs, () => this.#read());
  }

  #read(): void {
    this.#cancelRead?.();
    this.#cancelRead = undefined;
    const turn = this.#turn;
    this.#readAt = this.#ports.now();
    this.#ports.load(this.#key ?? '').then(
      (board) => {
        if (turn !== this.#turn) return;
        this.#failures = 0;
        this.#lostAt = undefined;
        this.#silence.restart(SILENCE_MS);
        this.#shown = { board, skewMs: this.#ports.now() - Date.parse(board.at) };
        this.#ports.changed({ kind: 'live', ...this.#shown });
        this.#readSoon(REFRESH_MS);
      },
      (error: unknown) => {
        if (turn !== this.#turn) return;
        if (error instanceof ApiError && error.code === 'unauthenticated') this.#signInAgain();
        else this.#lost(undefined);
      },
    );
  }

  #lost(heardAt: number | undefined): void {
    this.#end();
    this.#lostAt ??= heardAt ?? this.#ports.now();
    const { board, skewMs = 0 } = this.#shown ?? {};
    this.#ports.changed({ kind: 'lost', sinceAt: this.#lostAt, board, skewMs });
    const delayMs = retryDelayMs(this.#failures, this.#ports.fraction());
    this.#failures += 1;
    this.#cancelRetry = this.#ports.setTimer(delayMs, () => void this.#connect());
  }

  #refused(): void {
    this.#end();
    this.#shown = undefined;
    this.#lostAt = undefined;
    this.#ports.changed({ kind: 'refused' });
    this.#cancelRetry = this.#ports.setTimer(REFUSED_MS, () => void this.#connect());
  }

  #end(): void {
    this.#turn += 1;
    this.#closeStream();
    this.#closeStream = () => undefined;
    this.#silence.end();
    this.#cancelRetry();
    this.#cancelRead?.();
    this.#cancelRead = undefined;
  }
}
