import { z } from 'zod';
import { ephemeraSchema, factSchema, healthSchema, stationSchema } from '#shared/api/station.ts';
import type { StationError } from '../../errors.ts';
import type { Overview } from '../../services/overview.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { EVENT_STREAM, type EventStreams } from '../events.ts';

const define = endpointsOf('station');

const FACT_TYPES = factSchema.options.map(({ shape }) => `\`${shape.type.value}\``).join(', ');

type Parts = {
  overview: Overview;
  streams: EventStreams;
  health: () => { revision: number; devices: number; commits: number };
  version: string;
  /** Returns why the station accepts no changes, or undefined if it does. */
  refusal: () => StationError | undefined;
};

export const stationEndpoints = ({ overview, streams, health, version, refusal }: Parts): Endpoint[] => [
  define('getHealth', 'public', 'Check that the station is running', {
    description:
      'Returns 503 `lost` if the data folder was moved, removed or replaced while the station ran. For callers that sign in, also returns `revision`, `devices` and `commits`.',
    knowsCallers: true,
    answer: healthSchema,
    handle({ caller }) {
      const refused = refusal();
      if (refused !== undefined) throw refused;
      return { status: 'ok' as const, version, ...(caller.credential.kind === 'none' ? {} : health()) };
    },
  }),
  define('getStation', 'read', 'Get a snapshot of the station at one revision', {
    answer: stationSchema,
    handle: ({ caller }) => overview.station(caller),
  }),
  define('streamEvents', ['read', 'see_board'], 'Stream all changes as they happen', {
    description: `Server-sent events that follow the snapshot of \`GET /api/station/\`:

    id: 46
    event: facts
    data: [{"type":"command.acknowledged","deviceid":"51D000:000001","command_id":"2","at":"2026-11-20T08:01:00.000Z","qty":12,"by":"device"}]

\`facts\` is sent once per commit, with the revision as its id. Its data is an array of facts, each with its \`type\` and with fields named as in the snapshot: ${FACT_TYPES}. \`ephemera\` contains conditions of devices and turbos, without a revision. After \`reset\`, get the snapshot again. The stream begins with an id. To get missed events, send the last id as \`Last-Event-ID\`. Orders and sequences are not in the snapshot: get their lists, and send the header \`pickstation-revision\` of that response as \`Last-Event-ID\`. Ignore unknown events and types. A wall screen gets the ids of commits with empty lists, and no \`ephemera\`.`,
    resumes: true,
    eventData: z.union([z.array(factSchema), ephemeraSchema]).describe('The data of `facts`, or of `ephemera`.'),
    answer: { contentType: 'text/event-stream' },
    handle({ req, res, caller }) {
      if (req.method === 'HEAD') return { contentType: EVENT_STREAM, bytes: new Uint8Array() };
      const last = req.headers['last-event-id'];
      streams.open(res, caller, typeof last !== 'string' || last === '' ? undefined : Number(last));
      return undefined;
    },
  }),
];
