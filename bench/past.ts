/** Queries over a long history, and how they delay presses. */
import { median, type Goal } from './goals.ts';
import { timePresses } from './bulks.ts';
import { API_KEY, type ServerProcess } from './processes.ts';
import { openConnection } from './wire.ts';

/** Queries of each kind per round. */
const ASKED = 9;
const DAY_MS = 86_400_000;
/** Consecutive summaries of everything. */
const SUMMARIES = 2;

/** `from`: a day in the middle; `deviceid`: one of many. */
export type Past = { rows: number; from: number; deviceid: string };

/** Measures a station with this history. */
export async function measurePast(station: ServerProcess, past: Past, rounds: number): Promise<Goal[]> {
  const day = `from=${new Date(past.from).toISOString()}&to=${new Date(past.from + DAY_MS).toISOString()}`;
  const questions: readonly (readonly [name: string, path: string, atMost: number])[] = [
    ['a page of history', '/api/history/?limit=100', 20],
    ['the same of one device', `/api/history/?limit=100&deviceid=${past.deviceid}`, 20],
    ['the same of one kind', '/api/history/?limit=100&kind=timedOut', 20],
    ['the same of a day', `/api/history/?limit=100&${day}`, 20],
    ['a summary of a day', `/api/history/summary/?${day}`, 100],
  ];
  const goals: Goal[] = questions.map(([name, , atMost]) => ({
    name: `${name}, among ${past.rows.toLocaleString('en')} rows`,
    unit: 'ms',
    values: [],
    atMost,
  }));
  const whole: Goal = { name: 'a summary of all of them', unit: 'ms', values: [] };
  const press: Goal = { name: 'press → callback, median, during summaries / idle', unit: 'x', values: [], atMost: 1.2 };
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, path]] of questions.entries()) goals[index]?.values.push(await timeOf(station, path, ASKED));
    whole.values.push(await timeOf(station, '/api/history/summary/', 1));
    const idle = await timePresses(station, undefined);
    const stop = startSummaries(station);
    const busy = await timePresses(station, undefined);
    await stop();
    press.values.push(busy.p50 / idle.p50);
  }
  return [...goals, whole, press];
}

/** Median milliseconds to the whole answer, minus the processor time of other programs. */
async function timeOf(station: ServerProcess, path: string, times: number): Promise<number> {
  const connection = await openConnection(station.url);
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const waitedMs = station.waitedMs();
    const startedAt = performance.now();
    await connection.request('GET', path, '');
    taken.push(performance.now() - startedAt - (station.waitedMs() - waitedMs));
  }
  connection.close();
  return median(taken);
}

/** Requests summaries of everything repeatedly. */
function startSummaries(station: ServerProcess): () => Promise<void> {
  const stopped = new AbortController();
  const all = Array.from({ length: SUMMARIES }, async () => {
    while (!stopped.signal.aborted) {
      await fetch(new URL('/api/history/summary/', station.url), {
        headers: { 'api-key': API_KEY },
        signal: stopped.signal,
      })
        .then((answer) => answer.text())
        .catch(() => undefined);
    }
  });
  return async () => {
    stopped.abort();
    await Promise.all(all);
  };
}
