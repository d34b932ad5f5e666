import type { PreviewAnswer } from '#shared/api/preview.ts';
import type { ShownPayload } from './payloads.ts';
import { pngPixels, type Pixels } from './pixels.ts';
import type { TestStation } from '../startTestStation.ts';

/** Requests the station's preview of each request over HTTP. */
export async function previewPixels(station: TestStation, payloads: readonly ShownPayload[]): Promise<Pixels[]> {
  const pictures: Pixels[] = [];
  for (const { request, label, firmware, batteryMv } of payloads) {
    const asked = { ...request, label, firmware, voltage: batteryMv / 1_000 };
    const answer = await station.request('POST', '/api/preview/', asked);
    if (answer.status !== 200) throw new Error(`${JSON.stringify(asked)}: ${JSON.stringify(answer.body)}`);
    pictures.push(pngPixels(Buffer.from((answer.body as PreviewAnswer).png, 'base64')));
  }
  return pictures;
}
