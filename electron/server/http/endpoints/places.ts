import { z } from 'zod';
import * as api from '#shared/api/place.ts';
import type { PlaceService } from '../../services/places/index.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';
import { withWarnings } from '../warnings.ts';

const define = endpointsOf('map');

const placeParams = z.object({
  name: z.string().describe('Name of the place, percent-encoded.').meta({ example: 'Loft 2' }),
});

/** Endpoints for places by name (section 20 of the contract). */
export const placeEndpoints = ({ places }: { places: PlaceService }): Endpoint[] => [
  define('listPlaces', 'read', 'List the places', {
    description:
      'A place is a name: of goods, of a label or an alias, or one that somebody created. Sorted by name, in natural order.',
    query: api.placeQuerySchema,
    page: pageBy('name', 1_000),
    parameterExamples: { q: 'A-1', light: '1', empty: '0', limit: 100, after: 'A-1-1' },
    answer: z.array(api.goodsPlaceSchema),
    handle: ({ query }) => places.list(query),
  }),
  define('addPlace', 'edit_map', 'Create a place without a device', {
    description:
      'The place waits for its device, which gets this label or an alias with this name. Places with goods or with a device need not be created. Returns 409 if there is a place with this name.',
    body: api.newPlaceSchema,
    examples: {
      one: { summary: 'A place', value: { name: 'Loft 1' } },
      note: { summary: 'With a note', value: { name: 'Loft 2', note: 'Above the door' } },
    },
    status: 201,
    answer: api.goodsPlaceSchema,
    refusals: { 409: 'There is a place with this name.' },
    async handle({ body, by }) {
      const { place, warnings } = await places.add(body, by);
      return withWarnings(place, warnings);
    },
  }),
  define('renamePlaces', 'edit_stock', 'Rename places with everything that has their names', {
    description:
      'Renames a place in articles, stock, tasks, open lines, the map, aliases and labels, in one commit. Send an array to rename several places together: they can exchange their names. If a place with the new name only has a light, it gets the goods, which repairs a rename by label. Movements that were made before keep the old name. Returns 409, without renaming anything, if both names have goods, or both have a device.',
    body: api.placeRenamesSchema,
    examples: {
      one: { summary: 'Another name', value: { from: 'Loft 1', to: 'Loft 3' } },
      exchange: {
        summary: 'Exchange two names',
        value: [
          { from: 'Loft 2', to: 'Loft 3' },
          { from: 'Loft 3', to: 'Loft 2' },
        ],
      },
    },
    answer: api.renamedPlacesSchema,
    refusals: { 404: 'There is no place with the name `from`.', 409: 'Both names have goods, or both have a device.' },
    async handle({ body, by }) {
      const { renamed, warnings } = await places.rename(Array.isArray(body) ? body : [body], by);
      return withWarnings({ renamed }, warnings);
    },
  }),
  define('removePlace', 'edit_map', 'Remove a place', {
    description:
      'Also removes the place from its articles, and ends its tasks. Returns 409 `in_use` if articles have stock there, or if a device hangs there.',
    params: placeParams,
    refusals: { 404: 'There is no such place.', 409: 'Articles have stock there, or a device hangs there (`in_use`).' },
    handle: ({ params, by }) => places.remove(params.name, by),
  }),
];
