import type { Ephemera, Fact } from '#shared/api/station.ts';
import { createSseParser } from './sse.ts';

/** A message of the event stream. `alive` shows only that the station answers. */
export type StreamMessage =
  | { kind: 'facts'; revision: number; facts: readonly Fact[] }
  | { kind: 'ephemera'; ephemera: Ephemera }
  | { kind: 'reset' }
  | { kind: 'alive' };

/** A message before parsing. Messages are passed between threads as text, because that is cheaper. */
export type RawMessage =
  | { kind: 'facts'; revision: number; text: string }
  | { kind: 'ephemera'; text: string }
  | { kind: 'reset' }
  | { kind: 'alive' };

export type StreamEnd = 'signedOut' | 'lost';

export type Listener<Message> = {
  opened(): void;
  onMessage(message: Message): void;
  /** Called when the stream has ended or could not be opened. No further calls follow. */
  failed(reason: StreamEnd): void;
};

type Open<Message> = (after: number | undefined, listener: Listener<Message>) => () => void;

/**
 * Opens the stream of events after revision `after`, or from now on if it is undefined. Returns a function that
 * closes the stream; no calls follow after that.
 */
export type OpenStream = Open<StreamMessage>;
export type OpenRawStream = Open<RawMessage>;
export type StreamListener = Listener<StreamMessage>;

/** Creates a function that opens `GET /api/events/` with `fetch`. */
export function createRawStreamPort(fetchStream: typeof fetch): OpenRawStream {
  return (after, listener) => {
    const abort = new AbortController();
    const headers = new Headers({ accept: 'text/event-stream' });
    if (after !== undefined) headers.set('last-event-id', String(after));
    const request = { headers, signal: abort.signal, cache: 'no-store', credentials: 'same-origin' } as const;
    const ifOpen = {
      ...listener,
      onMessage: (message: RawMessage) => abort.signal.aborted || listener.onMessage(message),
    };
    void read(fetchStream('/api/events/', request), ifOpen).then((reason) => {
      if (!abort.signal.aborted) listener.failed(reason);
    });
    return () => abort.abort();
  };
}

/** Wraps a raw stream, and parses its messages. */
export function decoded(openRaw: OpenRawStream): OpenStream {
  return (after, listener) =>
    openRaw(after, {
      opened: () => listener.opened(),
      onMessage: (raw) => listener.onMessage(decode(raw)),
      failed: (reason) => listener.failed(reason),
    });
}

/** Parses a message. Throws if the text is not JSON. */
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
      if (message.kind === 'comment') return listener.onMessage({ kind: 'alive' });
      listener.onMessage(rawOf(message.event, message.id, message.data));
    });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'lost';
      parse(decoder.decode(value, { stream: true }));
    }
  } catch {
    // The stream was aborted or interrupted, or is not valid, so reconnect.
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
