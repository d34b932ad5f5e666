import { z } from 'zod';
import { locationAliasQuerySchema, locationAliasSchema, newLocationAliasSchema } from '#shared/api/alias.ts';
import type { Aliases } from '../../services/aliases/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

const aliasParams = z.object({ id: z.string().describe('As its creation answered it.').meta({ example: '1' }) });

const readAlias = lenientFields({ name: 'text', deviceid: 'text', deviceIs: 'text' });

/** Contract, section 6. */
export function aliasEndpoints(parts: { aliases: Aliases }): Endpoint[] {
  const { aliases } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/location-aliases/',
      tag: 'location-aliases',
      summary: 'List the location aliases',
      description: 'In the order in which they were made.',
      right: 'read',
      query: locationAliasQuerySchema,
      answer: z.array(locationAliasSchema),
      handle: ({ query }) => aliases.list(query),
    }),
    endpoint({
      method: 'POST',
      path: '/api/location-aliases/',
      tag: 'location-aliases',
      summary: 'Let a device stand for one more place',
      description:
        'Then POST /api/devices/ with the name as `location` is for that place: its screen says the name and has an arrow to it, and it leaves commands to other places of the device alone. 409 where another alias has the name.',
      right: 'edit_labels',
      body: newLocationAliasSchema,
      dialect: readAlias,
      status: 201,
      answer: locationAliasSchema,
      handle: ({ body, by }) => aliases.add(body, by),
    }),
    endpoint({
      method: 'GET',
      path: '/api/location-aliases/{id}/',
      tag: 'location-aliases',
      summary: 'One location alias',
      right: 'read',
      params: aliasParams,
      answer: locationAliasSchema,
      handle: ({ params }) => aliases.get(params.id),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/location-aliases/{id}/',
      tag: 'location-aliases',
      summary: 'Change a location alias',
      description:
        'Its open commands go along: they are called by the new name, point the new way, and are shown by the new device, behind what it shows already.',
      right: 'edit_labels',
      params: aliasParams,
      body: newLocationAliasSchema,
      dialect: readAlias,
      answer: locationAliasSchema,
      handle: ({ params, body, by }) => aliases.replace(params.id, body, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/location-aliases/{id}/',
      tag: 'location-aliases',
      summary: 'Remove a location alias',
      description: 'Its open commands stay lit under the name that it had, and end as usual.',
      right: 'edit_labels',
      params: aliasParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await aliases.remove(params.id, by);
        return undefined;
      },
    }),
  ];
}
