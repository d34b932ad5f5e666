import { expect, test } from 'vitest';
import { createCopier } from '../../../electron/server/copier/copier.ts';

/** Asks a process for a table. The process sends these messages, and ends. */
function readBy(messages: readonly object[]): Promise<unknown> {
  const copier = createCopier(
    (_program, heard) => {
      setImmediate(() => {
        for (const message of messages) heard.message(message);
        heard.ended('ended with 1');
      });
      return { send: () => undefined, kill: () => undefined };
    },
    () => undefined,
    { setTimer: () => ({ cancel: () => undefined }) },
  );
  return copier.readTable(Buffer.from('SKU'), null, new AbortController().signal);
}

test('a process that ends while it reads a file needs too much memory for the file', async () => {
  await expect(readBy([{ kind: 'more' }])).rejects.toMatchObject({ code: 'invalid' });
});

test('a process that ends before it begins to read is not the fault of the file', async () => {
  await expect(readBy([])).rejects.toMatchObject({
    code: 'internal',
    message: 'The file was not read: the process for it ended with 1. Try again; the station keeps running.',
  });
});
