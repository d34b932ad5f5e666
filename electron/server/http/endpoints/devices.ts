import { countText } from '#shared/lib/text/locale.ts';
import { z } from 'zod';
import * as api from '#shared/api/device.ts';
import type { Right } from '#shared/api/rights.ts';
import { MAX_REQUESTS } from '#shared/lib/devices/deviceLimits.ts';
import { changesStatics } from '#shared/lib/requests/deviceRequest.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { StationError } from '../../errors.ts';
import type { Asked, BulkElement, Requests } from '../../services/commands/index.ts';
import type { Devices, Telemetry } from '../../services/devices/index.ts';
import { deviceRequestContent, lenientDeviceRequest } from '../compat/lenientFields.ts';
import { unknownFieldsOf } from '../compat/unknownFields.ts';
import { anyObject, endpointsOf, setMixedStatus, type Endpoint, type Examples } from '../endpoint.ts';
import { BULK_LIMIT } from '../bodies/requestBody.ts';
import { readValid } from '../validation.ts';
import { screenImage } from '../screenImage.ts';
import { DEVICE, NO_DEVICE, NO_TARGET } from './examples.ts';

const define = endpointsOf('devices');

const COMMAND = {
  summary: 'A command: flashes red until somebody presses, for at most one minute',
  value: { command: 'flash', line1: 'Cable tie 200', quantity: 12, color: 'r', seconds: 60, nonce: 'pick-1' },
};
const STATICS = {
  summary: 'Statics, which stay on the display',
  value: { locationoverride: 'A-3-2', statica: 'Cable tie 200', staticb: 'on hand 75' },
};
const KILL = { summary: 'Removes all commands', value: { command: 'kill' } };
const BULK = {
  one: { summary: 'One request', value: { deviceid: DEVICE, line1: 'Cable tie 200', quantity: 2 } },
  many: {
    summary: 'Several requests, addressed by DeviceID or by place',
    value: [
      { deviceid: DEVICE, command: 'pick', line1: 'Cable tie 200', quantity: 2, color: 'g', nonce: 'order-7' },
      { location: 'B-1-1', command: 'pick', line1: 'Cable tie 300', quantity: 5, color: 'g', nonce: 'order-7' },
    ],
  },
  stock: {
    summary: 'Stock figures: statics for many places by label',
    value: [
      { location: 'A-3-2', statica: 'Cable tie 200', staticb: 'on hand 63' },
      { location: 'B-1-1', statica: 'Cable tie 300', staticb: 'on hand 9' },
    ],
  },
  mixed: {
    summary: 'One request is refused: returns 207',
    value: [
      { deviceid: DEVICE, statica: 'Cable tie 200' },
      { deviceid: '51D0FF:000009', line1: 'Nobody hears this' },
    ],
  },
};

export const deviceParams = z.object({
  DeviceID: z
    .string()
    .toUpperCase()
    .describe('Two groups of six hexadecimal digits.')
    .meta({ example: '51D000:000001' }),
});

const bulkBody = z.union([z.array(z.unknown()).max(MAX_REQUESTS), anyObject], {
  error: `Send one JSON object, or an array of at most ${countText(MAX_REQUESTS)} of them. Split a longer one into several calls.`,
});

const unknownIn = unknownFieldsOf(api.deviceRequestSchema);

type Parts = { devices: Devices; requests: Requests; telemetry: Telemetry };

export function deviceEndpoints({ devices, requests, telemetry }: Parts): Endpoint[] {
  const send = (name: 'sendToDevice' | 'sendToDeviceByPut', examples: Examples) =>
    define(name, ['send', 'edit_labels'], 'Send a command, or change statics and settings', {
      examples,
      description: `A request with \`command\` or a text line is a **command**: it waits in the queue of the device, lights the LED, and ends with a press or after its \`seconds\`.
A device shows its commands one after the other: each is \`queued\`, then \`sent\`, then \`shown\`. Only a shown command can be acknowledged by a press.
A command causes a callback only if it has a \`nonce\`. A new command replaces an earlier command with the same nonce or, without a nonce, an identical
one, and its time starts over. After a press, the same request lights the device again. To retry a request without a response safely, send it with an \`Idempotency-Key\`.

\`kill\` removes every command from the device, or only those with its \`nonce\`, without a callback.

Any other request is **statics**: it changes what stays on the display. Fields that are left out stay unchanged.

POST and PUT do the same.`,
      params: deviceParams,
      body: anyObject,
      documentedBody: api.deviceRequestSchema,
      contentOf: deviceRequestContent,
      namesUnknown: true,
      answer: api.deviceResultSchema,
      refusals: { 404: NO_DEVICE },
      handle(call) {
        const { params, body, strict, by } = call;
        const asked = askedBy(body, strict);
        call.demand(rightFor(asked.request));
        return requests.toDevice(params.DeviceID, asked, by);
      },
    });

  const bulk = (name: 'sendToDevices' | 'sendToDevicesByPut', examples: Examples) =>
    define(name, ['send', 'edit_labels'], 'Send one or several requests, addressed by deviceid or location', {
      examples,
      description:
        'Accepts the same requests as `POST /api/device/{DeviceID}/`, each with `deviceid` or `location`. Use it for pick lists and stock figures in bulk. For an array, returns an array in the same order, with the status 200 if all requests succeeded, otherwise 207. Each element has its own `status`. Valid requests take effect even if others are refused. At most 1,000 requests and 4 MiB.',
      body: bulkBody,
      namesUnknown: true,
      contentOf: deviceRequestContent,
      documentedBody: z.union([api.deviceRequestSchema, z.array(api.deviceRequestSchema).max(MAX_REQUESTS)]),
      limit: BULK_LIMIT,
      otherStatuses: [207],
      answer: z.union([api.deviceResultSchema, z.array(api.bulkResultSchema)]),
      refusals: { 404: NO_TARGET },
      async handle(call) {
        const { body, strict, by, res } = call;
        if (!Array.isArray(body)) {
          const asked = askedBy(body, strict);
          call.demand(rightFor(asked.request));
          return requests.addressed(asked, by);
        }
        const elements = await readInParts(body, strict);
        const needed = new Set(elements.flatMap((element) => (element.ok ? [rightFor(element.request)] : [])));
        for (const right of needed) call.demand(right);
        const results = await requests.bulk(elements, by);
        setMixedStatus(res, results);
        return results;
      },
    });

  return [
    define('listDevices', 'read', 'List the DeviceIDs of all devices', {
      query: api.deviceListQuerySchema,
      page: { after: String },
      parameterExamples: { limit: 100, after: '51D000:000001' },
      tagged: [],
      answer: z.array(api.deviceIdSchema),
      handle: ({ query }) => devices.listIds(query),
    }),
    define('getDevice', 'read', 'Get a device', {
      params: deviceParams,
      answer: api.deviceSchema,
      refusals: { 404: NO_DEVICE },
      handle: ({ params }) => devices.get(params.DeviceID),
    }),
    send('sendToDevice', {
      command: COMMAND,
      statics: STATICS,
      kill: KILL,
      again: { ...COMMAND, summary: 'The same command again' },
    }),
    send('sendToDeviceByPut', { statics: STATICS }),
    define('getDeviceScreen', 'read', 'Get a picture of the display', {
      params: deviceParams,
      query: z.object({
        scale: z.coerce
          .number()
          .int()
          .min(1)
          .max(8)
          .default(1)
          .describe('Width of each display pixel, in pixels of the picture.'),
      }),
      parameterExamples: { scale: 2 },
      answer: { contentType: 'image/png' },
      refusals: { 404: NO_DEVICE },
      async handle({ params, query }) {
        const device = devices.get(params.DeviceID);
        const bitmap = drawScreen(device.displayed?.screen ?? EMPTY_SCREEN, {
          firmware: device.firmware,
          batteryMv: device.displayed === null ? null : telemetry.batteryMv(device.deviceid),
          size: device.screen_size,
        });
        return { contentType: 'image/png', bytes: await screenImage(bitmap, query.scale) };
      },
    }),
    bulk('sendToDevices', BULK),
    bulk('sendToDevicesByPut', { one: BULK.one, mixed: BULK.mixed }),
  ];
}

/** Returns the right that a device request requires, which depends on whether it changes statics or sends a command. */
export function rightFor(request: api.DeviceRequest): Right {
  return changesStatics(request) ? 'edit_labels' : 'send';
}

/** Number of elements to parse per step, so that presses are handled in between. */
const PART = 250;

async function readInParts(body: readonly unknown[], strict: boolean): Promise<BulkElement[]> {
  const elements: BulkElement[] = [];
  for (let start = 0; start < body.length; start += PART) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const element of body.slice(start, start + PART)) elements.push(bulkElement(element, strict));
  }
  return elements;
}

function bulkElement(element: unknown, strict: boolean): BulkElement {
  try {
    return { ok: true, ...askedBy(element, strict) };
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    return { ok: false, error, deviceid: '' };
  }
}

function askedBy(body: unknown, strict: boolean): Asked {
  const { read: request, faults } = readValid(api.deviceRequestSchema, lenientDeviceRequest(body));
  return { request, faults, unknown: unknownIn(body), strict };
}
