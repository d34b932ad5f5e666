import { z } from 'zod';
import {
  bulkResultSchema,
  deviceIdSchema,
  deviceListQuerySchema,
  deviceRequestSchema,
  deviceResultSchema,
  deviceSchema,
  isStrict,
  strictQuerySchema,
  type DeviceRequest,
} from '#shared/api/device.ts';
import type { Right } from '#shared/api/rights.ts';
import { changesStatics } from '#shared/lib/deviceRequest.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { StationError } from '../../errors.ts';
import type { Asked, BulkElement, Devices, Requests, Telemetry } from '../../services/devices/index.ts';
import { MAX_ELEMENTS } from '../bodyLimits.ts';
import { lenientDeviceRequest, unknownFields } from '../compat/lenientFields.ts';
import { anyObject, endpoint, type Endpoint } from '../endpoint.ts';
import { readValid } from '../router.ts';
import { screenImage } from '../screenImage.ts';

const BULK_LIMIT = 16 * 1024 * 1024;

export const deviceParams = z.object({
  DeviceID: z.string().describe('Two groups of six hexadecimal digits.').meta({ example: '51D000:000001' }),
});

const bulkBody = z.union([z.array(z.unknown()).max(MAX_ELEMENTS), anyObject], {
  error: `Send one JSON object, or an array of at most ${MAX_ELEMENTS} of them.`,
});

export function deviceEndpoints(parts: { devices: Devices; requests: Requests; telemetry: Telemetry }): Endpoint[] {
  const { devices, requests, telemetry } = parts;

  const send = (method: 'POST' | 'PUT') =>
    endpoint({
      method,
      path: '/api/device/{DeviceID}/',
      tag: 'devices',
      summary: 'Send a command, or change statics and settings',
      description: `A request with \`command\` or a text line is a **command**: it is queued, lights the LED, and ends by a press or by its \`seconds\`.
Commands for one device are shown one after the other: each is \`queued\`, then \`sent\`, then \`shown\`, which alone a press ends.
Only one with a \`nonce\` causes a callback. The same nonce again, or without one an equal command, takes the place of the
earlier one, and its time starts anew: send again what was not answered.

\`kill\` takes every command from the device, or only what has its \`nonce\`, without a callback.

Anything else is **statics**: it changes what stays on the display. A field that is not given stays as it is.

POST and PUT are the same.`,
      right: ['send', 'edit_labels'],
      params: deviceParams,
      query: strictQuerySchema,
      body: anyObject,
      documentedBody: deviceRequestSchema,
      answer: deviceResultSchema,
      handle(call) {
        const { params, query, body, by } = call;
        const asked = askedBy(body, isStrict(query));
        call.demand(rightFor(asked.request));
        return requests.toDevice(params.DeviceID.toUpperCase(), asked, by);
      },
    });

  const bulk = (method: 'POST' | 'PUT') =>
    endpoint({
      method,
      path: '/api/devices/',
      tag: 'devices',
      summary: 'Send one request or many, each addressed by deviceid or location',
      description:
        'What POST /api/device/{DeviceID}/ takes, and in each request `deviceid` or `location`: lists to pick and stock figures in bulk. An array is answered by an array in the same order: 200 where all succeeded, else 207, and each says its own `status`. What is right in it takes effect.',
      right: ['send', 'edit_labels'],
      query: strictQuerySchema,
      body: bulkBody,
      documentedBody: z.union([deviceRequestSchema, z.array(deviceRequestSchema).max(MAX_ELEMENTS)]),
      limit: BULK_LIMIT,
      otherStatuses: [207],
      answer: z.union([deviceResultSchema, z.array(bulkResultSchema)]),
      async handle(call) {
        const { body, query, by, res } = call;
        const strict = isStrict(query);
        if (!Array.isArray(body)) {
          const asked = askedBy(body, strict);
          call.demand(rightFor(asked.request));
          return requests.addressed(asked, by);
        }
        const elements = await readInParts(body, strict);
        const needed = new Set(elements.flatMap((element) => (element.ok ? [rightFor(element.request)] : [])));
        for (const right of needed) call.demand(right);
        const results = await requests.bulk(elements, by);
        if (results.some((result) => result.status !== 200)) res.status(207);
        return results;
      },
    });

  return [
    endpoint({
      method: 'GET',
      path: '/api/device/',
      tag: 'devices',
      summary: 'List the DeviceIDs of all devices',
      right: 'read',
      query: deviceListQuerySchema,
      answer: z.array(deviceIdSchema),
      handle: ({ query }) => devices.listIds(query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/device/{DeviceID}/',
      tag: 'devices',
      summary: 'Inspect one device',
      right: 'read',
      params: deviceParams,
      answer: deviceSchema,
      handle: ({ params }) => devices.get(params.DeviceID.toUpperCase()),
    }),
    send('POST'),
    send('PUT'),
    endpoint({
      method: 'GET',
      path: '/api/device/{DeviceID}/screen/',
      tag: 'devices',
      summary: 'What the display shows now, as a picture',
      right: 'read',
      params: deviceParams,
      query: z.object({
        scale: z.coerce.number().int().min(1).max(8).default(1).describe('Width of one pixel of the display.'),
      }),
      answer: { contentType: 'image/png' },
      async handle({ params, query }) {
        const device = devices.get(params.DeviceID.toUpperCase());
        const bitmap = drawScreen(device.displayed?.screen ?? EMPTY_SCREEN, {
          firmware: device.firmware,
          batteryMv: device.displayed === null ? null : telemetry.batteryMv(device.deviceid),
        });
        return { contentType: 'image/png', bytes: await screenImage(bitmap, query.scale) };
      },
    }),
    bulk('POST'),
    bulk('PUT'),
  ];
}

/** Which right a request needs: it is of commands, or of what stays on the display. */
export function rightFor(request: DeviceRequest): Right {
  return changesStatics(request) ? 'edit_labels' : 'send';
}

/** Elements that are read at once: a press that comes meanwhile is taken between two parts. */
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
  const { read: request, faults } = readValid(deviceRequestSchema, lenientDeviceRequest(body));
  return { request, faults, unknown: unknownFields(body), strict };
}
