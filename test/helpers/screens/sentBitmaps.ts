import { CAN_DRAW_BITMAPS } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { attachPeer, command, startRig } from '../../integration/turboLink/turboLinkRig.ts';
import type { ShownPayload } from './payloads.ts';
import { bitmapPixels, type Pixels } from './pixels.ts';
import { readBitmaps } from './wireScreens.ts';

/**
 * Sends each screen over the station's own link to a device that receives bitmaps. Returns the bitmaps decoded from the
 * wire, in the order of the payloads.
 */
export async function sendBitmaps(payloads: readonly ShownPayload[]): Promise<Pixels[]> {
  const rig = await startRig({ devices: false });
  const peer = attachPeer(rig);
  peer.hello();
  await rig.clock.advance(0);
  for (const [index, { screen, firmware, batteryMv }] of payloads.entries()) {
    const device = `AAAAAA:${index.toString(16).toUpperCase().padStart(6, '0')}`;
    peer.status({ device, capabilities: CAN_DRAW_BITMAPS, firmware, batteryMv });
    rig.turbos.want(device, command(index + 1, '', { screen, checksum: index }));
    await rig.clock.advance(0);
  }
  await rig.clock.advance(1_000);
  rig.stop();
  const bitmaps = readBitmaps(Buffer.concat(peer.received));
  return payloads.map((_, index) => {
    const bytes = bitmaps.get(index + 1);
    if (bytes === undefined) throw new Error(`Screen ${index} was never sent.`);
    return bitmapPixels(bytes);
  });
}
