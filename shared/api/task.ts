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
  id: z.int().describe('Id of the task. Increases with every task.'),
  kind: oneOf(TASK_KINDS).describe(
    'replenish: refill the place. count: count the pieces at the place. put_back: return the pieces of an aborted or deleted order to their places.',
  ),
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('The device of the place; empty if none.'),
  quantity: intOrNull.describe(
    'Pieces to bring: up to the maximum of the place, or the picked pieces; for a count that is done, the counted pieces. Null if unknown.',
  ),
  state: oneOf(TASK_STATES).describe('ended: the task was no longer needed.'),
  created: timestamp,
  by: z.string().describe('Who or what opened the task; `device` for a press.'),
  order: textOrNull.describe('The order_number; only for put_back.'),
};

/** A stock task. */
export const taskSchema = named('Task', {
  ...fields,
  overdue: z.boolean().describe('Whether the task has been open for longer than `task_overdue_hours`.'),
  ended: timestampOrNull.describe('When the task ended; null while it is open.'),
  ended_by: textOrNull.describe(
    'Who marked the task as done or dismissed it; null if it is open or ended automatically.',
  ),
});
export type Task = z.infer<typeof taskSchema>;

/** Body of a callback of the family `task`. */
export const taskCallbackSchema = described('TaskCallback', 'Body of a callback about a task.', {
  task_event: oneOf(TASK_EVENTS),
  ...fields,
});
export type TaskCallback = z.infer<typeof taskCallbackSchema>;

export const taskQuerySchema = z.object({
  state: oneOf(TASK_STATES).optional().describe('Only tasks in this state.'),
  kind: oneOf(TASK_KINDS).optional().describe('Only tasks of this kind.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 1,000.'),
  after: afterId('a task'),
});
export type TaskQuery = z.infer<typeof taskQuerySchema>;

export const taskDoneSchema = named('TaskDone', {
  quantity: whole(0, MAX_STOCK)
    .optional()
    .describe(
      'Pieces that were brought, or that were counted at the place (required for `count`). Defaults to the quantity of the task.',
    ),
  from: articleLocationSchema
    .optional()
    .describe(
      'For `replenish`: the place of the article that the pieces came from. If omitted, the pieces are new (`put_away`).',
    ),
  was: intOrNull
    .optional()
    .describe(
      'For `count`: `on_hand` of the place as shown to the person; null if not counted. If it has changed since, 409 `outdated`.',
    ),
});
export type TaskDone = z.infer<typeof taskDoneSchema>;
