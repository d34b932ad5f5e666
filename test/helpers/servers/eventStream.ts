import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Fact } from '#shared/api/station.ts';
import { API_KEY } from '../startTestStation.ts';

export type SentEvent = { id: number | undefined; event: string; data: unknown };

export type EventStream = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Returns everything received so far. */
  text(): string;
  messages(): SentEvent[];
  /** Returns the messages about commits, in order. */
  commits(): { id: number; facts: Fact[] }[];
  /** Waits until `holds` returns true. Fails if the stream ends first. */
  until(holds: () => boolean): Promise<void>;
  /** Pauses or resumes reading. */
  pause(): void;
  resume(): void;
  /** Resolves when the stream has ended, from either side. */
  ended(): Promise<void>;
  /** Returns whether the other side ended the stream cleanly. */
  isWhole(): boolean;
  close(): void;
};

/** Opens the live stream with a reader that stores everything it receives. */
export async function openStream(
  url: string,
  /** `headers` replaces the header with the API key. */
  options: { lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
    ...(options.headers ?? { 'api-key': API_KEY }),
  };
  if (options.lastEventId !== undefined) headers['last-event-id'] = options.lastEventId;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(new URL('/api/events/', url), { headers, agent: false }, resolve);
    call.on('error', reject);
    call.end();
  });
  let text = '';
  let isOpen = true;
  let waiting: (() => void)[] = [];
  const look = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      isOpen = false;
      look();
      resolve();
    });
  });

  const stream: EventStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    messages: () => parseMessages(text),
    commits: () =>
      parseMessages(text)
        .filter(({ event }) => event === 'facts')
        .map(({ id, data }) => ({ id: id ?? Number.NaN, facts: data as Fact[] })),
    async until(holds) {
      while (!holds()) {
        if (!isOpen) throw new Error(`The stream ended after ${text.length} characters: ${text.slice(-500)}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    ended: () => ended,
    isWhole: () => response.complete,
    close: () => void response.destroy(),
  };
  return stream;
}

function parseMessages(text: string): SentEvent[] {
  const messages: SentEvent[] = [];
  for (const block of text.split('\n\n').slice(0, -1)) {
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    const data = fields.get('data');
    if (data === undefined) continue;
    const id = fields.get('id');
    messages.push({
      id: id === undefined ? undefined : Number(id),
      event: fields.get('event') ?? 'message',
      data: JSON.parse(data) as unknown,
    });
  }
  return messages;
}
