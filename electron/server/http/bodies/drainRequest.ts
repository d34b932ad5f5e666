import type { IncomingMessage } from 'node:http';

/** Limits for reading an unwanted body: bytes, milliseconds in total, and milliseconds without data. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 2_000;
const SILENCE_MS = 100;

/**
 * Reads the rest of a body for a short time before the connection closes. Closing a connection with unread data can discard the response,
 * and the sender would not learn why the request failed.
 */
export async function drainRequest(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  const limit = setTimeout(resolve, MAX_MS);
  const silence = setTimeout(() => {
    // If the event loop was busy, this timer runs before data received in the meantime is read.
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
