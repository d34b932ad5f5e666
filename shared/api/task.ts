import { z } from 'zod';
import { MAX_STOCK } from '../lib/articles/articleLimits.ts';
import { articleLocationSchema } from './article.ts';
import {
  afterId,
  described,
  intOrNull,
  named,
  oneOf,
  textOrNull,
  timestamp,
  timestampOrNull,
  whole,
} from './fields.ts';

export const TASK_KINDS = ['replenish', 'count', 'put_back'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const TASK_STATES = ['open', 'done', 'dismissed', 'ended'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_EVENTS = ['opened', 'done', 'dismissed', 'ended', 'overdue'] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

const fields = {
  id: z.int().describe('Increases with every task.'),
  kind: oneOf(TASK_KINDS).describe(
    'replenish: fill up the place. count: say how many are there. put_back: return the pieces of an order that was aborted or deleted to their places.',
  ),
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('The device of the place; empty: none.'),
  quantity: intOrNull.describe(
    'Pieces to bring: up to the maximum of the place, or what was picked; of a count that is done, what was counted. Null: nobody knows.',
  ),
  state: oneOf(TASK_STATES).describe('ended: it was no longer needed.'),
  created: timestamp,
  by: z.string().describe('Who or what opened it; `device`: a press.'),
  order: textOrNull.describe('Its order_number; only of a put_back.'),
};

/** A stock task. */
export const taskSchema = named('Task', {
  ...fields,
  overdue: z.boolean().describe('It is open for longer than `task_overdue_hours`.'),
  ended: timestampOrNull.describe('Null while it is open.'),
  ended_by: textOrNull.describe('Who marked it as done or dismissed it; null: it is open, or ended by itself.'),
});
export type Task = z.infer<typeof taskSchema>;

/** Body of a callback of the family `task`. */
export const taskCallbackSchema = described('TaskCallback', 'Body of a callback about a task.', {
  task_event: oneOf(TASK_EVENTS),
  ...fields,
});
export type TaskCallback = z.infer<typeof taskCallbackSchema>;

export const taskQuerySchema = z.object({
  state: oneOf(TASK_STATES).optional().describe('Only in this state.'),
  kind: oneOf(TASK_KINDS).optional().describe('Only of this kind.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 1,000.'),
  after: afterId('a task'),
});
export type TaskQuery = z.infer<typeof taskQuerySchema>;

export const taskDoneSchema = named('TaskDone', {
  quantity: whole(0, MAX_STOCK)
    .optional()
    .describe('Pieces that were brought, or that are there (`count`, required). Default: that of the task.'),
  from: articleLocationSchema
    .optional()
    .describe('Of `replenish`: the place of the article from which they came. Without it, they are new (`put_away`).'),
});
export type TaskDone = z.infer<typeof taskDoneSchema>;
