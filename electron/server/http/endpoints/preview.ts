import { previewRequestSchema, previewSchema } from '#shared/api/preview.ts';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { inWords, type Previews } from '../../services/commands/index.ts';
import { lenientPreviewRequest } from '../compat/lenientFields.ts';
import { anyObject, endpointsOf, type Endpoint } from '../endpoint.ts';
import { readValid } from '../validation.ts';
import { screenImage } from '../screenImage.ts';
import { WARNINGS_HEADER, warningsHeader } from '../warnings.ts';
import { NO_TARGET } from './examples.ts';

const define = endpointsOf('devices');

const PNG = 'image/png';

export const previewEndpoints = ({ previews }: { previews: Previews }): Endpoint[] => [
  define('preview', 'read', 'Preview a request without sending it', {
    description:
      'Accepts one request of `POST /api/devices/`, with the same rules; `deviceid` and `location` are optional. Statics are drawn together with those of the named device. With `Accept: image/png`, returns only the picture, and the warnings in the header `X-Pickstation-Warnings` as a JSON array in ASCII.',
    body: anyObject,
    documentedBody: previewRequestSchema,
    examples: {
      command: { summary: 'A command', value: { line1: 'Cable tie 200', quantity: 12, arrow: 'left', color: 'g' } },
    },
    answer: previewSchema,
    alternative: { contentType: PNG },
    refusals: { 404: NO_TARGET },
    async handle({ body, unknown, req, res }) {
      const { read, faults } = readValid(previewRequestSchema, lenientPreviewRequest(body));
      const { firmware, voltage, scale = 1, label, ...request } = read;
      const asked = { request, faults, unknown: [], strict: false };
      const preview = previews.of(asked, label);
      const { screen, device, led, seconds, sound, warnings } = preview;
      const bitmap = drawScreen(screen, {
        firmware: firmware ?? device.firmware,
        batteryMv: voltage === undefined ? device.batteryMv : voltage === null ? null : Math.round(voltage * 1_000),
      });
      const bytes = await screenImage(bitmap, scale);
      if (req.accepts('application/json', 'application/xml', 'text/xml', PNG) === PNG) {
        res.setHeader(WARNINGS_HEADER, warningsHeader([...unknown.map(inWords), ...warnings]));
        return { contentType: PNG, bytes };
      }
      return {
        png: Buffer.from(bytes).toString('base64'),
        width: SCREEN_WIDTH * scale,
        height: SCREEN_HEIGHT * scale,
        warnings,
        screen: { ...screen, lines: [...screen.lines] },
        led,
        seconds,
        sound,
      };
    },
  }),
];
