import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { createSseParser, type SseMessage } from '../../renderer/src/station/sse.ts';

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

test('events, comments and both kinds of line ends are read', () => {
  expect(parse([STREAM])).toEqual(HEARD);
});

test('where the network cuts the stream does not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end));
      expect(parse(pieces)).toEqual(HEARD);
    }),
  );
});
