import { createHash } from 'node:crypto';
import type { Admission, Clock, Timer } from '../../../electron/server/ports.ts';
import { NONCE_BYTES, proofOf, updateTagOf } from '../../../electron/server/services/turbos/turboProof.ts';
import { Exchange, type Outgoing, type Rank } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import type { TurboConnection } from '../../../electron/server/turbo/types.ts';
import type { Body, Reply, RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { packBits } from '../../../electron/server/turbo/frames/protocol/packBits.ts';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { FlashChip, MicroPythonBoard, PowerCut, type BoardLink, type BoardOptions } from './microPythonBoard.ts';

const STEP_MS = 10;

/** Changes bytes on the wire, as a bad cable does. */
export type DamagedLine = (data: Uint8Array) => Uint8Array;

/** A board and its connection to a station, on a clock that only `run` and `skip` advance. */
export class BoardBench {
  readonly flash = new FlashChip();
  readonly options: BoardOptions;
  board: MicroPythonBoard | undefined;
  /** Received press and end reports by epoch and counter, and how often each arrived. */
  readonly reports = new Map<string, { body: Body<'button'> | Body<'ended'>; times: number }>();
  readonly shown: Body<'shown'>[] = [];
  readonly statuses: Body<'deviceStatus'>[] = [];
  /** The last accepted hello message of the board. */
  greeting: Body<'hello'> | undefined;
  /** Whether the station answers hello messages. */
  isWelcome = true;
  hellos = 0;
  synced = 0;
  /** Whether the station accepts and answers reports. */
  hasDisk = true;
  /** Replaces the updater's requests, as a man in the middle would. */
  between: (request: RequestMessage) => RequestMessage = (request) => request;
  up: DamagedLine = (data) => data;
  down: DamagedLine = (data) => data;
  private nowMs = 1_000;
  private toBoard: Uint8Array[] = [];
  readonly clock: Clock;
  private readonly timers = new Set<{ atMs: number; run: () => void }>();
  private readonly exchange: Exchange;
  private isPlugged = true;
  private sum = 1;
  /** Hash of the board's key in Base64, or undefined if the board is on a cable. */
  private readonly keyHash: string | undefined;

  /** Creates a bench. If `key` is set, the board is on a network and proves this key, whose hash the station knows. */
  constructor({
    refreshMs = 50,
    key,
    ...more
  }: Partial<Pick<BoardOptions, 'refreshMs' | 'buttons' | 'uniqueId'>> & { key?: string } = {}) {
    this.keyHash = key === undefined ? undefined : createHash('sha256').update(key).digest('base64');
    const setTimer = (delayMs: number, run: () => void): Timer => {
      const timer = { atMs: this.nowMs + delayMs, run };
      this.timers.add(timer);
      return { cancel: () => void this.timers.delete(timer) };
    };
    const monotonic = (): number => this.nowMs;
    const clock: Clock = { now: monotonic, monotonic, setTimer, onSleep: () => () => undefined };
    this.clock = clock;
    this.exchange = new Exchange({
      clock,
      side: 'station',
      firstSeq: 65_530,
      write: (bytes) => void (this.isPlugged && this.toBoard.push(this.down(bytes.slice()))),
      requested: (request, ticket) => this.requested(request, ticket),
      tap: undefined,
    });
    const link: BoardLink = {
      start: () => undefined,
      isReady: () => true,
      read: (most) => this.read(most),
      write: (data) => void (this.isPlugged && this.exchange.receive(this.up(data))),
      stop: () => undefined,
    };
    const config: BoardOptions['config'] =
      key === undefined ? { transport: 'usb' } : { transport: 'tcp', user: 'boards', key };
    this.options = { uniqueId: 'bench', config, flash: this.flash, link, now: monotonic, refreshMs, ...more };
  }

  /** Switches the board on, for the first time or after a power cut. */
  async boot(): Promise<MicroPythonBoard> {
    this.toBoard = [];
    this.board = await MicroPythonBoard.boot(this.options);
    return this.board;
  }

  /** Advances the clock and runs the board. Returns false if the power fails. */
  run(ms: number): boolean {
    return this.survives(() => {
      for (const end = this.nowMs + ms; this.nowMs < end; this.nowMs += STEP_MS) {
        for (const timer of this.timers) {
          if (timer.atMs > this.nowMs || !this.timers.delete(timer)) continue;
          timer.run();
        }
        this.board?.step();
      }
    });
  }

  /** Advances the clock without running the board or the timers. */
  skip(ms: number): void {
    this.nowMs += ms;
  }

  /** Runs `work` on the board. Returns false if the power fails, which turns the board off. */
  survives(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
      this.board = undefined;
      return false;
    }
  }

  /** Returns the station's end of the connection. */
  line(): Pick<TurboConnection, 'state' | 'transport' | 'turbo' | 'send' | 'withdraw'> {
    const { exchange, keyHash } = this;
    const admission: Admission = {
      admit: () => Promise.resolve(undefined),
      isLive: () => true,
      turboKey: () => undefined,
      boundTo: () => undefined,
      signUpdate: (update) => (keyHash === undefined ? undefined : updateTagOf(keyHash, update)),
    };
    const between = (request: RequestMessage): RequestMessage => this.between(request);
    const passed = new WeakMap<Outgoing, Outgoing>();
    const greeting = (): Body<'hello'> | undefined => this.greeting;
    return {
      state: 'online' as const,
      transport: { kind: 'network', port: 'bench', canPress: false, admission },
      get turbo() {
        return greeting();
      },
      send: (outgoing: Outgoing, rank: Rank) => {
        const sent: Outgoing = {
          request(attempt) {
            const request = outgoing.request(attempt);
            return request && between(request);
          },
          replied: (reply) => outgoing.replied(reply),
        };
        passed.set(outgoing, sent);
        exchange.request(sent, rank);
      },
      withdraw: (outgoing: Outgoing) => exchange.withdraw(passed.get(outgoing) ?? outgoing),
    };
  }

  plug(isPlugged: boolean): void {
    this.isPlugged = isPlugged;
  }

  /** Sends a request to the board. `answer()` returns the board's answer, or undefined if it has not answered yet. */
  send(request: RequestMessage): { answer: () => string | undefined } {
    let answer: string | undefined;
    const replied = (reply: Reply): void => void (answer = reply.name === 'ack' ? reply.body.status : reply.name);
    this.exchange.request({ request: () => request, replied });
    return { answer: () => answer };
  }

  show(change: Partial<Body<'show'>> & { content?: Partial<ScreenContent> }): { answer: () => string | undefined } {
    const { content, ...more } = change;
    const device = this.board?.deviceId ?? '';
    const screen = bitmap({ ...content, quantity: change.quantity ?? null });
    this.sum += 1;
    return this.send({
      name: 'show',
      body: {
        device,
        token: 1,
        checksum: this.sum,
        seconds: 0,
        quantity: undefined,
        led: 'steady',
        color: 0x00ff00,
        brightness: 100,
        fixedBrightness: false,
        sound: '',
        screen,
        ...more,
      },
    });
  }

  private read(most: number): Uint8Array {
    const [first = new Uint8Array()] = this.toBoard;
    if (first.length <= most) this.toBoard.shift();
    else this.toBoard[0] = first.subarray(most);
    return first.subarray(0, most);
  }

  private challenge(keyHash: string, hello: Body<'hello'>, ticket: number): void {
    const { serialNumber, username = '', nonce: turboNonce = new Uint8Array() } = hello;
    const stationNonce = Buffer.alloc(NONCE_BYTES, this.hellos);
    const proof = proofOf(keyHash, { serialNumber, username, turboNonce, stationNonce });
    const challenge = Buffer.concat([stationNonce, proof]);
    const welcome = { protocol: 1, status: 'challenged', sessionId: 0, heartbeatMs: 5_000, window: 64 } as const;
    this.exchange.reply(ticket, { name: 'welcome', body: { ...welcome, challenge } });
  }

  private requested(request: RequestMessage, ticket: number): void {
    switch (request.name) {
      case 'hello':
        this.hellos += 1;
        if (!this.isWelcome) return this.exchange.abandon(ticket);
        if (this.keyHash !== undefined && request.body.nonce !== undefined && request.body.answer === undefined) {
          return this.challenge(this.keyHash, request.body, ticket);
        }
        this.greeting = request.body;
        this.exchange.window = request.body.window;
        this.exchange.reply(this.exchange.resetFor(ticket), {
          name: 'welcome',
          body: { protocol: 1, status: 'accepted', sessionId: this.hellos, heartbeatMs: 5_000, window: 64 },
        });
        this.exchange.request({
          request: () => ({ name: 'sync', body: {} }),
          replied: () => void (this.synced += 1),
        });
        return;
      case 'button':
      case 'ended': {
        if (!this.hasDisk) return this.exchange.abandon(ticket);
        const { body } = request;
        const id = `${body.epoch}:${body.counter}`;
        const known = this.reports.get(id);
        this.reports.set(id, { body: known?.body ?? body, times: (known?.times ?? 0) + 1 });
        if (known !== undefined && known.body.token !== body.token) throw new Error(`${id} is two reports`);
        break;
      }
      case 'shown':
        this.shown.push(request.body);
        break;
      case 'deviceStatus':
        this.statuses.push(request.body);
        break;
      default:
    }
    this.exchange.ack(ticket, 'ok');
  }
}

/** Returns a bitmap as the station draws it for a board. */
export function bitmap(content: Partial<ScreenContent>): Body<'show'>['screen'] {
  const { bytes } = drawScreen({ ...EMPTY_SCREEN, ...content }, { firmware: 1, batteryMv: 3_000 });
  return { form: 'bitmap', packing: 'packBits', pixels: Buffer.from(packBits(bytes)) };
}
