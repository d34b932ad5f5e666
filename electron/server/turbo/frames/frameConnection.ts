import type { Clock, Log, Timer } from '../../ports.ts';
import { challengeFor, refusalOf, unfitness } from './greeting.ts';
import type { Greeting, TurboConnection, ConnectionHost, TurboRefusal, Report } from '../types.ts';
import { Exchange, type Outgoing, type Rank, type Tap, type Ticket } from './protocol/exchange.ts';
import { LONGEST_HELLO_BYTES, MAX_PAYLOAD_BYTES } from './protocol/frame.ts';
import {
  BACKGROUNDS_IN_FLIGHT,
  HEARTBEAT_MS,
  LOST_AFTER_BEATS,
  PROTOCOL_VERSION,
  type Body,
  type RequestMessage,
} from './protocol/messages.ts';
import { Sync } from './syncQuestion.ts';
import type { Transport } from './transports/transport.ts';

/** Maximum number of reports from one turbo that the station handles at a time. */
const STATION_WINDOW = 64;
/** Delay before repeating a refused sync request. */
const REFUSED_RETRY_MS = 1_000;

/** Time limit for the sign-in on a connection. Turbos send their hello immediately. */
const STRANGER_MS = 10_000;
/** Maximum number of damaged frames before the sign-in. A turbo whose line begins within a frame sends one. */
const STRANGER_BROKEN = 8;

export type ConnectionOptions = {
  transport: Transport;
  clock: Clock;
  log: Log;
  host: ConnectionHost;
  sessionId: () => number;
  tap: Tap;
};

/** The station's end of the wire to one turbo: handshake, reports and heartbeat. Exists as long as its transport. */
export class FrameConnection implements TurboConnection {
  readonly transport: Transport;
  state: TurboConnection['state'] = 'connecting';
  turbo: Greeting | undefined;
  problem: string | undefined;
  uptimeS = 0;
  lastSeenAt = 0;
  synced = false;
  readonly firstSync: Promise<void>;

  private readonly options: ConnectionOptions;
  private readonly exchange: Exchange;
  private readonly heartbeatMs: number;
  private readonly syncs = new Set<Sync>();
  /** The last sync request, if nothing has been received since it was sent. Later calls of `sync` share its answer. */
  private justAsked: Sync | undefined;
  private readonly endFirstSync: () => void;
  private readonly retries = new Set<Timer>();
  private silence: Timer | undefined;
  /** Timer that closes the connection if the turbo does not sign in. */
  private stranger: Timer | undefined;
  /** Number of damaged frames since the turbo was last signed in. */
  private brokenFrames = 0;
  private sessions = 0;
  private greetings = 0;
  /** Number of the hello whose sign-in is being checked; 0 if none. */
  private admitting = 0;

  constructor(options: ConnectionOptions) {
    const { transport, clock, tap } = options;
    this.options = options;
    this.transport = transport;
    this.heartbeatMs = transport.heartbeatMs ?? HEARTBEAT_MS;
    const first = Promise.withResolvers<void>();
    this.firstSync = first.promise;
    this.endFirstSync = first.resolve;
    this.exchange = new Exchange({
      clock,
      side: 'station',
      firstSeq: options.sessionId(),
      write: (bytes) => transport.write(bytes),
      collect: atEndOfTurn,
      requested: (request, ticket) => this.requested(request, ticket),
      tap,
      broken: () => this.damaged(),
    });
    this.exchange.mostUsual = BACKGROUNDS_IN_FLIGHT;
    transport.open({
      bytes: (chunk) => {
        this.lastSeenAt = clock.now();
        this.justAsked = undefined;
        this.exchange.receive(chunk);
      },
      closed: (reason) => this.close(reason),
    });
    if (transport.admission === undefined) return;
    this.watchStranger();
  }

  send(outgoing: Outgoing, rank: Rank): void {
    this.exchange.request(outgoing, rank);
  }

  withdraw(outgoing: Outgoing): void {
    this.exchange.withdraw(outgoing);
  }

  /**
   * Requests every device status and held report from the turbo. Shares the answer of a sync request that was just sent, or that is still
   * unanswered in a new session.
   */
  sync(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    const [telling] = this.synced ? [] : this.syncs;
    const asked = this.justAsked ?? telling;
    if (asked !== undefined) return asked.done;
    const sync = new Sync({
      ended: () => {
        this.syncs.delete(sync);
        this.synced = true;
        this.endFirstSync();
        if (this.state !== 'closed') this.options.host.synced(this);
      },
      refused: () => this.askLater(sync),
    });
    this.syncs.add(sync);
    // Before the welcome, the request waits until `welcome` sends it.
    if (this.state === 'online') this.ask(sync);
    return sync.done;
  }

  private ask(sync: Sync): void {
    this.justAsked = sync;
    this.exchange.request(sync, 'urgent');
  }

  /**
   * Sends one sync request in a new session in place of all unanswered ones, so that requests do not accumulate for a turbo that keeps
   * rebooting.
   */
  private askAgain(): void {
    const [first, ...others] = this.syncs;
    if (first === undefined) return;
    for (const other of others) {
      this.syncs.delete(other);
      void first.done.then(other.end);
    }
    this.ask(first);
  }

  /**
   * Repeats a sync request that the turbo refused because it had not received its welcome. Nothing else would repeat the request, because a
   * repeated welcome does not begin a session.
   */
  private askLater(sync: Sync): void {
    const { sessions } = this;
    const timer = this.options.clock.setTimer(REFUSED_RETRY_MS, () => {
      this.retries.delete(timer);
      if (this.sessions === sessions && this.state === 'online') this.exchange.request(sync, 'urgent');
    });
    this.retries.add(timer);
  }

  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.silence?.cancel();
    this.stranger?.cancel();
    for (const retry of this.retries) retry.cancel();
    this.exchange.stop();
    this.transport.close();
    for (const sync of this.syncs) sync.end();
    this.endFirstSync();
    this.options.host.closed(this, reason);
  }

  private requested(request: RequestMessage, ticket: Ticket): void {
    if (request.name === 'hello') return this.greet(request.body, ticket);
    // If a restart of the station ended the session, the refusal makes the turbo send its hello.
    if (this.state !== 'online') return this.exchange.ack(ticket, 'refused');
    switch (request.name) {
      case 'heartbeat':
        this.uptimeS = request.body.uptimeS;
        if (this.options.transport.admission?.isLive() === false)
          return this.close('its sign-in is no longer accepted');
        return this.exchange.ack(ticket, 'ok');
      case 'deviceStatus':
        if (this.isForeign(request.body.device)) return this.exchange.ack(ticket, 'unknownDevice');
        return this.exchange.ack(ticket, this.options.host.status(this, request.body));
      case 'shown':
      case 'button':
      case 'ended':
        if (this.isForeign(request.body.device)) return this.exchange.ack(ticket, 'unknownDevice');
        return void this.take(request, ticket);
      default:
        return this.exchange.ack(ticket, 'unsupported');
    }
  }

  private async take(report: Report, ticket: Ticket): Promise<void> {
    try {
      await this.options.host.report(this, report);
      this.exchange.ack(ticket, 'ok');
    } catch (error) {
      // Do not answer, so that the turbo keeps the report and repeats it.
      this.exchange.abandon(ticket);
      this.options.log.warn({ err: error, device: report.body.device }, `A ${report.name} report could not be stored`);
    }
  }

  private greet(hello: Body<'hello'>, ticket: Ticket): void {
    const { admission } = this.options.transport;
    // Add a second, because the reported uptime is rounded down.
    const bootedAt = this.options.clock.now() - (hello.uptimeS + 1) * 1_000;
    const unfit = unfitness(hello);
    if (admission === undefined || unfit !== undefined) return this.welcome(hello, ticket, bootedAt, unfit);
    const challenge = challengeFor(hello, admission);
    // A challenge neither begins nor ends a session.
    if (challenge !== undefined) return this.answerHello(ticket, 'challenged', challenge);
    const greeting = ++this.greetings;
    this.admitting = greeting;
    refusalOf(hello, admission).then(
      (refusal) => {
        // The turbo may have restarted or disconnected in the meantime.
        if (greeting !== this.greetings || this.state === 'closed') return;
        this.admitting = 0;
        this.welcome(hello, ticket, bootedAt, refusal);
      },
      (error: unknown) => {
        if (greeting === this.greetings) this.admitting = 0;
        // Do not answer, so that the turbo repeats its hello.
        this.exchange.abandon(ticket);
        this.options.log.warn({ err: error }, 'A turbo could not be signed in');
      },
    );
  }

  private welcome(
    { username: _username, secret: _secret, nonce: _nonce, answer: _answer, ...hello }: Body<'hello'>,
    ticket: Ticket,
    bootedAt: number,
    unwelcome: TurboRefusal | undefined,
  ): void {
    const refusal = unwelcome ?? this.options.host.refusalOf(this, hello, bootedAt);
    const answer = this.exchange.resetFor(ticket);
    this.sessions++;
    this.problem = refusal?.problem;
    const bound = this.options.transport.admission?.boundTo();
    // The turbo has proved its key, but only claims its serial number.
    this.turbo = bound === undefined ? hello : { ...hello, serialNumber: bound.serialNumber };
    this.synced = false;
    this.uptimeS = hello.uptimeS;
    this.answerHello(answer, refusal?.status ?? 'accepted');
    if (refusal !== undefined) {
      // The turbo is no longer signed in, so it gets as much time as a new connection.
      if (this.state === 'online' && this.options.transport.admission !== undefined) this.watchStranger();
      this.state = 'connecting';
      return this.options.host.refused(this);
    }
    this.state = 'online';
    this.stranger?.cancel();
    this.exchange.limitPayload(MAX_PAYLOAD_BYTES);
    this.brokenFrames = 0;
    this.exchange.window = Math.max(1, hello.window);
    this.askAgain();
    this.watchSilence(this.lostAfterMs());
    this.options.host.online(this, hello);
  }

  private answerHello(ticket: Ticket, status: Body<'welcome'>['status'], challenge?: Uint8Array): void {
    this.exchange.reply(ticket, {
      name: 'welcome',
      body: {
        protocol: PROTOCOL_VERSION,
        status,
        sessionId: this.options.sessionId(),
        heartbeatMs: this.heartbeatMs,
        window: STATION_WINDOW,
        ...(challenge === undefined ? {} : { challenge }),
        ...(status === 'accepted' ? { timeS: Math.floor(this.options.clock.now() / 1_000) } : {}),
      },
    });
  }

  /** Whether a board reports a device other than the one to which the board's key is bound. Records a problem if so. */
  private isForeign(device: string): boolean {
    const bound = this.options.transport.admission?.boundTo();
    if (bound === undefined || bound.deviceId === device) return false;
    const problem = `${bound.serialNumber} speaks for the device ${device}, which is not its own. The station ignores that. Set up the board again, and check who has its key.`;
    if (this.problem === problem) return true;
    this.problem = problem;
    this.options.host.troubled(this);
    return true;
  }

  /** Ends a connection that sends damaged frames before its sign-in. */
  private damaged(): void {
    if (this.transport.admission === undefined || this.state === 'online') return;
    this.brokenFrames += 1;
    if (this.brokenFrames > STRANGER_BROKEN) this.close('it sends damaged data and does not sign in');
  }

  /** Limits the time and the frames of a turbo that is not signed in. */
  private watchStranger(): void {
    this.exchange.limitPayload(LONGEST_HELLO_BYTES);
    this.stranger?.cancel();
    this.stranger = this.options.clock.setTimer(STRANGER_MS, () => {
      // Extend the time while a sign-in is in progress: passwords are checked one at a time, so waiting is not the turbo's fault.
      if (this.admitting > 0) this.watchStranger();
      else this.close(`nobody signed in within ${STRANGER_MS / 1_000} s`);
    });
  }

  private lostAfterMs(): number {
    return LOST_AFTER_BEATS * this.heartbeatMs;
  }

  private watchSilence(delayMs: number): void {
    const { clock } = this.options;
    const dueMs = clock.monotonic() + delayMs;
    this.silence?.cancel();
    this.silence = clock.setTimer(delayMs, () => {
      const nowMs = clock.monotonic();
      const lostAfterMs = this.lostAfterMs();
      const leftMs = this.exchange.lastHeardMs + lostAfterMs - nowMs;
      // A late timer means that the machine slept, so received data may not have been read yet.
      if (nowMs - dueMs > this.heartbeatMs) this.watchSilence(lostAfterMs);
      else if (leftMs > 0) this.watchSilence(leftMs);
      else this.close(`nothing heard for ${lostAfterMs / 1_000} s`);
    });
  }
}

/**
 * Runs the function after all microtasks of this turn, so that frames from promises that resolve in this turn are included. A tick
 * requested by a microtask runs after all microtasks.
 */
function atEndOfTurn(run: () => void): void {
  queueMicrotask(() => process.nextTick(run));
}
