import { z } from 'zod';
import * as api from '#shared/api/picking.ts';
import { shortReasonSchema } from '#shared/api/settings.ts';
import type { Access } from '../../services/access/index.ts';
import type { Batches } from '../../services/batches/index.ts';
import type { Picking } from '../../services/picking/index.ts';
import { StationError } from '../../errors.ts';
import { lenientFields, lenientOwnProfile } from '../compat/lenientFields.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { actorOf, canActFor, sessionOf } from '../signIn.ts';

const define = endpointsOf('orders');
/** Defines endpoints with secrets in the body. The request log hides secrets of this tag. */
const defineAccess = endpointsOf('access');

type Parts = {
  batches: Pick<Batches, 'work'>;
  picking: Picking;
  people: Pick<Access['people'], 'nameOf'>;
  pins: Pick<Access['pins'], 'changeOwn'>;
};

const missing = (path: string, message: string): StationError =>
  new StationError('invalid', message, [{ path, message }]);

/** Endpoints for picking (section 16 of the contract). */
export const pickingEndpoints = ({ batches, picking, people, pins }: Parts): Endpoint[] => [
  define('listWork', 'read', 'List the lit lines in walking order', {
    description:
      'Lists lines that are lit or that wait for other work of their device. The walk passes the racks in the order of the map, and each rack shelf by shelf, alternately from left to right and from right to left. Devices without a place on the map come next, sorted by label. Lines without a light come last.',
    namesRevision: true,
    query: api.workQuerySchema,
    parameterExamples: { picker: 'Paula', order: 'SO-1001' },
    tagged: [],
    answer: z.array(api.workLineSchema),
    refusals: { 404: 'There is no such batch.' },
    handle: ({ query }) => (query.batch === undefined ? picking.work(query) : batches.work(query.batch, query.picker)),
  }),
  define('getNextOrder', 'read', 'Get the order to take next', {
    description:
      'Orders that wait for the person come first, then orders that the person paused, then orders that nobody picks and that are not in a batch. In this last group, orders that need attention come first; the others are sorted by priority, due time and age. The order may have no light. To take it, launch it for a picker.',
    query: api.nextOrderQuerySchema,
    parameterExamples: { picker: 'Paula' },
    answer: api.nextOrderSchema,
    handle: ({ query, caller }) => picking.next(query.picker ?? (caller.scope === 'picker' ? caller.name : undefined)),
  }),
  define('listPickers', 'read', 'List the people who can pick', {
    description: 'Lists all people who can sign in, with their colors and unfinished orders.',
    tagged: [],
    answer: z.array(api.pickerSchema),
    handle: () => picking.pickers(),
  }),
  define('listShortReasons', 'read', 'List the reasons for a short', {
    description: 'Returns the setting `short_reasons`, which only an admin can change.',
    answer: z.array(shortReasonSchema),
    handle: () => picking.shortReasons(),
  }),
  define('getShortNumbers', 'read', 'Check whether any name is as short as a quantity', {
    description:
      'For pages that receive typed quantities and scanned codes in the same field: if such names exist, require a `*` before a quantity. Names of places are not included; `GET /api/station/` returns them.',
    answer: api.shortNumbersSchema,
    handle: () => picking.shortNumbers(),
  }),
  defineAccess('setOwnColor', 'work', 'Set the color of a picker, or your own PIN', {
    description:
      'Only people have a color and a PIN. Lit lines keep their color. Changing the PIN requires your `password` and ends your other sessions at kiosks.',
    body: api.ownColorSchema,
    dialect: lenientOwnProfile,
    examples: {
      cyan: { summary: 'Cyan', value: { color: 'cyan', picker: 'Paula' } },
    },
    answer: api.ownProfileSchema,
    refusals: { 409: 'There is no such person. Programs have no color.' },
    async handle({ body, caller, by }) {
      const { color, picker, pin, password } = body;
      if (color === undefined && pin === undefined)
        throw missing('/color', 'Send a color, or a pin with your password.');
      if (pin !== undefined) {
        if (picker !== undefined)
          throw missing('/picker', 'This changes only your own PIN. An admin changes those of others.');
        if (password === undefined) throw missing('/password', 'Send your current password to change the PIN.');
        await pins.changeOwn(sessionOf(caller, 'a PIN'), { pin, password }, by);
      }
      const name = actorOf(caller, picker);
      if (color !== undefined) await picking.setColor(name, color);
      return picking.profile(name);
    },
  }),
  define('setCurrentLine', 'work', 'Set the line that a picker works on', {
    actsOutside: true,
    description:
      'The device shows this line before other lines of orders and batches. For a line of a batch, send its `command_id`, or the `item_id` of one of its shares. After the picker scans or touches something there, it also comes before the current lines of other pickers. Scans by the picker search the order of this line first, if it is not in a batch. The line stays current for 15 minutes, or until it is picked, paused or handed over, or the picker signs out. Without `item_id` and `command_id`, clears the current line of the picker and returns 204.',
    body: api.currentLineSchema,
    dialect: lenientFields({ item_id: 'number', command_id: 'text', picker: 'person' }),
    examples: { line: { summary: 'An item of an order', value: { item_id: 1, picker: 'Paula' } } },
    answer: api.workLineSchema,
    otherStatuses: [204],
    refusals: { 404: 'The line is not lit.', 409: 'The line belongs to somebody else.' },
    async handle({ body: { item_id: itemId, command_id: commandId, picker }, caller, res }) {
      const typed = actorOf(caller, picker);
      const name = people.nameOf(typed) ?? typed;
      const isNone = (itemId ?? null) === null && (commandId ?? null) === null;
      const line = isNone ? null : { itemId: itemId ?? undefined, commandId: commandId ?? undefined };
      const current = await picking.setCurrent(name, line);
      if (current === undefined) res.status(204);
      return current;
    },
  }),
  define('scan', 'work', 'Look up a scanned code and act on it', {
    replayed: (answer) => ({ ...answer, repeated: true }),
    description:
      'The station searches for the code in this order: a printed command, the code of a cart or wall, a slot or tote of a live batch, an order number (with or without a leading #), a location alias, a label, a DeviceID, the printed place of a line without a light, a UPC, a SKU and a name. It ignores case and GS1 prefixes; in a GS1 code, the GTIN counts. If the scan names an order, or the picker has a current line, codes of open lines of that order come first. An alias or label that equals a SKU or UPC means the article. Without `act`, nothing is booked; if the picker has a line at the scanned place, the picker has arrived there (see PUT /api/user/current/). With `act` and without `quantity`, a scan closes the line like a press. `quantity` counts pieces; the line is closed once it is full, or with `close`. A scan of an order takes it for the person who scans. If a program does not name a `picker`, the scan launches the order without a picker. If the caller holds pieces of a batch, a scan of a slot or tote of the batch puts them like `put/` of the batch: the whole hand, or `quantity` pieces into that slot. With `batch`, a scan of an article lights the slots of the wall that need it, and each scan counts. Without `key` and `quantity`, repeated scans of the same code with `act` by the same caller within two seconds count once.',
    body: api.scanSchema,
    dialect: lenientFields({
      code: 'text',
      order_number: 'text',
      picker: 'person',
      quantity: 'number',
      reason: 'text',
      seen: 'number',
      key: 'text',
    }),
    examples: {
      ask: { summary: 'Look up a code', value: { code: 'A-4-1' } },
      act: {
        summary: 'Confirm a pick by scanning the article',
        value: { code: '4006381333931', act: true, key: 'tablet-3/82' },
      },
      count: {
        summary: 'Two pieces of a line, which stays open',
        value: { code: '4006381333931', act: true, quantity: 2, key: 'tablet-3/83' },
      },
      close: {
        summary: 'Nothing is left: close the line',
        value: { code: 'A-4-1', act: true, quantity: 0, close: true, reason: 'missing', key: 'tablet-3/84' },
      },
    },
    answer: api.scanResultSchema,
    refusals: {
      404: 'There is no such batch.',
      400: '`close` with fewer pieces than requested requires one of the `short_reasons` as `reason`.',
      409: 'The scan was delayed and is outdated, or the key was used for another request.',
    },
    handle: ({ body, key, caller }) => {
      const person = people.nameOf(body.act ? actorOf(caller, body.picker) : (body.picker ?? caller.name));
      const takes = person !== undefined ? 'person' : body.picker === undefined ? 'nobody' : undefined;
      const isThere = canActFor(caller, body.picker);
      const picker = person ?? body.picker ?? caller.name;
      return picking.scan({ ...body, key }, { by: caller.name, picker, takes, isThere });
    },
  }),
];
