import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { MESSAGES } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { renderProtocolPage } from '../../../tools/protocolPage.ts';

const page = readFileSync(new URL('../../../docs/turbo-protocol.md', import.meta.url), 'utf8');

test('the protocol page matches the table (else: node tools/protocolPage.ts)', () => {
  expect(page).toBe(renderProtocolPage());
});

test('the bytes on the page match the examples next to them', () => {
  const blocks = [...page.matchAll(/### Example of (\w+)\n\n```\n([^`]*)```/g)];
  expect(blocks.map(([, name]) => name)).toEqual(Object.keys(MESSAGES));
  const decoded: [string, unknown][] = [];
  const parser = new FrameParser({
    frame(type, _flags, seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string' || seq !== 0x0102) throw new Error(`bad frame ${seq}`);
      decoded.push([message.name, message.body]);
    },
    junk: (count) => {
      throw new Error(`${count} bytes of junk`);
    },
  });
  for (const [, , hex] of blocks) parser.push(Buffer.from((hex ?? '').replaceAll(/\s/g, ''), 'hex'), 0);
  expect(decoded).toEqual(Object.entries(EXAMPLES));
});
