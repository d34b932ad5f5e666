import { z } from 'zod';
import {
  newTurboLinkSchema,
  serialPortSchema,
  turboChangeSchema,
  turboFrameSchema,
  turboLinkSchema,
  turboNetworkSchema,
  turboSchema,
  turboTrafficSchema,
  type TurboNetwork,
} from '#shared/api/turbo.ts';
import type { Telemetry } from '../../services/devices/index.ts';
import type { TurboCare, TurboLinks } from '../../services/turbos/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

const linkParams = z.object({ id: z.string() });

const turboParams = z.object({ SerialNo: z.string() });
const framesQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The number of the last frame that was seen; without it all that are kept.'),
});

export function turboEndpoints(parts: {
  telemetry: Telemetry;
  turboLinks: TurboLinks;
  turboCare: TurboCare;
  network: () => TurboNetwork;
}): Endpoint[] {
  const { telemetry, turboLinks, turboCare, network } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/turbo/',
      tag: 'turbos',
      summary: 'List the turbos',
      right: 'read',
      answer: z.array(turboSchema),
      handle: () => telemetry.turbos(),
    }),
    // Before those of one turbo, whose serial number could be any word.
    endpoint({
      method: 'GET',
      path: '/api/turbo/ports/',
      tag: 'turbos',
      summary: 'List the serial ports of this machine',
      description:
        'Those of USB devices first. Where the system cannot list them, a port can be named by hand all the same.',
      right: 'manage_turbos',
      answer: z.array(serialPortSchema),
      handle: () => turboLinks.listPorts(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/links/',
      tag: 'turbos',
      summary: 'List the serial ports that are kept open for turbos, and how it goes with each',
      right: 'read',
      answer: z.array(turboLinkSchema),
      handle: () => turboLinks.list(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/turbo/links/',
      tag: 'turbos',
      summary: 'Connect the turbo on a serial port',
      description:
        'From now on, and over restarts, the port is kept open. A USB device is found again in whatever socket it is plugged; what does not answer is reset, opened anew and tried for ever.',
      right: 'manage_turbos',
      body: newTurboLinkSchema,
      dialect: lenientFields({ path: 'text', baud_rate: 'number' }),
      status: 201,
      answer: turboLinkSchema,
      handle: ({ body, by }) => turboLinks.add(body, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/turbo/links/{id}/',
      tag: 'turbos',
      summary: 'Disconnect a serial port',
      description: 'What its turbo still holds it keeps, and brings over the next link.',
      right: 'manage_turbos',
      params: linkParams,
      status: 204,
      answer: z.undefined(),
      handle: ({ params, by }) => turboLinks.remove(params.id, by),
    }),
    endpoint({
      method: 'POST',
      path: '/api/turbo/links/{id}/retry/',
      tag: 'turbos',
      summary: 'Try a serial port again at once',
      right: 'manage_turbos',
      params: linkParams,
      answer: turboLinkSchema,
      handle: ({ params }) => turboLinks.retry(params.id),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/traffic/',
      tag: 'turbos',
      summary: 'What passed between the station and each turbo, and what went wrong',
      description: 'Since each was heard first, in memory alone: a start of the station begins anew.',
      right: 'read',
      answer: z.array(turboTrafficSchema),
      handle: () => turboCare.listTraffic(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/network/',
      tag: 'turbos',
      summary: 'Where a turbo in the network connects',
      description: 'It signs in with the key of an API user of the scope turbo: POST /api/api-users/.',
      right: 'manage_turbos',
      answer: turboNetworkSchema,
      handle: network,
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/{SerialNo}/',
      tag: 'turbos',
      summary: 'One turbo',
      right: 'read',
      params: turboParams,
      answer: turboSchema,
      handle: ({ params }) => turboCare.get(params.SerialNo),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/turbo/{SerialNo}/',
      tag: 'turbos',
      summary: 'Name a turbo',
      description: 'The name is kept over restarts. An empty one gives it back what it calls itself.',
      right: 'manage_turbos',
      params: turboParams,
      body: turboChangeSchema,
      answer: turboSchema,
      handle: ({ params, body, by }) => turboCare.rename(params.SerialNo, body.name, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/turbo/{SerialNo}/',
      tag: 'turbos',
      summary: 'Forget a turbo that is not connected',
      description: 'Its name and what passed are forgotten too. It is listed again once it is heard.',
      right: 'manage_turbos',
      params: turboParams,
      status: 204,
      answer: z.undefined(),
      handle: ({ params, by }) => turboCare.forget(params.SerialNo, by),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/{SerialNo}/frames/',
      tag: 'turbos',
      summary: 'The last frames that passed between the station and a turbo',
      description:
        'Oldest first, decoded; at most 1,000 of them and 256 KiB of bytes are kept, in memory alone. To follow, ask again with the last number in `after`.',
      right: 'manage_turbos',
      params: turboParams,
      query: framesQuery,
      answer: z.array(turboFrameSchema),
      handle: ({ params, query }) => turboCare.listFrames(params.SerialNo, query.after),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/{SerialNo}/frames/export/',
      tag: 'turbos',
      summary: 'The same as a file',
      description: 'One JSON object a line.',
      right: 'manage_turbos',
      params: turboParams,
      answer: { contentType: 'application/x-ndjson' },
      handle({ params, res }) {
        const bytes = Buffer.from(turboCare.exportFrames(params.SerialNo), 'utf8');
        res.setHeader('content-disposition', 'attachment; filename="turbo-frames.ndjson"');
        return { contentType: 'application/x-ndjson; charset=utf-8', bytes };
      },
    }),
  ];
}
