import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../../ports.ts';

/** A board answers a single key within milliseconds; a line of Python, even with flash to erase, within this time. */
const ANSWER_MS = 10_000;
/** More output than any of our lines has. */
const MAX_OUTPUT_BYTES = 65_536;
const BANNER = 'raw REPL; CTRL-B to exit\r\n>';
const INTERRUPT = '\r\x03\x03';
const ENTER_RAW = '\r\x01';
const RUN = '\x04';

/** The raw mode of MicroPython's prompt: programs in, their output back. One call at a time. */
export type RawRepl = {
  /** What the program printed. Rejects with its last line where it failed, and with a sentence without an answer. */
  run(program: string): Promise<string>;
  /** The same without waiting: the program restarts the board. */
  leave(program: string): Promise<void>;
};

/**
 * Interrupts what runs on the board behind an open port, and enters raw mode. Asks again until it answers or `limitMs` have
 * passed; resolves with undefined if it never does.
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

/** Collects what the board says. */
function createReader(stream: Duplex, clock: Clock) {
  let said = '';
  let heard = (): void => undefined;
  stream.on('data', (chunk: Uint8Array) => {
    said = (said + Buffer.from(chunk).toString('latin1')).slice(-MAX_OUTPUT_BYTES);
    heard();
  });
  stream.on('error', () => heard());
  stream.on('close', () => heard());
  return {
    drop(): void {
      said = '';
    },
    /** What comes before this text, which is taken with it; undefined: it did not come in time, or the port is gone. */
    async until(text: string, limitMs: number): Promise<string | undefined> {
      const { promise, resolve } = Promise.withResolvers<void>();
      let timer: Timer | undefined = clock.setTimer(limitMs, () => {
        timer = undefined;
        resolve();
      });
      heard = () => void ((said.includes(text) || stream.destroyed) && resolve());
      heard();
      await promise;
      timer?.cancel();
      heard = () => undefined;
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
