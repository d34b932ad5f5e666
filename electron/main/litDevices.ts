import { applyFacts } from '#shared/api/reducer.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import type { StationFetch } from './stationFetch.ts';

const AGAIN_MS = 2_000;
/** Minimum time between updates of the tray, because programs may light many devices at once. */
const REPORT_MS = 250;

/** Places or DeviceIDs of the lit devices, sorted by DeviceID. Undefined if nobody is signed in or the station does not respond. */
export type LitPlaces = readonly string[] | undefined;

/**
 * Follows the lit devices through the event stream and snapshots, like any client. Calls `cookie` for each connection, and `onChange` after
 * each change, until `stop` is called.
 */
export function followLit(parts: {
  url: string;
  ask: StationFetch;
  cookie: () => Promise<string | undefined>;
  onChange: (lit: LitPlaces) => void;
}): { again(): void; stop(): void } {
  const { url, ask, cookie, onChange } = parts;
  let connection = new AbortController();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let report: NodeJS.Timeout | undefined;
  let reported: string | undefined;
  let newest: LitPlaces;

  function accept(lit: LitPlaces): void {
    newest = lit;
    report ??= setTimeout(() => {
      report = undefined;
      const text = JSON.stringify(newest);
      if (stopped || text === reported) return;
      reported = text;
      onChange(newest);
    }, REPORT_MS).unref();
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const known = await cookie();
    if (known === undefined) return accept(undefined);
    const headers = { cookie: known };
    // Open the stream first, so that no event is missed while the snapshot loads.
    const stream = await ask(new URL('/api/events/', url), { headers, signal });
    const snapshot = await ask(new URL('/api/station/', url), { headers, signal });
    if (!stream.ok || !snapshot.ok || stream.body === null) return accept(undefined);
    let station = (await snapshot.json()) as Station;
    accept(litOf(station));
    for await (const { event, id, data } of messages(stream.body)) {
      if (event === 'reset') return;
      if (event !== 'facts') continue;
      station = applyFacts(station, JSON.parse(data) as Fact[], Number(id));
      accept(litOf(station));
    }
  }

  function connect(): void {
    clearTimeout(timer);
    connection.abort();
    connection = new AbortController();
    const { signal } = connection;
    follow(signal)
      .catch(() => accept(undefined))
      .finally(() => {
        if (!stopped && !signal.aborted) timer = setTimeout(connect, AGAIN_MS).unref();
      });
  }

  connect();
  return {
    again: connect,
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(report);
      connection.abort();
    },
  };
}

/** Returns the places or DeviceIDs of lit devices. */
export function litOf(station: Station): string[] {
  return station.devices
    .filter(({ commands }) => commands.some(({ state }) => state === 'shown'))
    .map(({ location, deviceid }) => (location === '' ? deviceid : location));
}

type Message = { event: string; id: string; data: string };

/**
 * Yields the messages of the station's event stream. A message consists of lines for its id, event and data, and ends with an empty line.
 */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? '';
      yield { event: field('event'), id: field('id'), data: field('data') };
    }
  }
}
