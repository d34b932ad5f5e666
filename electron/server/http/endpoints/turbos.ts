import { z } from 'zod';
import * as api from '#shared/api/turbo.ts';
import type { Telemetry } from '../../services/devices/index.ts';
import type { ControllerSearch, TurboCare, TurboLinks } from '../../services/turbos/index.ts';
import { lenientFields, lenientLinkChange } from '../compat/lenientFields.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('turbos');

const linkParams = idParams('link', '1');

export const turboParams = z.object({
  SerialNo: z.string().describe('The serial number of the turbo.').meta({ example: 'SIM-1' }),
});
const framesQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The number of the last frame that you have; without it all stored frames.'),
});

type Parts = {
  telemetry: Telemetry;
  turboLinks: TurboLinks;
  turboCare: TurboCare;
  controllerSearch: ControllerSearch;
  network: () => api.TurboNetwork;
};

/** Endpoints for links to turbos on serial ports and to controllers on the network. */
const linkEndpoints = ({
  turboLinks,
  controllerSearch,
}: Pick<Parts, 'turboLinks' | 'controllerSearch'>): Endpoint[] => [
  define('listSerialPorts', 'manage_turbos', 'List the serial ports of this machine', {
    description: 'USB devices come first. If the system cannot list its ports, you can still connect one by its path.',
    answer: z.array(api.serialPortSchema),
    handle: () => turboLinks.listPorts(),
  }),
  define('listTurboLinks', 'read', 'List the links to turbos with their states', {
    tagged: [],
    answer: z.array(api.turboLinkSchema),
    handle: () => turboLinks.list(),
  }),
  define('findControllers', 'manage_turbos', 'Search the network for controllers', {
    description:
      'Asks once for OpenEPaperLink access points (UDP multicast), WLED controllers and OpenDisplay displays (mDNS) in the networks of this machine, and answers after about three seconds. Connects to none of them. Multicast does not pass routers: enter the address of a controller behind one.',
    answer: z.array(api.foundControllerSchema),
    refusals: { 409: 'The network cannot be searched.' },
    handle: () => controllerSearch.find(),
  }),
  define('addTurboLink', 'manage_turbos', 'Connect the turbo on a serial port, or a controller in the network', {
    description:
      'The station keeps it connected, also after a restart, without giving up. It finds a USB device in any socket, and resets and reopens it if it does not answer. A WLED controller has `places`: each is a device that is only a light, and is known at once. An OpenDisplay display is one device; one that encrypts needs its `key`.',
    body: api.newTurboLinkSchema,
    dialect: lenientFields({ path: 'text', baud_rate: 'number', url: 'text', name: 'text' }),
    examples: {
      usb: { summary: 'A port by its path', value: { path: '/dev/ttyUSB0' } },
      slow: { summary: 'A port with its own baud rate', value: { path: '/dev/ttyS1', baud_rate: 115_200 } },
      strip: {
        summary: 'A LED strip with two places',
        value: {
          kind: 'wled',
          url: 'http://127.0.0.1:9/',
          places: [
            { label: 'A-1', start: 0, count: 5 },
            { label: 'A-2', start: 5, count: 5 },
          ],
        },
      },
      display: {
        summary: 'A display with its key',
        value: { kind: 'opendisplay', url: 'opendisplay://127.0.0.1:9', key: '00112233445566778899AABBCCDDEEFF' },
      },
    },
    status: 201,
    answer: api.turboLinkSchema,
    refusals: { 409: 'The port or the address is already connected, or too many are.' },
    handle: ({ body, by }) => turboLinks.add(body, by),
  }),
  define('changeTurboLink', 'manage_turbos', 'Change a link to a controller', {
    description:
      '`places` replaces all places. A place keeps its device by its `number`, or by its label where the number is left out. The device of a place that is left out is out of reach from then on; DELETE /api/device/{DeviceID}/ removes it. `key`: null removes it.',
    params: linkParams,
    body: api.turboLinkChangeSchema,
    dialect: lenientLinkChange,
    examples: { name: { summary: 'A name for its place', value: { name: 'Rack 3' } } },
    answer: api.turboLinkSchema,
    refusals: { 404: 'There is no such link.', 409: 'Another link has this address.' },
    handle: ({ params, body, by }) => turboLinks.change(params.id, body, by),
  }),
  define('removeTurboLink', 'manage_turbos', 'Disconnect a link', {
    description: 'The turbo keeps what it has not delivered yet, and sends it over its next link.',
    params: linkParams,
    refusals: { 404: 'There is no such link.' },
    handle: ({ params, by }) => turboLinks.remove(params.id, by),
  }),
  define('retryTurboLink', 'manage_turbos', 'Retry a link at once', {
    actsOutside: true,
    params: linkParams,
    answer: api.turboLinkSchema,
    refusals: { 404: 'There is no such link.' },
    handle: ({ params }) => turboLinks.retry(params.id),
  }),
];

export const turboEndpoints = ({ telemetry, turboLinks, turboCare, controllerSearch, network }: Parts): Endpoint[] => [
  define('listTurbos', 'read', 'List the turbos', {
    answer: z.array(api.turboSchema),
    handle: () => telemetry.turbos(),
  }),
  // These must come before the endpoints of a single turbo, whose serial number matches any word.
  ...linkEndpoints({ turboLinks, controllerSearch }),
  define('listTurboTraffic', 'read', 'List the traffic and the errors of each turbo', {
    description: 'Counted in memory since the turbo first connected; a restart of the station clears it.',
    answer: z.array(api.turboTrafficSchema),
    handle: () => turboCare.listTraffic(),
  }),
  define('getTurboNetwork', 'manage_turbos', 'Get the addresses for turbos in the network', {
    description: 'A turbo signs in with the key of an API user with the scope turbo: POST /api/api-users/.',
    answer: api.turboNetworkSchema,
    handle: network,
  }),
  define('getTurbo', 'read', 'Get a turbo', {
    params: turboParams,
    answer: api.turboSchema,
    refusals: { 404: 'There is no such turbo.' },
    handle: ({ params }) => turboCare.get(params.SerialNo),
  }),
  define('renameTurbo', 'manage_turbos', 'Rename a turbo', {
    description: 'An empty name restores the name that the turbo reports.',
    params: turboParams,
    body: api.turboChangeSchema,
    examples: { name: { summary: 'A name for its place', value: { name: 'Hall 2, north' } } },
    answer: api.turboSchema,
    refusals: { 404: 'There is no such turbo.' },
    handle: ({ params, body, by }) => turboCare.rename(params.SerialNo, body.name, by),
  }),
  define('forgetTurbo', 'manage_turbos', 'Forget a turbo that is not connected', {
    description: 'Deletes its name and its traffic too. The turbo is listed again once it connects.',
    params: turboParams,
    refusals: { 404: 'There is no such turbo.', 409: 'The turbo is connected.' },
    handle: ({ params, by }) => turboCare.forget(params.SerialNo, by),
  }),
  define('listTurboFrames', 'manage_turbos', 'List the last frames of a turbo', {
    description:
      'Decoded, oldest first. The station keeps at most 1,000 frames and 256 KiB, in memory. To follow, repeat the request with the last number in `after`.',
    params: turboParams,
    query: framesQuery,
    parameterExamples: { after: 0 },
    answer: z.array(api.turboFrameSchema),
    refusals: { 404: 'There is no such turbo.' },
    handle: ({ params, query }) => turboCare.listFrames(params.SerialNo, query.after),
  }),
  define('exportTurboFrames', 'manage_turbos', 'Export the last frames of a turbo as a file', {
    description: 'One JSON object per line.',
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
