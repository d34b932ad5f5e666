import { z } from 'zod';
import * as api from '#shared/api/find.ts';
import type { Find } from '../../services/find/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export const findEndpoints = ({ find }: { find: Find }): Endpoint[] => [
  define('find', 'read', 'Find devices, places, orders and articles by any part of their text', {
    description:
      'Searches labels, location aliases, DeviceIDs, the static lines of devices, the lines of their open commands, the SKU, UPC, name and description of items, order numbers and sequenceids. Case does not matter; `q` has at least two characters. Best first, at most 50: the whole text, then its beginning, then the beginning of a word, then any part. Many matches of one kind do not hide the best eight of another. The first search after a start reads everything, and takes about a second per 100,000 items.',
    query: api.findQuerySchema,
    parameterExamples: { q: 'A-3' },
    answer: z.array(api.foundSchema),
    handle: ({ query }) => find.find(query.q),
  }),
];
