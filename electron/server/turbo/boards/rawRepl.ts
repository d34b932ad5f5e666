import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../../ports.ts';

/**
 * Time limit for an answer. A board answers a key within milliseconds, and a line of Python within this time, even if the line erases
 * flash.
 */
const ANSWER_MS = 10_000;
/** Number of bytes of output to keep: more than any of our programs prints. */
const MAX_OUTPUT_BYTES = 65_536;
const BANNER = 'raw REPL; CTRL-B to exit\r\n>';
const INTERRUPT = '\r\x03\x03';
const ENTER_RAW = '\r\x01';
const RUN = '\x04';

/** The raw mode of the MicroPython prompt, which runs programs and returns their output. Allows one call at a time. */
export type RawRepl = {
  /**
   * Runs a program and returns its output. Rejects with the last line of the program's error, or with an Error for the user if there is no
   * answer.
   */
  run(program: string): Promise<string>;
  /** Runs a program that restarts the board, without waiting for output. */
  leave(program: string): Promise<void>;
};

/**
 * Interrupts the program on the board at an open port, and enters raw mode. Retries until the board answers or `limitMs` has passed;
 * resolves with undefined if the board never answers.
 */
export async function enterRawRepl(stream: Duplex, clock: Clock, limitMs: number): Promise<RawRepl | undefined> {
  const reader = createReader(stream, clock);
  const endMs = clock.monotonic() + limitMs;
  while (clock.monotonic() < endMs) {
    await write(stream, INTERRUPT);
    reader.drop();
    await write(stream, ENTER_RAW);
    if ((await reader.until(BANNER, 1_000)) !== undefined) return replOver(stream, reader);
  }
  return undefined;
}

type Reader = ReturnType<typeof createReader>;

function replOver(stream: Duplex, reader: Reader): RawRepl {
  return {
    async run(program) {
      reader.drop();
      await write(stream, program + RUN);
      const taken = await reader.until('OK', ANSWER_MS);
      const output = taken === undefined ? undefined : await reader.until(RUN, ANSWER_MS);
      const error = output === undefined ? undefined : await reader.until(RUN, ANSWER_MS);
      const prompt = error === undefined ? undefined : await reader.until('>', ANSWER_MS);
      if (output === undefined || error === undefined || prompt === undefined) {
        throw new Error('The board stopped answering. Unplug it, plug it in again, and start over.');
      }
      const last = error.trimEnd().split('\n').at(-1)?.trim() ?? '';
      if (last !== '') throw new Error(last);
      return output;
    },
    leave: (program) => write(stream, program + RUN),
  };
}

/** Buffers the output of the board until it is read. */
function createReader(stream: Duplex, clock: Clock) {
  let said = '';
  let onBytes = (): void => undefined;
  stream.on('data', (chunk: Uint8Array) => {
    said = (said + Buffer.from(chunk).toString('latin1')).slice(-MAX_OUTPUT_BYTES);
    onBytes();
  });
  stream.on('error', () => onBytes());
  stream.on('close', () => onBytes());
  return {
    drop(): void {
      said = '';
    },
    /** Returns the output before this text and consumes both. Returns undefined on timeout or if the port was closed. */
    async until(text: string, limitMs: number): Promise<string | undefined> {
      const { promise, resolve } = Promise.withResolvers<void>();
      let timer: Timer | undefined = clock.setTimer(limitMs, () => {
        timer = undefined;
        resolve();
      });
      onBytes = () => void ((said.includes(text) || stream.destroyed) && resolve());
      onBytes();
      await promise;
      timer?.cancel();
      onBytes = () => undefined;
      const at = said.indexOf(text);
      if (at === -1) return undefined;
      const before = said.slice(0, at);
      said = said.slice(at + text.length);
      return before;
    },
  };
}

function write(stream: Duplex, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(Buffer.from(text, 'latin1'), (error) =>
      error === null || error === undefined ? resolve() : reject(error),
    );
  });
}
