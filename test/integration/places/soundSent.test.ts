import { expect, test } from 'vitest';
import { readFrames } from '../../helpers/screens/wireScreens.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

test('sends the sound of a command as tempo and notes, regardless of how it was specified, and nothing for silence', async () => {
  const sent: Uint8Array[] = [];
  await using station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    watchTransport: (transport) => ({
      ...transport,
      write(bytes) {
        sent.push(bytes);
        return transport.write(bytes);
      },
    }),
  });
  for (const [sound, encoding] of [
    ['Ta-Da', '140,e5,1,e5,3,g5,1,g5,3,c5,1,c5,3'],
    ['15,C5,4', '15,c5,4'],
    ['none', ''],
  ] as const) {
    sent.length = 0;
    await station.post(`/api/device/${DEVICE}/`, { command: 'pick', line1: sound, nonce: 'n', sound });
    await station.clock.advance(1_000);
    const [show] = readFrames(Buffer.concat(sent)).filter(({ type, isReply }) => type === 0x10 && !isReply);
    if (show === undefined) throw new Error('Nothing was shown.');
    // 25 bytes precede the sound: device 6, token 4, checksum 4, seconds 4, quantity (none) 1, LED 1, color 3, brightness 1,
    // fixed brightness 1.
    const length = show.payload.readUInt16LE(25);
    expect(show.payload.subarray(27, 27 + length).toString()).toBe(encoding);
  }
});
