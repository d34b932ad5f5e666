import type { Settings } from '#shared/api/settings.ts';
import type { Station } from '#shared/api/station.ts';
import { StationError } from '../errors.ts';
import type { Started } from '../stationPorts.ts';

const LIMIT_MS = 30_000;

export type CopyAnswers = { devices: number; settings: Pick<Settings, 'listen' | 'port'> };

/** Requests the health of a started station and, as its owner, its contents. Throws `internal` if a response is not as expected. */
export async function askCopy(started: Started): Promise<CopyAnswers> {
  const health = await ask(started, '/healthz');
  if (health['status'] !== 'ok') throw unwell('/healthz', JSON.stringify(health));
  const { sessionId } = await started.signIn();
  const cookie = `sessionid=${sessionId}`;
  const settings = (await ask(started, '/api/settings/', cookie)) as CopyAnswers['settings'];
  const { devices } = (await ask(started, '/api/station/', cookie)) as Pick<Station, 'devices'>;
  return { devices: devices.length, settings };
}

/** Sends a request over the loopback interface, where the station's certificate need not be trusted. Returns the JSON of the response. */
async function ask({ url }: Started, path: string, cookie = ''): Promise<Record<string, unknown>> {
  const { request } = url.startsWith('https') ? await import('node:https') : await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const sent = request(new URL(path, url), {
    headers: cookie === '' ? {} : { cookie },
    rejectUnauthorized: false,
    agent: false,
    timeout: LIMIT_MS,
  });
  const fail = (why: string): void => reject(unwell(path, why));
  sent.on('timeout', () => sent.destroy(new Error(`no answer within ${LIMIT_MS / 1_000} s`)));
  sent.on('error', ({ message }) => fail(message));
  sent.on('response', (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('error', ({ message }) => fail(message));
    answer.on('end', () => {
      const text = Buffer.concat(parts).toString();
      if (answer.statusCode !== 200) return fail(`${answer.statusCode} ${text.slice(0, 200)}`);
      try {
        resolve(JSON.parse(text) as Record<string, unknown>);
      } catch {
        fail(text.slice(0, 200));
      }
    });
  });
  sent.end();
  return promise;
}

function unwell(path: string, why: string): StationError {
  return new StationError('internal', `The station started on a copy of the data, but answered ${path} with: ${why}`);
}
