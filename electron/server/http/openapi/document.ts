import type { Scope } from '#shared/api/access.ts';
import type { Endpoint } from '../endpoint.ts';
import { operation } from './operation.ts';
import { RESPONSES } from './refusals.ts';
import { componentsFor, type Json } from './schemas.ts';

const SCOPES = {
  read: 'Look at everything but settings, people and keys.',
  control: 'Light devices, and stand in for workers.',
  admin: 'Everything.',
} satisfies Record<Scope, string>;

const TAGS = {
  devices: 'What devices show, light and play. Commands are lit and wait for a press; statics stay on the display.',
  'location-aliases': 'One device that stands for several places.',
  sequences: 'Ordered steps over several devices.',
  orders: 'Orders, their shipments and items.',
  turbos: 'The radio gateways.',
  alerts: 'What somebody has to look after: batteries, signals, silent devices and turbos.',
  callbacks: 'What was told to your receiver, and what waits for it.',
  history: 'What happened.',
  requests: 'What was asked of this API, and answered.',
  map: 'Racks, shelves, which device hangs where, and zones of racks.',
  sounds: 'What devices can play.',
  station: 'The whole of it: snapshot, live events, health.',
  settings: 'How the station behaves.',
  backups: 'Copies of everything, and the way back to one of them.',
  access: 'Signing in, people, keys, and who did what.',
  simulator: 'Devices without hardware, to try things with.',
  documents: 'These descriptions.',
} satisfies Record<Endpoint['tag'], string>;

/** The description of the document: what applies to every endpoint. */
const EVERYWHERE = `With a key, and a device that \`GET /api/device/\` lists:

\`\`\`sh
curl -H 'API-KEY: my-key' -H 'content-type: application/json' \\
  -d '{"line1": "Cable tie 200", "quantity": 5, "color": "b", "seconds": 30, "nonce": "pick-1"}' \\
  http://127.0.0.1:4680/api/device/51D000:000001/
\`\`\`

Every path ends with a slash; without it the answer is 404 with the code \`missing_trailing_slash\`.

**Sign-in.** Send a key in the header \`API-KEY\`. The first is the text that the station was started with in the variable
\`PICKSTATION_API_KEY\`, and may do everything; \`POST /api/api-users/\` gives each program one of its own. Each endpoint names the
scope that it needs: \`read\`, \`control\`, \`admin\`, of which each includes the one before. A key in the address is never taken.

**Being told.** The station calls one address of yours when a worker has pressed or the time is over: \`callback_url\` in
\`PATCH /api/settings/\`, where the tab **Callbacks** shows what comes, and how its signature is checked. A command
without a \`nonce\` causes no callback. Who cannot be called asks \`GET /api/history/\`, or keeps \`GET /api/events/\` open.

**Lists** of devices and location aliases come as a whole unless there is a \`limit\`; orders, history, deliveries, requests and the audit always
come in pages. \`after\` is the last \`id\` of the page before (of devices the last DeviceID, of orders the last order_number); behind the last page is an empty one.

**Looking on.** \`GET /api/requests/\` shows the last requests, each with what was sent and answered, secrets hidden; the page
Developer of the window does so too.

**Leniency.** In every body numbers may come as text (\`"60"\`), texts as numbers or booleans, and \`true\` as \`"true"\`. In
what is sent for devices, location aliases and orders, \`null\` or an empty text means that a field is not given, or, where it can
be, that it is cleared. Unknown fields are ignored, which \`warnings\` of a device's answer says, except in settings and changes
of racks and zones, where they are refused. The schemas show what to send; clients made from them need none of this.

**XML.** What goes as JSON goes as \`application/xml\` too: a body by its content type, an answer where \`Accept\` asks for it. The
root of a body may have any name, its children are the fields, and the elements of a list may have any name. Answers are
\`<response>\`, with \`<i>\` for each element of a list and \`xsi:nil="true"\` for null.

**Errors** are \`application/problem+json\` (RFC 9457) with a sentence, a \`code\` from a closed list, and for each field that
is not valid a JSON Pointer. 405 names the methods that a path has in \`Allow\`. Send again later what was answered 429, 503 or
507, or not at all; other refusals stay. What was refused has changed nothing.

**Answers** may have further fields in a later version. Times are ISO 8601 in UTC. Fields with a unit have it in their name or
description; \`seconds\` are seconds.`;

/** The OpenAPI 3.0 document of these endpoints, generated from the schemas that validate. Contract, section 13. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  about: { title: string; version: string; lead?: string },
): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  const tags = new Set<string>(endpoints.map(({ tag }) => tag));
  return {
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
      ...componentsFor(paths, { responses: RESPONSES }),
      ...(endpoints.some(({ right }) => right !== 'public') ? { securitySchemes: SECURITY } : {}),
    },
  };
}

/** The key comes last: the reference page focuses the last one. */
const SECURITY = {
  oauth2: {
    type: 'oauth2',
    description: 'Client id and secret of an API user.',
    flows: { clientCredentials: { tokenUrl: '/api/oauth/token/', scopes: SCOPES } },
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User name and password; only where the setting basic_auth is on.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sessionid',
    description:
      'A sign-in in a browser, which sends it by itself. Its writes carry the token of the sign-in in the header x-csrf-token.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description:
      'The text of PICKSTATION_API_KEY, the key of an API user, or the temporary one that a sign-in answers.',
  },
};
