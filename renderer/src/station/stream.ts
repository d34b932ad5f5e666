import type { Ephemera, Fact } from '#shared/api/station.ts';
import { createSseParser } from './sse.ts';

/** What the event stream says. `alive` carries nothing but the news that the station is there. */
export type StreamMessage =
  | { kind: 'facts'; revision: number; facts: readonly Fact[] }
  | { kind: 'ephemera'; ephemera: Ephemera }
  | { kind: 'reset' }
  | { kind: 'alive' };

export type StreamListener = {
  opened(): void;
  heard(message: StreamMessage): void;
  /** The stream ended or never began. Nothing follows. */
  failed(reason: 'signedOut' | 'lost'): void;
};

/**
 * Opens the stream of events after revision `after`, or from now on. Answers what closes it; a closed stream says
 * nothing more.
 */
export type OpenStream = (after: number | undefined, listener: StreamListener) => () => void;

/** The real stream: `GET /api/events/`, read with `fetch`. */
export function createStreamPort(fetchStream: typeof fetch): OpenStream {
  return (after, listener) => {
    const abort = new AbortController();
    const headers = new Headers({ accept: 'text/event-stream' });
    if (after !== undefined) headers.set('last-event-id', String(after));
    const request = { headers, signal: abort.signal, cache: 'no-store', credentials: 'same-origin' } as const;
    void read(fetchStream('/api/events/', request), listener).then((reason) => {
      if (!abort.signal.aborted) listener.failed(reason);
    });
    return () => abort.abort();
  };
}

async function read(answer: Promise<Response>, listener: StreamListener): Promise<'signedOut' | 'lost'> {
  try {
    const response = await answer;
    if (response.status === 401) return 'signedOut';
    if (!response.ok || response.body === null) return 'lost';
    listener.opened();
    const parse = createSseParser((message) => {
      if (message.kind === 'comment') return listener.heard({ kind: 'alive' });
      listener.heard(decode(message.event, message.id, message.data));
    });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'lost';
      parse(decoder.decode(value, { stream: true }));
    }
  } catch {
    // Aborted, cut off, or not what we speak: begin again.
    return 'lost';
  }
}

function decode(event: string, id: string | undefined, data: string): StreamMessage {
  switch (event) {
    case 'facts':
      return { kind: 'facts', revision: Number(id), facts: JSON.parse(data) as Fact[] };
    case 'ephemera':
      return { kind: 'ephemera', ephemera: JSON.parse(data) as Ephemera };
    case 'reset':
      return { kind: 'reset' };
    default:
      return { kind: 'alive' };
  }
}
