import { z } from 'zod';
import { newTurboLinkSchema, serialPortSchema, turboLinkSchema, turboSchema } from '#shared/api/turbo.ts';
import { StationError } from '../../errors.ts';
import type { Conditions } from '../../services/conditions.ts';
import type { TurboLinks } from '../../services/turboLinks.ts';
import { lenientFields } from '../dialects/lenientFields.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

const linkParams = z.object({ id: z.string() });

export function turboEndpoints(parts: { conditions: Conditions; turboLinks: TurboLinks }): Endpoint[] {
  const { conditions, turboLinks } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/turbo/',
      tag: 'turbos',
      summary: 'List the turbos',
      scope: 'read',
      answer: z.array(turboSchema),
      handle: () => conditions.turbos(),
    }),
    // Before those of one turbo, whose serial number could be any word.
    endpoint({
      method: 'GET',
      path: '/api/turbo/ports/',
      tag: 'turbos',
      summary: 'List the serial ports of this machine',
      description:
        'Those of USB devices first. Where the system cannot list them, a port can be named by hand all the same.',
      scope: 'admin',
      answer: z.array(serialPortSchema),
      handle: () => turboLinks.listPorts(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/turbo/links/',
      tag: 'turbos',
      summary: 'List the serial ports that are kept open for turbos, and how it goes with each',
      scope: 'read',
      answer: z.array(turboLinkSchema),
      handle: () => turboLinks.list(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/turbo/links/',
      tag: 'turbos',
      summary: 'Connect the turbo on a serial port',
      description:
        'From now on, and over restarts, the port is kept open. A USB device is found again in whatever socket it is plugged; what does not answer is reset, opened anew and tried for ever.',
      scope: 'admin',
      body: newTurboLinkSchema,
      dialect: lenientFields({ path: 'text', baud_rate: 'number' }),
      status: 201,
      answer: turboLinkSchema,
      handle: ({ body, by }) => turboLinks.add(body, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/turbo/links/{id}/',
      tag: 'turbos',
      summary: 'Disconnect a serial port',
      description: 'What its turbo still holds it keeps, and brings over the next link.',
      scope: 'admin',
      params: linkParams,
      status: 204,
      answer: z.undefined(),
      handle: ({ params, by }) => turboLinks.remove(params.id, by),
    }),
    endpoint({
      method: 'POST',
      path: '/api/turbo/links/{id}/retry/',
      tag: 'turbos',
      summary: 'Try a serial port again at once',
      scope: 'control',
      params: linkParams,
      answer: turboLinkSchema,
      handle: ({ params }) => turboLinks.retry(params.id),
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
