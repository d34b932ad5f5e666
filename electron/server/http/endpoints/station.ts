import { z } from 'zod';
import { stationSchema, turboSchema } from '#shared/api/station.ts';
import { StationError } from '../../errors.ts';
import type { Conditions } from '../../services/conditions.ts';
import type { Overview } from '../../services/overview.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { EVENT_STREAM, type EventStreams } from '../events.ts';

export function stationEndpoints(parts: {
  overview: Overview;
  conditions: Conditions;
  streams: EventStreams;
  health: () => { revision: number; devices: number; commits: number };
  version: string;
}): Endpoint[] {
  const { overview, conditions, streams, health, version } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/healthz',
      tag: 'station',
      summary: 'Whether the station is up',
      scope: 'public',
      answer: z.object({
        status: z.literal('ok'),
        version: z.string(),
        revision: z.int(),
        devices: z.int(),
        commits: z.int().describe('Since the start.'),
      }),
      handle: () => ({ status: 'ok' as const, version, ...health() }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/station/',
      tag: 'station',
      summary: 'The whole station at one revision',
      scope: 'read',
      answer: stationSchema,
      handle: ({ caller }) => overview.station(caller),
    }),
    endpoint({
      method: 'GET',
      path: '/api/events/',
      tag: 'station',
      summary: 'Everything that changes, as it happens',
      description:
        'Server-sent events. `facts`: one message a commit, its id the revision, an array of facts. `ephemera`: conditions of devices and turbos, without a revision. `reset`: take the snapshot again. Send the last id in `Last-Event-ID` to get what was missed.',
      scope: 'read',
      answer: { contentType: 'text/event-stream' },
      handle({ req, res, caller }) {
        if (req.method === 'HEAD') return { contentType: EVENT_STREAM, bytes: new Uint8Array() };
        const last = req.headers['last-event-id'];
        streams.open(res, caller, typeof last !== 'string' || last === '' ? undefined : Number(last));
        return undefined;
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/',
      tag: 'turbos',
      summary: 'List the turbos',
      scope: 'read',
      answer: z.array(turboSchema),
      handle: () => conditions.turbos(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/{SerialNo}/',
      tag: 'turbos',
      summary: 'One turbo',
      scope: 'read',
      params: z.object({ SerialNo: z.string() }),
      answer: turboSchema,
      handle({ params }) {
        const turbo = conditions.turbos().find((candidate) => candidate.serial_number === params.SerialNo);
        if (turbo === undefined) throw new StationError('not_found', `There is no turbo ${params.SerialNo}.`);
        return turbo;
      },
    }),
  ];
}
