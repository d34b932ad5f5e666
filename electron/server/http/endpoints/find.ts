import { z } from 'zod';
import * as api from '#shared/api/find.ts';
import { lightedPlaceSchema, locatedPlaceSchema, locateQuerySchema, locateSchema } from '#shared/api/locate.ts';
import type { Find, LocateService } from '../../services/find/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export const findEndpoints = ({ find, locate }: { find: Find; locate: LocateService }): Endpoint[] => [
  define('find', 'read', 'Find devices, places, orders, articles, carts and batches by any part of their text', {
    description:
      'Searches labels, location aliases, DeviceIDs, the static lines of devices, the lines of their open commands, the SKU, UPC, name and description of items, order numbers and sequenceids, the names and codes of carts, walls and their slots, and batches that have not ended, with their totes. People, and keys with the scope control or admin, also find orders by customer, name and city of the address, and note. Ignores case; `q` has at least two characters. Returns at most 50 matches, best first: the whole text, then its beginning, then the beginning of a word, then any part. Many matches of one kind do not hide the best eight of another. Among ended orders, the newest are searched in this way, up to 100,000 items in total; older orders are found by the beginning of their number or customer, or of the SKU, UPC or name of an item. The first search after a start reads these texts, and takes some seconds per 100,000 items.',
    query: api.findQuerySchema,
    parameterExamples: { q: 'A-3' },
    answer: z.array(api.foundSchema),
    handle: (call) => find.find(call.query.q, { withCustomers: call.may('work') }),
  }),
  define('locate', 'read', 'Find the places of an article', {
    description:
      'Returns at most 20 places that match an article, alias, label or DeviceID, best first. Does not light them. The page `/locate/?q=` shows the same list, with a button that lights the place.',
    query: locateQuerySchema,
    parameterExamples: { q: 'A-3' },
    answer: z.array(locatedPlaceSchema),
    handle: ({ query }) => locate.locate(query.q),
  }),
  define('lightLocated', 'work', 'Light the place of an article for some seconds', {
    description:
      'For plug-ins of stock tools. Lights each place whose alias, label, DeviceID or article is `q` or, without an exact match, the only place that contains it. The light turns off by itself or with a press, and causes no callback. A device that is lit for work stays unchanged, and its `command_id` is null.',
    body: locateSchema,
    dialect: lenientFields({ q: 'text', seconds: 'number', color: 'text' }),
    examples: { article: { summary: 'Light the place for 20 seconds', value: { q: 'A-3-2', seconds: 20 } } },
    answer: z.array(lightedPlaceSchema),
    refusals: { 404: 'Nothing matches `q`.', 409: 'Several places contain `q`, and none matches it exactly.' },
    handle: ({ body, caller }) => locate.light({ q: body.q, seconds: body.seconds, color: body.color }, caller.name),
  }),
];
