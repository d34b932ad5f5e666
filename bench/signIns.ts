import { BODY, deviceId } from './loads.ts';
import { ADMIN_PASSWORD, type ServerProcess } from './processes.ts';
import { spreadOf, untilQuiet, type Spread } from './bulks.ts';
import { openConnection } from './wire.ts';

/** People who sign in repeatedly at the same moment: hashing a password is slow on purpose. */
const PEOPLE = 20;
/** Commands cycle through these devices, each replacing the one before. */
const DEVICES = 32;

/** Milliseconds of answers to commands, for `durationMs`; with `signIns` while many people sign in. */
export async function timePosts(
  station: ServerProcess,
  { first, durationMs, signIns }: { first: number; durationMs: number; signIns: boolean },
): Promise<Spread> {
  const connection = await openConnection(station.url);
  const times: number[] = [];
  const endAt = performance.now() + durationMs;
  const signedIn = signIns ? Promise.all(Array.from({ length: PEOPLE }, () => signInUntil(station, endAt))) : undefined;
  for (let index = 0; performance.now() < endAt; index += 1) {
    const path = `/api/device/${deviceId(first + (index % DEVICES))}/`;
    const startedAt = performance.now();
    await connection.request('POST', path, JSON.stringify({ ...BODY, quantity: index, nonce: 'post', seconds: 0 }));
    times.push(performance.now() - startedAt);
  }
  await signedIn;
  for (let index = 0; index < DEVICES; index += 1)
    await connection.request('POST', `/api/device/${deviceId(first + index)}/`, '{"command":"kill"}');
  connection.close();
  await untilQuiet(station);
  return spreadOf(times);
}

async function signInUntil(station: ServerProcess, endAt: number): Promise<void> {
  const connection = await openConnection(station.url);
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD });
  while (performance.now() < endAt) await connection.request('POST', '/api/user/login/', body);
  connection.close();
}
