import type { IncomingMessage } from 'node:http';

/** So much more is read of what nobody wants, in bytes and milliseconds; and so long is waited for any of it. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 2_000;
const SILENCE_MS = 100;

/**
 * Reads on for a moment before a connection is closed in the middle of a body, and resolves then: a connection that is closed
 * over what was not read takes the answer with it, and who sends ten megabytes would never learn why not.
 */
export async function drainRequest(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  const limit = setTimeout(resolve, MAX_MS);
  const silence = setTimeout(() => {
    // Where the loop was held up, what came meanwhile is read only after the timers.
    const soFar = read;
    setImmediate(() => (read === soFar ? resolve() : undefined));
  }, SILENCE_MS);
  const more = (chunk: Buffer): void => {
    read += chunk.length;
    if (read > MAX_BYTES) resolve();
    silence.refresh();
  };
  const ends = ['end', 'close', 'error'] as const;
  for (const end of ends) req.once(end, resolve);
  req.unpipe();
  req.on('data', more);
  req.resume();
  await promise;
  clearTimeout(limit);
  clearTimeout(silence);
  req.off('data', more);
  for (const end of ends) req.off(end, resolve);
}
