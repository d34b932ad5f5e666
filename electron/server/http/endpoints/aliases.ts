import { z } from 'zod';
import { locationAliasQuerySchema, locationAliasSchema, newLocationAliasSchema } from '#shared/api/alias.ts';
import { isStrict, strictQuerySchema } from '#shared/api/device.ts';
import type { Aliases } from '../../services/aliases/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';
import { setWarnings, withWarnings } from '../warnings.ts';
import { DEVICE } from './examples.ts';

const define = endpointsOf('location-aliases');

const ALIAS = { name: 'A-3-3', deviceid: DEVICE, deviceIs: 'to the Left of' };

/** Schema that accepts any text as id. An id that is not a number leads to 404. */
const aliasParams = z.object({
  id: z.string().describe('The id of the location alias.').meta({ type: 'integer', example: 1 }),
});

const readAlias = lenientFields({ name: 'text', deviceid: 'text', deviceIs: 'text' });

/** Endpoints for location aliases (section 6 of the contract). */
export const aliasEndpoints = ({ aliases }: { aliases: Aliases }): Endpoint[] => [
  define('listLocationAliases', 'read', 'List the location aliases', {
    description: 'Sorted by time of creation.',
    query: locationAliasQuerySchema,
    page: pageBy('id'),
    parameterExamples: { limit: 100, after: '0' },
    tagged: [],
    answer: z.array(locationAliasSchema),
    handle: ({ query }) => aliases.list(query),
  }),
  define('addLocationAlias', 'edit_labels', 'Create a location alias', {
    description:
      'With aliases, one device can serve several places. A request to `POST /api/devices/` with the name as `location` then addresses this place: the screen shows the name with an arrow to the place, and commands for other places of the device are kept. If another device has this name as its label, `warnings` names the device, and the name no longer finds it. Returns 409 if another alias has the name.',
    body: newLocationAliasSchema,
    dialect: readAlias,
    examples: { right: { summary: 'The place to the right of the device', value: ALIAS } },
    status: 201,
    answer: locationAliasSchema,
    refusals: { 409: 'Another alias has this name.' },
    async handle({ body, by }) {
      const { alias, warnings } = await aliases.add(body, by);
      return withWarnings(alias, warnings);
    },
  }),
  define('getLocationAlias', 'read', 'Get a location alias', {
    params: aliasParams,
    answer: locationAliasSchema,
    refusals: { 404: 'There is no such alias.' },
    handle: ({ params }) => aliases.get(params.id),
  }),
  define('changeLocationAlias', 'edit_labels', 'Change a location alias', {
    description:
      'The goods of a place stay at its name, and so does open work: lines and commands for the old name go to the device that has this name now. If the alias moves to another device, they follow to the end of its queue, except launched sequences. If no device has the old name, lines of pickers become work without a light, lines without a picker are unassigned, and commands stay where they are, with a warning. `warnings` names a place with goods that loses its last light, and `strict=1` refuses that. To rename a place together with its goods, use `POST /api/places/rename/`.',
    params: aliasParams,
    body: newLocationAliasSchema,
    dialect: readAlias,
    examples: { below: { summary: 'The place above the device', value: { ...ALIAS, deviceIs: 'Below' } } },
    answer: locationAliasSchema,
    refusals: { 404: 'There is no such alias.', 409: 'Another alias has this name.' },
    async handle({ params, body, by, strict }) {
      const { alias, warnings } = await aliases.replace(params.id, body, { by, strict });
      return withWarnings(alias, warnings);
    },
  }),
  define('removeLocationAlias', 'edit_labels', 'Remove a location alias', {
    description:
      'The goods of the place stay at its name. Open work for the name goes to the device that has it as its label. If there is none, lines of pickers become work without a light, lines without a picker are unassigned, and commands stay lit under the old name. The header `x-pickstation-warnings` names a place with goods that loses its last light, and `strict=1` refuses that.',
    params: aliasParams,
    query: strictQuerySchema,
    refusals: { 404: 'There is no such alias.' },
    async handle({ params, query, by, res }) {
      setWarnings(res, await aliases.remove(params.id, { by, strict: isStrict(query) }));
    },
  }),
];
