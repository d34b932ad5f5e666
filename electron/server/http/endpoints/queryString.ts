import { z } from 'zod';
import { deviceRequestSchema, deviceResultSchema, isStrict, strictQuerySchema } from '#shared/api/device.ts';
import { parseQueryString, QUERY_STRING_SECTIONS } from '#shared/api/queryString.ts';
import { StationError } from '../../errors.ts';
import type { Requests } from '../../services/commands/index.ts';
import { addressWith } from '../compat/queryStringAddress.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { readValid } from '../validation.ts';
import { deviceParams, rightFor } from './devices.ts';
import { NO_DEVICE } from './examples.ts';

const define = endpointsOf('devices');

type Section = (typeof QUERY_STRING_SECTIONS)[number];

const SECTIONS = {
  command: z
    .string()
    .describe('flash or message, pick or display, kill, static, static2, location.')
    .meta({ example: 'message' }),
  texts: z
    .string()
    .describe('line1 and line2, separated by a tilde. A backslash is %5c, a slash %2f.')
    .meta({ example: 'M8 x 20~Box 4' }),
  more_texts: z.string().describe('line3, line4 and line5, separated by tildes.').meta({ example: 'Shelf~A-3~2' }),
  tune: z.string().describe('A sound encoding, the name of a tune, or `none`.').meta({ example: '300,a5,1,g5s,1' }),
  seconds_color: z
    .string()
    .describe('Seconds and color, both optional. All leading digits are seconds; # is %23.')
    .meta({ example: '20rb' }),
  nonce: z.string().describe('Your reference, returned in callbacks.').meta({ example: 'tx1' }),
} as const satisfies Record<Section, z.ZodType>;

const ROUTE_NAMES = {
  command: 'sendByAddressCommand',
  texts: 'sendByAddressTexts',
  more_texts: 'sendByAddressMoreTexts',
  tune: 'sendByAddressTune',
  seconds_color: 'sendByAddressSecondsColor',
  nonce: 'sendByAddressNonce',
} as const satisfies Record<Section, string>;

const DESCRIPTION = `For clients that can only open a URL. The rules, the queue and the response are the same as for \`POST /api/device/{DeviceID}/\`. Send the key in the header \`API-KEY\` here too. The complete URL is

    /api/{DeviceID}/{command}/{line1~line2}/{line3~line4~line5}/{tune}/{seconds}{color}/{nonce}/
    /api/51D000:000001/message/M8%20x%2020~Box%204/~/none/20rb/tx1/

You can leave out unneeded sections at the end, and the last slash. For an empty section in between, write \`none\` for the tune and \`~\` for any other section, or leave it empty. \`static\`, \`static2\` and \`location\` accept only texts; an empty text clears the field. Percent-encode texts as UTF-8. To send a text with a tilde, use POST.`;

/** Returns the endpoints of the query-string interface, one for each number of sections. Contract, section 5. */
export function queryStringEndpoints({ requests }: { requests: Pick<Requests, 'toDevice'> }): Endpoint[] {
  return QUERY_STRING_SECTIONS.map((last, index) => {
    const names = QUERY_STRING_SECTIONS.slice(0, index + 1);
    const isLongest = names.length === QUERY_STRING_SECTIONS.length;
    return define(ROUTE_NAMES[last], ['send', 'edit_labels'], `Send a request as a URL with sections up to ${last}`, {
      // The longest route also matches additional sections, and refuses them with a reason.
      route: addressWith(names, { takesMore: isLongest }),
      description: DESCRIPTION,
      hasEffect: true,
      params: z.object({
        DeviceID: deviceParams.shape.DeviceID,
        ...Object.fromEntries(names.map((name) => [name, SECTIONS[name]])),
      }),
      query: strictQuerySchema,
      ...(last === 'command' ? { parameterExamples: { command: 'kill' } } : {}),
      answer: deviceResultSchema,
      refusals: { 404: NO_DEVICE },
      async handle(call) {
        const { params, query, by, req } = call;
        const sections = names.map((name) => (params as Partial<Record<Section, string>>)[name] ?? '');
        const beyond = req.path.split('/').slice(3 + QUERY_STRING_SECTIONS.length);
        const parsed = parseQueryString([...sections, ...beyond]);
        if (!parsed.ok) throw new StationError('invalid', parsed.message, [{ path: '', message: parsed.message }]);
        const { read: request, faults } = readValid(deviceRequestSchema, parsed.request);
        call.demand(rightFor(request));
        const asked = { request, faults, unknown: [], strict: isStrict(query) };
        const result = await requests.toDevice(params.DeviceID, asked, by);
        const isOdd = req.url.includes('?') && Object.keys(req.query).join() !== 'strict';
        return isOdd ? { ...result, warnings: [...result.warnings, IGNORED_QUERY] } : result;
      },
    });
  });
}

const IGNORED_QUERY = 'Ignored: what follows the question mark, but for strict. In a text it is %3F.';
