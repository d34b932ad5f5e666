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
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('turbos');

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
    define('GET /api/turbo/', {
      operationId: 'listTurbos',
      summary: 'List the turbos',
      right: 'read',
      answer: z.array(turboSchema),
      handle: () => telemetry.turbos(),
    }),
    // Before the routes of one turbo, whose serial number could be any word.
    define('GET /api/turbo/ports/', {
      operationId: 'listSerialPorts',
      summary: 'List the serial ports of this machine',
      description:
        'Those of USB devices first. Where the system cannot list them, a port can be named by hand all the same.',
      right: 'manage_turbos',
      answer: z.array(serialPortSchema),
      handle: () => turboLinks.listPorts(),
    }),
    define('GET /api/turbo/links/', {
      operationId: 'listTurboLinks',
      summary: 'List the serial ports that are kept open for turbos, and how it goes with each',
      right: 'read',
      answer: z.array(turboLinkSchema),
      handle: () => turboLinks.list(),
    }),
    define('POST /api/turbo/links/', {
      operationId: 'addTurboLink',
      summary: 'Connect the turbo on a serial port',
      description:
        'From now on, and over restarts, the port is kept open. A USB device is found again in whatever socket it is plugged; what does not answer is reset, opened anew and tried for ever.',
      right: 'manage_turbos',
      body: newTurboLinkSchema,
      dialect: lenientFields({ path: 'text', baud_rate: 'number' }),
      examples: {
        usb: { summary: 'A port by its path', value: { path: '/dev/ttyUSB0' } },
        slow: { summary: 'One with a line of its own speed', value: { path: '/dev/ttyS1', baud_rate: 115_200 } },
      },
      status: 201,
      answer: turboLinkSchema,
      refusals: { 409: 'The port is kept open already, or too many are.' },
      handle: ({ body, by }) => turboLinks.add(body, by),
    }),
    define('DELETE /api/turbo/links/{id}/', {
      operationId: 'removeTurboLink',
      summary: 'Disconnect a serial port',
      description: 'What its turbo still holds it keeps, and brings over the next link.',
      right: 'manage_turbos',
      params: linkParams,
      refusals: { 404: 'There is no such link.' },
      handle: ({ params, by }) => turboLinks.remove(params.id, by),
    }),
    define('POST /api/turbo/links/{id}/retry/', {
      operationId: 'retryTurboLink',
      summary: 'Try a serial port again at once',
      right: 'manage_turbos',
      params: linkParams,
      answer: turboLinkSchema,
      refusals: { 404: 'There is no such link.' },
      handle: ({ params }) => turboLinks.retry(params.id),
    }),
    define('GET /api/turbo/traffic/', {
      operationId: 'listTurboTraffic',
      summary: 'What passed between the station and each turbo, and what went wrong',
      description: 'Since each was heard first, in memory alone: a start of the station begins anew.',
      right: 'read',
      answer: z.array(turboTrafficSchema),
      handle: () => turboCare.listTraffic(),
    }),
    define('GET /api/turbo/network/', {
      operationId: 'getTurboNetwork',
      summary: 'Where a turbo in the network connects',
      description: 'It signs in with the key of an API user of the scope turbo: POST /api/api-users/.',
      right: 'manage_turbos',
      answer: turboNetworkSchema,
      handle: network,
    }),
    define('GET /api/turbo/{SerialNo}/', {
      operationId: 'getTurbo',
      summary: 'One turbo',
      right: 'read',
      params: turboParams,
      answer: turboSchema,
      refusals: { 404: 'There is no such turbo.' },
      handle: ({ params }) => turboCare.get(params.SerialNo),
    }),
    define('PATCH /api/turbo/{SerialNo}/', {
      operationId: 'renameTurbo',
      summary: 'Name a turbo',
      description: 'The name is kept over restarts. An empty one gives it back what it calls itself.',
      right: 'manage_turbos',
      params: turboParams,
      body: turboChangeSchema,
      examples: { name: { summary: 'A name that says where it hangs', value: { name: 'Hall 2, north' } } },
      answer: turboSchema,
      refusals: { 404: 'There is no such turbo.' },
      handle: ({ params, body, by }) => turboCare.rename(params.SerialNo, body.name, by),
    }),
    define('DELETE /api/turbo/{SerialNo}/', {
      operationId: 'forgetTurbo',
      summary: 'Forget a turbo that is not connected',
      description: 'Its name and what passed are forgotten too. It is listed again once it is heard.',
      right: 'manage_turbos',
      params: turboParams,
      refusals: { 404: 'There is no such turbo.', 409: 'It is connected.' },
      handle: ({ params, by }) => turboCare.forget(params.SerialNo, by),
    }),
    define('GET /api/turbo/{SerialNo}/frames/', {
      operationId: 'listTurboFrames',
      summary: 'The last frames that passed between the station and a turbo',
      description:
        'Oldest first, decoded; at most 1,000 of them and 256 KiB of bytes are kept, in memory alone. To follow, ask again with the last number in `after`.',
      right: 'manage_turbos',
      params: turboParams,
      query: framesQuery,
      parameterExamples: { after: 0 },
      answer: z.array(turboFrameSchema),
      refusals: { 404: 'There is no such turbo.' },
      handle: ({ params, query }) => turboCare.listFrames(params.SerialNo, query.after),
    }),
    define('GET /api/turbo/{SerialNo}/frames/export/', {
      operationId: 'exportTurboFrames',
      summary: 'The same as a file',
      description: 'One JSON object a line.',
      right: 'manage_turbos',
      params: turboParams,
      answer: { contentType: 'application/x-ndjson' },
      refusals: { 404: 'There is no such turbo.' },
      handle({ params, res }) {
        const bytes = Buffer.from(turboCare.exportFrames(params.SerialNo), 'utf8');
        res.setHeader('content-disposition', 'attachment; filename="turbo-frames.ndjson"');
        return { contentType: 'application/x-ndjson; charset=utf-8', bytes };
      },
    }),
  ];
}
