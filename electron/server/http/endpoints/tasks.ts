import { z } from 'zod';
import * as stock from '#shared/api/stock.ts';
import * as api from '#shared/api/task.ts';
import type { LeftQuestions, Tasks } from '../../services/tasks/index.ts';
import { lenientLeft } from '../compat/lenientArticle.ts';
import { endpointsOf, noFields, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('articles');

const PAGE = 1_000;
/** Returns the schema of a task's id, which accepts any text. An id that is not a number leads to 404. */
const taskParams = (example: number) =>
  z.object({ id: z.string().describe('The id of the task.').meta({ type: 'integer', example }) });
const ABOUT = { 404: 'There is no such task.', 409: 'The task has ended, or its place or article no longer exists.' };

/** Endpoints for tasks (section 20 of the contract). */
export const taskEndpoints = ({ left, tasks }: { left: LeftQuestions; tasks: Tasks }): Endpoint[] => [
  define('sayWhatIsLeft', 'work', 'Report what is left at a place after a pick', {
    description:
      'Responds to the event `stock.asked`. With the setting `zero_check`, a pick that should leave nothing asks whether the place is empty. With `count_every`, every n-th pick at a place asks for a count. `count` books a movement `count`; `some_left` opens a task `count`. Without a response, nothing changes. The question is for the `picker` of the event, and open for 15 minutes and one response. Responding without a question needs the right `count`.',
    body: stock.leftSchema,
    dialect: lenientLeft,
    examples: { empty: { summary: 'The place is empty', value: { sku: 'CT-200', location: 'A-1-1', count: 0 } } },
    refusals: {
      404: 'The article does not have this place.',
      403: 'Nobody asked the caller about this place, and the right `count` is missing.',
      409: 'The question was answered or is older than 15 minutes, or the stock at the place has changed since (`outdated`).',
    },
    answer: stock.stockRowSchema,
    handle: (call) =>
      left.answer(call.body, {
        by: call.caller.name,
        mayCount: call.may('count'),
        refuse: () => call.demand('count'),
      }),
  }),
  define('listTasks', 'read', 'List tasks about the stock', {
    description:
      'Sorted by ascending `id`; at most 1,000 without a `limit`. `?state=open` lists only open tasks. An article has at most one open `replenish` and one open `count` at each place.',
    namesRevision: true,
    query: api.taskQuerySchema,
    page: pageBy('id', PAGE),
    tagged: [],
    parameterExamples: { limit: 100, after: '0' },
    answer: z.array(api.taskSchema),
    handle: ({ query }) => tasks.list(query),
  }),
  define('finishTask', 'work', 'Mark a task as done', {
    description:
      'A task `replenish` books a `put_away` at its place or, with `from`, a `transfer`. A task `count` books a count and requires `quantity`. A task `put_back` decreases `quantity_fulfilled` of the item (`item_removed`), which increases the stock. If the order was deleted, it books a `put_away`.',
    params: taskParams(1),
    body: api.taskDoneSchema,
    bodyOptional: true,
    examples: { reserve: { summary: 'Refill from the reserve', value: { quantity: 40, from: 'Reserve 4' } } },
    refusals: ABOUT,
    answer: api.taskSchema,
    handle: ({ params, body, caller }) => tasks.done(params.id, body, caller.name),
  }),
  define('dismissTask', 'edit_stock', 'Dismiss a task', {
    isFinal: true,
    description: 'Does not change the stock.',
    params: taskParams(2),
    ...noFields,
    refusals: ABOUT,
    answer: api.taskSchema,
    handle: ({ params, caller }) => tasks.dismiss(params.id, caller.name),
  }),
];
