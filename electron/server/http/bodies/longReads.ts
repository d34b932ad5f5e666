import { pipeline as pipe, Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import { keepOutOfCaches } from './formats.ts';

const pipeline = promisify(pipe);

/** Streams a CSV file of any length. Rejects if the first part fails, before the headers are sent. */
export async function sendCsv(
  { req, res }: { req: Request; res: Response },
  name: string,
  parts: AsyncGenerator<string, void, void>,
): Promise<undefined> {
  const head = await parts.next();
  res.setHeader('content-type', 'text/csv; charset=utf-8');
  res.setHeader('content-disposition', `attachment; filename="${name}"`);
  keepOutOfCaches(res);
  if (req.method === 'HEAD' || head.done === true) {
    await parts.return();
    res.end();
    return undefined;
  }
  res.write(head.value);
  // Ignore the error: callers may disconnect at any time.
  await pipeline(Readable.from(parts), res).catch(() => undefined);
  return undefined;
}

/** Returns a signal that aborts when the caller disconnects. */
export function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.on('close', () => gone.abort());
  return gone.signal;
}

/** Runs a read and aborts it when the caller disconnects. Resolves to undefined if the read was aborted. */
export async function untilGone<T>(res: Response, read: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const gone = goneSignal(res);
  try {
    return await read(gone);
  } catch (error) {
    if (gone.aborted) return undefined;
    throw error;
  }
}
