import { once } from 'node:events';
import { createServer } from 'node:net';
import { dialog } from 'electron';
import type { ApiUser } from '#shared/api/access.ts';
import type { StationFetch } from './stationFetch.ts';
import { words } from './words.ts';

/** Range of ports to try: close to the default ones, and below the range that systems use for outgoing connections. */
const [FIRST, LAST] = [4683, 4699];

const ASK_WITHIN_MS = 2_000;

/** Finds a free port that will probably be free at the next start, too. Returns 0, which lets the system choose, if there is none. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let port = FIRST; port <= LAST; port += 1) if (await isFree(port, host)) return port;
  return 0;
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

/** Shows the new address of the station, and the programs that need it. `isKept` tells whether the address also applies to later starts. */
export async function showMovedPort(
  at: { url: string; isKept: boolean },
  means: { ask: StationFetch; cookie: () => Promise<string | undefined>; open: (path: string) => void },
): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: words.name,
    message: words.movedTitle(at.url),
    detail: words.moved(at.isKept, await readPrograms(at.url, means)),
    buttons: [words.ok, words.showSettings],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) means.open('/settings#network');
}

/** Returns the names of programs that have used the station with a key, or an empty list if the station does not respond. */
async function readPrograms(
  url: string,
  { ask, cookie }: { ask: StationFetch; cookie: () => Promise<string | undefined> },
): Promise<string[]> {
  try {
    const headers = { cookie: (await cookie()) ?? '' };
    const signal = AbortSignal.timeout(ASK_WITHIN_MS);
    const answer = await ask(new URL('/api/api-users/', url), { headers, signal });
    const users = (await answer.json()) as ApiUser[];
    return users.filter(({ last_used }) => last_used !== null).map(({ name }) => name);
  } catch {
    return [];
  }
}
