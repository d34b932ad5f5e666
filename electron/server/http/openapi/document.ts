import type { Scope } from '#shared/api/access.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { Endpoint } from '../endpoint.ts';
import { HEADERS, operation, PARAMETERS } from './operation.ts';
import { RESPONSES } from './refusals.ts';
import { componentsFor, type Json } from './schemas.ts';

const SCOPES = {
  read: 'Read everything except settings, people and keys.',
  control: 'Light devices, and act in the place of workers.',
  admin: 'Everything.',
} satisfies Record<Scope, string>;

const TAGS = {
  batches: 'Carts and walls, and batches of orders that are picked together.',
  devices:
    'Displays, lights and sounds of devices. Commands light a device and wait for a press; statics stay on the display.',
  'location-aliases': 'Names for several places that one device serves.',
  sequences: 'Ordered steps on several devices.',
  orders: 'Orders, their shipments and items.',
  articles: 'Articles, their places and their stock. Articles are optional.',
  turbos: 'The gateways between the station and the devices.',
  alerts: 'Low batteries, weak signals, and devices and turbos that are offline.',
  callbacks: 'Deliveries to your receiver.',
  history: 'Past events of devices, orders and sequences.',
  requests: 'The log of requests to this API.',
  map: 'Racks, shelves, places of devices, and zones of racks.',
  sounds: 'Tunes and sounds that devices play.',
  station: 'Snapshot, live events and health of the station.',
  settings: 'Settings of the station.',
  backups: 'Creating and restoring complete backups.',
  access: 'Sign-in, people, keys and activity.',
  simulator: 'Simulated devices for testing.',
  documents: 'OpenAPI documents.',
} satisfies Record<Endpoint['tag'], string>;

/** Description at the beginning of the document, with what applies to every endpoint. */
const EVERYWHERE = `Light a device that \`GET /api/device/\` lists:

\`\`\`sh
curl -H 'API-KEY: my-key' -H 'content-type: application/json' \\
  -d '{"line1": "Cable tie 200", "quantity": 5, "color": "b", "seconds": 30, "nonce": "pick-1"}' \\
  http://127.0.0.1:4680/api/device/51D000:000001/
\`\`\`

Every path ends with a slash. Without it, the station returns 404 with the code \`missing_trailing_slash\`.

**Sign-in.** Send a key in the header \`API-KEY\`. The first key is the value of the environment variable \`PICKSTATION_API_KEY\` with
which the station was started; it has all rights. \`POST /api/api-users/\` creates a key for each program. Each endpoint names the
scope that it needs: \`read\`, \`control\` or \`admin\`. Each scope includes the previous one. A key in the URL is refused.

**Callbacks.** The station sends a request to your \`callback_url\` when a worker presses or a command times out. Set it with
\`PATCH /api/settings/\`; its tab **Callbacks** describes these requests and how to verify their signature. A command without a
\`nonce\` causes no callback. A client that cannot receive requests can poll \`GET /api/history/\`, or keep \`GET /api/events/\` open.

**Lists** of devices and location aliases are complete unless you send a \`limit\`. Orders, history, deliveries, requests and the audit
are always returned in pages. \`after\` is the last \`id\` of the previous page (for devices, the last DeviceID; for orders, the last \`order_number\`).
If a list has another page, the header \`Link\` contains its address, with \`rel="next"\`.

**Repeating a request.** Send each POST, PUT, PATCH and DELETE with a key, in the header \`Idempotency-Key\` or as \`key\` in the body:
one for each intended action, such as \`launch SO-1001\`. If you get no response, repeat the request with the same key, also from another run of your program. For 24 hours, a repetition by the same caller has no further effect and
returns the first response, with \`Idempotency-Replayed: true\`; secrets in it are null. A different body or path with the same key returns
409 \`key_reused\`; the order of fields, white space, and the difference between no body, \`{}\` and \`[]\` do not count. A request that was refused or changed nothing is evaluated again. Without a key, a repeated command lights again if
somebody has pressed in the meantime.

**Changes by others.** Orders, articles, the map, racks, zones, carts, walls, batches, the settings and most lists have an \`ETag\`. Send it in
\`If-None-Match\` with a GET: the station returns 304 if nothing has changed. Send it in \`If-Match\` with a change: the station returns 412
\`changed\` if a field that you set or use has changed since. Without the header, the last change wins. Endpoints that list the header
among their parameters check it; other endpoints that change something refuse it with 400.

**Request log.** \`GET /api/requests/\` lists the last requests. \`GET /api/requests/{id}/\` returns the bodies of a request,
with secrets hidden. The page Developer shows the same.

**Unknown query parameters** are refused with 400 \`unknown_parameter\`, and the response lists the known ones. \`_\`
is accepted everywhere. Outside \`/api/\`, and by the query-string interface, unknown parameters are ignored with a warning.

**Leniency.** In every body, numbers can be sent as text (\`"60"\`), texts as numbers or booleans, and \`true\` as \`"true"\`. In
requests for devices, location aliases and orders, \`null\` or an empty text means that a field is omitted or, where possible, that it
is cleared. The schemas show the exact types; clients generated from them do not depend on this leniency.

**Unknown fields** of a body are ignored, at any depth, and \`warnings\` in the response names each with the most similar known field. If the
response is a list, a file or empty, the warnings are in the header \`X-Pickstation-Warnings\`. With \`?strict=1\`, such a request is refused
with 400 and has no effect. Settings, receivers of callbacks, changes of racks and zones, each DELETE and other calls that nothing can undo always refuse unknown fields. A PATCH without any
known field is also refused.

**XML.** All JSON bodies and responses can also be \`application/xml\`: a body according to its content type, a response if \`Accept\` requests
it. The root of a body can have any name, its children are the fields, and the elements of a list can have any name. The root of a response
is \`<response>\`, with \`<i>\` for each element of a list and \`xsi:nil="true"\` for null.

**Errors** are \`application/problem+json\` (RFC 9457) with a message, a \`code\` from a fixed list, and a JSON Pointer for each
invalid field. A 405 lists the methods of the path in \`Allow\`. Retry later after 429, 503, 507 or no response; other refusals are
final. A refused request has not changed anything.

**Responses** may have additional fields in later versions: ignore fields that you do not know. Times are ISO 8601 in UTC. The
name or the description of a field states its unit.`;

/**
 * Generates the text of the OpenAPI 3.0 document for these endpoints from the schemas that validate their requests. Contract, section 13.
 */
export function* openApiDocument(
  endpoints: readonly Endpoint[],
  about: { title: string; version: string; lead?: string | undefined },
): InParts<string> {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method.toLowerCase()] = operation(endpoint);
    yield;
  }
  const tags = new Set<string>(endpoints.map(({ tag }) => tag));
  const components = yield* componentsFor(paths, { responses: RESPONSES, parameters: PARAMETERS, headers: HEADERS });
  return yield* textOf({
    openapi: '3.0.3',
    info: {
      title: about.title,
      version: about.version,
      description: about.lead === undefined ? EVERYWHERE : `${about.lead}\n\n${EVERYWHERE}`,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This station.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...components,
      ...(endpoints.some(({ right }) => right !== 'public') ? { securitySchemes: SECURITY } : {}),
    },
  });
}

/** Number of levels of a document that are written one by one: `components`, their kinds, and each of them. */
const LEVELS_IN_PARTS = 3;

/** Returns the same text as `JSON.stringify` with two spaces. */
function* textOf(value: Json, depth = 0): InParts<string> {
  const indent = '  '.repeat(depth + 1);
  const parts: string[] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
    const text =
      isObject && depth + 1 < LEVELS_IN_PARTS
        ? yield* textOf(part as Json, depth + 1)
        : JSON.stringify(part, undefined, 2).replaceAll('\n', `\n${indent}`);
    parts.push(`${indent}${JSON.stringify(key)}: ${text}`);
    yield;
  }
  return parts.length === 0 ? '{}' : `{\n${parts.join(',\n')}\n${'  '.repeat(depth)}}`;
}

/** Ways to sign in. The API key comes last, because the reference page focuses the last one. */
const SECURITY = {
  oauth2: {
    type: 'oauth2',
    description: 'Client id and secret of an API user. `Authorization: Bearer` also accepts an API key.',
    flows: { clientCredentials: { tokenUrl: '/api/oauth/token/', scopes: SCOPES } },
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User name and password. Accepted only if the setting `basic_auth` is on.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sessionid',
    description: 'The session of a browser. Writes must send the token from the sign-in in the header `x-csrf-token`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description: 'The value of `PICKSTATION_API_KEY`, the key of an API user, or the temporary key from a sign-in.',
  },
};
