import { connect as connectPlain, Socket } from 'node:net';
import { connect as connectTls, getCiphers } from 'node:tls';
import { describeFault } from '../../domain/callbacks/describeSendError.ts';
import type { Clock, Timer } from '../../ports.ts';
import { readInTurns, type MessageTurns } from '../../scheduling/messageTurns.ts';
import { CONNECTION_FAULTS } from '../controllers/ask.ts';
import { DisplayError, RefusedCommand } from './displayError.ts';
import { encodeDisplayFrame, FrameSplitter } from './displayFrames.ts';
import { PSK_IDENTITY, tlsKeyOf } from './displayKey.ts';

/** The only cipher that displays support. */
const CIPHER = 'ECDHE-PSK-AES128-CBC-SHA256';
/** Time limit for opening a connection. A display does not read while it draws its first image. */
const OPENING_MS = 10_000;
const ANSWER_MS = 10_000;
/** Maximum number of consecutive unexpected frames. A display sends its whole configuration in fewer than 100 frames. */
const MAX_UNASKED = 256;
const [DONE, REFUSED, UNSIGNED] = [0x00, 0xff, 0xfe];

const TOO_MUCH =
  'The display sends too much without being asked. Check the address. If it is right, restart the display.';
const WRONG_KEY = /ALERT_BAD_RECORD_MAC|ALERT_DECRYPT|ALERT_HANDSHAKE|ALERT_UNKNOWN_PSK|BAD_RECORD|DECRYPTION/;
const WRONG_KEY_WORDS = 'The display does not accept this key. Enter the key that is set in the display.';
const FAULTS = [
  [
    /^ECONNREFUSED$/,
    'Nothing answers at this port. Check the address, and whether the display is switched on. With a key its port is one higher, usually 2447, without one 2446.',
  ],
  [WRONG_KEY, WRONG_KEY_WORDS],
  [
    /WRONG_VERSION|^ERR_SSL_|^EPROTO$/,
    'What answers at this address does not encrypt. Check the port, or remove the key.',
  ],
  ...CONNECTION_FAULTS,
] as const;

/** Address of a display. `key` has 32 hexadecimal digits, or is undefined if the connection is not encrypted. */
export type DisplayAddress = { host: string; port: number; key: string | undefined };

/** A frame from the display: the command that it answers, and the data. */
export type DisplayAnswer = { command: number; data: Buffer };

type Waiting = {
  commands: readonly number[];
  timer: Timer;
  taken(answer: DisplayAnswer): void;
  failed(error: Error): void;
};

/**
 * A connection to a display. Sends one command at a time and waits for the answer. Every failure except a refused command ends the
 * connection.
 */
export class DisplaySocket {
  /** Resolves when commands can be sent. Rejects with an Error whose message is for the user. */
  readonly opened: Promise<void>;
  private readonly clock: Clock;
  private readonly address: DisplayAddress;
  private readonly socket: Socket;
  private readonly frames = new FrameSplitter();
  private readonly opening: Timer;
  private readonly lost: (error: DisplayError) => void;
  private waiting: Waiting | undefined;
  private arrived: DisplayAnswer[] = [];
  private unasked = 0;
  private end: DisplayError | undefined;
  private isOpen = false;
  private hasAnswered = false;
  /** Whether the display has sent any bytes, even if they were not an answer. */
  private hasReceived = false;

  /** Opens the connection and reads it in turns. `lost` is called if the connection ends without `close`. */
  constructor(clock: Clock, address: DisplayAddress, lost: (error: DisplayError) => void, turns: MessageTurns) {
    this.clock = clock;
    this.address = address;
    this.lost = lost;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    // Prevent an unhandled rejection: callers that do not wait for `opened` learn of the failure from `lost`.
    promise.catch(() => undefined);
    this.opening = clock.setTimer(OPENING_MS, () => this.fail(this.silence(OPENING_MS)));
    this.failedOpening = reject;
    this.socket = this.connect(() => {
      this.isOpen = true;
      this.opening.cancel();
      resolve();
    });
    this.socket.setNoDelay(true);
    readInTurns(this.socket, turns, (piece) => this.receive(piece));
    this.socket.on('error', (error) => this.fail(this.faultOf(error)));
    this.socket.on('close', () => this.fail(this.goodbye()));
  }

  private readonly failedOpening: (error: Error) => void;

  /** Whether the connection is opening or waits for an answer. */
  isBusy(): boolean {
    return this.end === undefined && (!this.isOpen || this.waiting !== undefined);
  }

  /** Sends a command and returns its answer. Rejects with a `DisplayError`; after a `RefusedCommand` the connection continues. */
  async ask(command: number, data: Uint8Array = new Uint8Array()): Promise<Buffer> {
    return (await this.send(command, data, [command])).data;
  }

  /** Like `ask`, but for a command with several possible answers. */
  send(command: number, data: Uint8Array, answers: readonly number[]): Promise<DisplayAnswer> {
    this.arrived = [];
    if (this.end === undefined) this.socket.write(encodeDisplayFrame(Buffer.concat([Buffer.from([0, command]), data])));
    return this.next(answers);
  }

  /** Waits for the next frame that answers one of these commands. Drops all other frames. */
  next(commands: readonly number[], limitMs = ANSWER_MS): Promise<DisplayAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<DisplayAnswer>();
    if (this.end !== undefined) return Promise.reject(this.end);
    const timer = this.clock.setTimer(limitMs, () => this.fail(this.silence(limitMs)));
    const settled = (): void => {
      this.unasked = 0;
      timer.cancel();
      this.waiting = undefined;
    };
    this.waiting = {
      commands,
      timer,
      taken(answer) {
        settled();
        resolve(answer);
      },
      failed(error) {
        settled();
        reject(error);
      },
    };
    for (const answer of this.arrived.splice(0)) this.take(answer);
    return promise;
  }

  /** Closes the connection. Idempotent. */
  close(): void {
    this.finish(new DisplayError('The connection was given up.'));
  }

  private connect(opened: () => void): Socket {
    const { host, port, key } = this.address;
    if (key === undefined) return connectPlain({ host, port }, opened);
    if (!getCiphers().includes(CIPHER.toLowerCase())) {
      const socket = new Socket();
      socket.destroy(
        new DisplayError(
          'The program cannot encrypt for this display in its window. Start it without a window, or set the display up without a key.',
        ),
      );
      return socket;
    }
    const psk = tlsKeyOf(key);
    return connectTls(
      {
        host,
        port,
        ciphers: CIPHER,
        minVersion: 'TLSv1.2',
        maxVersion: 'TLSv1.2',
        pskCallback: () => ({ psk, identity: PSK_IDENTITY }),
        // There is no certificate: the key proves both sides.
        checkServerIdentity: () => undefined,
      },
      opened,
    );
  }

  private receive(piece: Uint8Array): void {
    if (this.end !== undefined) return;
    const payloads = this.frames.push(piece);
    this.hasReceived = true;
    if (payloads === undefined) return this.fail(new DisplayError(this.stranger()));
    for (const payload of payloads) {
      if (this.isEnded()) return;
      this.unasked += 1;
      if (this.unasked > MAX_UNASKED) return this.fail(new DisplayError(TOO_MUCH));
      this.handlePayload(payload);
    }
  }

  private isEnded(): boolean {
    return this.end !== undefined;
  }

  private handlePayload(payload: Buffer): void {
    const [status, command, first] = payload;
    if (command === undefined) return;
    if (status === UNSIGNED || (status === DONE && payload.length === 3 && first === UNSIGNED)) {
      return this.fail(
        new DisplayError('The display wants its key. Enter it, with the port of its encrypted connection.'),
      );
    }
    this.hasAnswered = true;
    if (status === DONE) return this.take({ command, data: payload.subarray(2) });
    if (status !== REFUSED || this.waiting?.commands.includes(command) !== true) return;
    const code = first === undefined ? '' : ` (${first})`;
    this.waiting.failed(new RefusedCommand(`The display refused the command 0x${hex(command)}${code}.`));
  }

  /** Handles a frame. Several frames may arrive together; those after the expected one are kept for `next`. */
  private take(answer: DisplayAnswer): void {
    if (this.waiting === undefined) this.arrived.push(answer);
    else if (this.waiting.commands.includes(answer.command)) this.waiting.taken(answer);
  }

  private fail(error: DisplayError): void {
    if (this.finish(error)) this.lost(error);
  }

  /** Ends the connection. Returns false if it had already ended. */
  private finish(error: DisplayError): boolean {
    if (this.end !== undefined) return false;
    this.end = error;
    this.opening.cancel();
    this.socket.destroy();
    this.failedOpening(error);
    this.waiting?.failed(error);
    return true;
  }

  private goodbye(): DisplayError {
    if (this.hasAnswered) return new DisplayError('The display closed the connection.');
    if (this.hasReceived) return new DisplayError(this.stranger());
    return new DisplayError(
      'Another program holds this display, which serves one at a time; or its last connection has not ended yet, which takes 30 s.',
      { isRefusal: true },
    );
  }

  private faultOf(error: Error): DisplayError {
    if (error instanceof DisplayError) return error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET' || code === 'EPIPE') {
      // If the connection is reset during a handshake, the display does not accept the key.
      return !this.isOpen && this.socket.bytesRead > 0 ? new DisplayError(WRONG_KEY_WORDS) : this.goodbye();
    }
    return new DisplayError(describeFault(error, FAULTS, 'The display could not be asked.'), { cause: error });
  }

  private silence(ms: number): DisplayError {
    const { port, key } = this.address;
    const hint = this.hasAnswered
      ? ''
      : ` Check whether port ${port} is the one ${key === undefined ? 'without' : 'with'} a key.`;
    return new DisplayError(`The display did not answer within ${ms / 1_000} s.${hint}`);
  }

  private stranger(): string {
    const { host, port } = this.address;
    return `What answers at ${host}:${port} is no OpenDisplay display. Check the address.`;
  }
}

function hex(byte: number): string {
  return byte.toString(16).padStart(4, '0');
}
