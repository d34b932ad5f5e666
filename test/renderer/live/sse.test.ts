import * as fc from '../../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import { createSseParser, type SseMessage } from '../../../renderer/src/station/live/sse.ts';
import { createRawStreamPort, type StreamEnd } from '../../../renderer/src/station/live/stream.ts';

const STREAM = [
  'retry: 1000\n\n',
  'id: 7\nevent: facts\ndata: [{"a":1}]\n\n',
  ':\n\n',
  'event: reset\r\ndata: {}\r\n\r\n',
  'data:one\ndata: two\n\n',
].join('');

const HEARD: SseMessage[] = [
  { kind: 'event', event: 'facts', id: '7', data: '[{"a":1}]' },
  { kind: 'comment' },
  { kind: 'event', event: 'reset', id: undefined, data: '{}' },
  { kind: 'event', event: 'message', id: undefined, data: 'one\ntwo' },
];

function parse(pieces: readonly string[]): SseMessage[] {
  const heard: SseMessage[] = [];
  const feed = createSseParser((message) => heard.push(message));
  for (const piece of pieces) feed(piece);
  return heard;
}

test('parses events, comments and both kinds of line endings', () => {
  expect(parse([STREAM])).toEqual(HEARD);
});

test('parses the same events wherever the stream is split', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end));
      expect(parse(pieces)).toEqual(HEARD);
    }),
  );
});

describe('the stream of the station', () => {
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  /** Opens this response as a stream. Returns the listener's calls as `heard`, and the request headers as `asked`. */
  function open(answer: Response, after?: number) {
    const heard: unknown[] = [];
    const asked: Headers[] = [];
    const openStream = createRawStreamPort((input, init) => {
      expect(input).toBe('/api/events/');
      asked.push(new Headers(init?.headers));
      return Promise.resolve(answer);
    });
    const close = openStream(after, {
      opened: () => heard.push('opened'),
      onMessage: (message) => heard.push(message),
      failed: (reason: StreamEnd) => heard.push(reason),
    });
    return { heard, asked, close };
  }

  test('reports facts with their revision, ephemera and resets, and treats anything else as a sign of life', async () => {
    const text = 'event: ephemera\ndata: {"turbos":[]}\n\nevent: of the future\ndata: {}\n\n';
    const { heard, asked } = open(new Response(STREAM + text), 6);
    await settled();
    expect(asked[0]?.get('last-event-id')).toBe('6');
    expect(heard).toEqual([
      'opened',
      { kind: 'facts', revision: 7, text: '[{"a":1}]' },
      { kind: 'alive' },
      { kind: 'reset' },
      { kind: 'alive' },
      { kind: 'ephemera', text: '{"turbos":[]}' },
      { kind: 'alive' },
      'lost',
    ]);
  });

  test('does not open if the station refuses, and reports a missing session', async () => {
    for (const [status, reason] of [
      [401, 'signedOut'],
      [403, 'lost'],
      [503, 'lost'],
    ] as const) {
      const { heard, asked } = open(new Response('{}', { status }));
      await settled();
      expect(asked[0]?.has('last-event-id')).toBe(false);
      expect(heard).toEqual([reason]);
    }
  });

  test('reports nothing after it is closed, not even the end of the stream', async () => {
    const { heard, close } = open(new Response(STREAM));
    close();
    await settled();
    expect(heard.filter((each) => each !== 'opened')).toEqual([]);
  });
});
