import { z } from 'zod';
import * as api from '#shared/api/turbo.ts';
import type { Telemetry } from '../../services/devices/index.ts';
import type { ControllerSearch, TurboCare, TurboLinks } from '../../services/turbos/index.ts';
import { lenientLinkChange, lenientNewLink } from '../compat/lenientFields.ts';
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
    .describe('Number of the last frame that you have. If omitted, all stored frames are returned.'),
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
      'Searches once for OpenEPaperLink access points (UDP multicast), WLED controllers and OpenDisplay displays (mDNS) in the networks of this machine, and responds after about three seconds. Does not connect to any of them. Multicast does not cross routers: enter the address of a controller behind one.',
    answer: z.array(api.foundControllerSchema),
    refusals: { 409: 'The network cannot be searched.' },
    handle: () => controllerSearch.find(),
  }),
  define('addTurboLink', 'manage_turbos', 'Connect a turbo on a serial port, or a controller on the network', {
    description:
      'The station keeps the link connected, also after a restart, and never stops retrying. It finds a USB device on any port, and resets and reopens it if it does not respond. A WLED controller has `places`: each is a device that has only a light, and is registered immediately. An OpenDisplay display is one device. If it uses encryption, send its `key`.',
    body: api.newTurboLinkSchema,
    dialect: lenientNewLink,
    examples: {
      usb: { summary: 'A port by its path', value: { path: '/dev/ttyUSB0' } },
      slow: { summary: 'A port with another baud rate', value: { path: '/dev/ttyS1', baud_rate: 115_200 } },
      strip: {
        summary: 'An LED strip with two places',
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
    refusals: { 409: 'The port or address is already connected, or there are too many links.' },
    handle: ({ body, by }) => turboLinks.add(body, by),
  }),
  define('changeTurboLink', 'manage_turbos', 'Change a link to a controller', {
    description:
      '`places` replaces all places. A place keeps its device if it has the same `number` or, without a `number`, the same label. If a place with goods loses its last light by a new label, `warnings` says so, and `?strict=1` refuses it. The device of a place that is left out becomes unreachable; `DELETE /api/device/{DeviceID}/` removes it. Set `key` to null to remove the key.',
    params: linkParams,
    body: api.turboLinkChangeSchema,
    dialect: lenientLinkChange,
    examples: { name: { summary: 'A name that says where it is', value: { name: 'Rack 3' } } },
    answer: api.turboLinkSchema,
    refusals: { 404: 'There is no such link.', 409: 'Another link has this address.' },
    handle: ({ params, body, by, strict }) => turboLinks.change(params.id, body, { by, strict }),
  }),
  define('removeTurboLink', 'manage_turbos', 'Disconnect a link', {
    description: 'The turbo keeps undelivered events, and sends them over its next link.',
    params: linkParams,
    refusals: { 404: 'There is no such link.' },
    handle: ({ params, by }) => turboLinks.remove(params.id, by),
  }),
  define('retryTurboLink', 'manage_turbos', 'Retry a link immediately', {
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
    description:
      'The counters are kept in memory and start when the turbo first connects. They are lost when the station restarts.',
    answer: z.array(api.turboTrafficSchema),
    handle: () => turboCare.listTraffic(),
  }),
  define('getTurboNetwork', 'manage_turbos', 'Get the addresses for turbos on the network', {
    description:
      'A turbo signs in with the key of an API user with the scope turbo, which `POST /api/api-users/` creates.',
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
    examples: { name: { summary: 'A name that says where it is', value: { name: 'Hall 2, north' } } },
    answer: api.turboSchema,
    refusals: { 404: 'There is no such turbo.' },
    handle: ({ params, body, by }) => turboCare.rename(params.SerialNo, body.name, by),
  }),
  define('forgetTurbo', 'manage_turbos', 'Forget a turbo that is not connected', {
    description: 'Also deletes its name and its traffic counters. The turbo is listed again once it connects.',
    params: turboParams,
    refusals: { 404: 'There is no such turbo.', 409: 'The turbo is connected.' },
    handle: ({ params, by }) => turboCare.forget(params.SerialNo, by),
  }),
  define('listTurboFrames', 'manage_turbos', 'List the last frames of a turbo', {
    description:
      'Returns decoded frames, oldest first. The station keeps at most 1,000 frames and 256 KiB, in memory. To follow new frames, repeat the request with the number of the last frame as `after`.',
    params: turboParams,
    query: framesQuery,
    parameterExamples: { after: 0 },
    answer: z.array(api.turboFrameSchema),
    refusals: { 404: 'There is no such turbo.' },
    handle: ({ params, query }) => turboCare.listFrames(params.SerialNo, query.after),
  }),
  define('exportTurboFrames', 'manage_turbos', 'Export the last frames of a turbo as a file', {
    description: 'Returns one JSON object per line.',
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
