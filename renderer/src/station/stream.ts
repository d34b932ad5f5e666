import type { Ephemera, Fact } from '#shared/api/station.ts';
import { createSseParser } from './sse.ts';

/** What the event stream says. `alive` only says that the station answers. */
export type StreamMessage =
  | { kind: 'facts'; revision: number; facts: readonly Fact[] }
  | { kind: 'ephemera'; ephemera: Ephemera }
  | { kind: 'reset' }
  | { kind: 'alive' };

/** The same as it came: a text is cheaper to pass on than what it says. */
export type RawMessage =
  | { kind: 'facts'; revision: number; text: string }
  | { kind: 'ephemera'; text: string }
  | { kind: 'reset' }
  | { kind: 'alive' };

export type StreamEnd = 'signedOut' | 'lost';

export type Listener<Message> = {
  opened(): void;
  heard(message: Message): void;
  /** The stream ended or never began. Nothing follows. */
  failed(reason: StreamEnd): void;
};

type Open<Message> = (after: number | undefined, listener: Listener<Message>) => () => void;

/**
 * Opens the stream of events after revision `after`, or from now on. Answers what closes it; a closed stream says
 * nothing more.
 */
export type OpenStream = Open<StreamMessage>;
export type OpenRawStream = Open<RawMessage>;
export type StreamListener = Listener<StreamMessage>;

/** The real stream: `GET /api/events/`, read with `fetch`. */
export function createRawStreamPort(fetchStream: typeof fetch): OpenRawStream {
  return (after, listener) => {
    const abort = new AbortController();
    const headers = new Headers({ accept: 'text/event-stream' });
    if (after !== undefined) headers.set('last-event-id', String(after));
    const request = { headers, signal: abort.signal, cache: 'no-store', credentials: 'same-origin' } as const;
    const ifOpen = { ...listener, heard: (message: RawMessage) => abort.signal.aborted || listener.heard(message) };
    void read(fetchStream('/api/events/', request), ifOpen).then((reason) => {
      if (!abort.signal.aborted) listener.failed(reason);
    });
    return () => abort.abort();
  };
}

/** A stream that tells what the raw one says. */
export function decoded(openRaw: OpenRawStream): OpenStream {
  return (after, listener) =>
    openRaw(after, {
      opened: () => listener.opened(),
      heard: (raw) => listener.heard(decode(raw)),
      failed: (reason) => listener.failed(reason),
    });
}

/** Throws where the text is not JSON. */
export function decode(raw: RawMessage): StreamMessage {
  if (raw.kind === 'facts')
    return { kind: 'facts', revision: raw.revision, facts: JSON.parse(raw.text) as readonly Fact[] };
  if (raw.kind === 'ephemera') return { kind: 'ephemera', ephemera: JSON.parse(raw.text) as Ephemera };
  return raw;
}

async function read(answer: Promise<Response>, listener: Listener<RawMessage>): Promise<StreamEnd> {
  try {
    const response = await answer;
    if (response.status === 401) return 'signedOut';
    if (!response.ok || response.body === null) return 'lost';
    listener.opened();
    const parse = createSseParser((message) => {
      if (message.kind === 'comment') return listener.heard({ kind: 'alive' });
      listener.heard(rawOf(message.event, message.id, message.data));
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

function rawOf(event: string, id: string | undefined, text: string): RawMessage {
  switch (event) {
    case 'facts':
      return { kind: 'facts', revision: Number(id), text };
    case 'ephemera':
      return { kind: 'ephemera', text };
    case 'reset':
      return { kind: 'reset' };
    default:
      return { kind: 'alive' };
  }
}
