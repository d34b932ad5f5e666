import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';

/** Maximum number of times that the station begins to read a file without finishing. */
const MAX_BEGUN = 2;
/** Maximum number of files to remember. Usually there is one, because the station reads one file at a time. */
const MAX_MARKS = 100;

export const READ_TWICE =
  'The station ended twice while it read this file, so it does not read it again. Check or split the file, and copy it to the inbox again.';

type Context = { reads: TablesOf<'folders'>; repositories: TablesOf<'folders'>; writer: Pick<Writer, 'write'> };

/**
 * Reads a file of the inbox. First stores that the file is being read, so that a file that ends the station is not read after every start.
 * Returns `endedTwice` without reading it if the station has ended twice while it read the file.
 */
export async function whileReading<Read>(
  { reads, repositories, writer }: Context,
  { hash, name }: { hash: string; name: string },
  read: () => Promise<Read>,
): Promise<Read | 'endedTwice'> {
  const { inboxFiles } = repositories;
  const others = () => reads.inboxFiles.listReading().filter((each) => each.hash !== hash);
  const begun = reads.inboxFiles.listReading().find((each) => each.hash === hash)?.begun ?? 0;
  const forget = (): Promise<void> => writer.write(() => inboxFiles.saveReading(others()));
  if (begun >= MAX_BEGUN) {
    await forget();
    return 'endedTwice';
  }
  await writer.write(() =>
    inboxFiles.saveReading([...others().slice(1 - MAX_MARKS), { hash, name, begun: begun + 1 }]),
  );
  try {
    return await read();
  } finally {
    await forget();
  }
}

/** Returns a function that tells whether the station was reading this file when it ended. */
export function suspectsIn({ reads }: Pick<Context, 'reads'>): (name: string) => boolean {
  const names = new Set(reads.inboxFiles.listReading().map(({ name }) => name));
  return (name) => names.has(name);
}
