import { z } from 'zod';
import { DATE_ORDERS } from '../lib/tables/cells/dateOrders.ts';
import { FIELDS_OF, TABLE_KINDS } from '../lib/tables/fields.ts';
import { UNPAID_ANSWERS } from '../lib/tables/pickRules.ts';
import { STATE_MEANINGS } from '../lib/tables/states.ts';
import { described, oneOf, textOrNull, timestamp } from './fields.ts';

export const DECIMAL_SIGNS = ['.', ','] as const;

/** A field in any kind of file. */
export const anyField = oneOf([...new Set(TABLE_KINDS.flatMap((kind) => FIELDS_OF[kind]))]);

const answers = {
  columns: z.record(z.string(), anyField.nullable()),
  decimal: oneOf(DECIMAL_SIGNS).nullable(),
  date_order: oneOf(DATE_ORDERS).nullable(),
  encoding: textOrNull,
  sheet: textOrNull,
  order_prefix: textOrNull,
  unpaid: oneOf(UNPAID_ANSWERS).nullable(),
  states: z.record(z.string(), oneOf(STATE_MEANINGS)).nullable(),
  units: z.record(z.string(), z.int()).nullable(),
  place_paths: z.array(z.string()).nullable(),
};

export const rememberedColumnsSchema = described(
  'RememberedColumns',
  'How to read files with the same set of column names, as answered in an import. Null if not answered.',
  {
    id: z.int().describe('Id for DELETE /api/import-columns/{id}/.'),
    kind: oneOf(TABLE_KINDS),
    names: z.array(z.string()).describe('The column names of these files, sorted.'),
    ...answers,
    used_time: timestamp.describe('Time of the last import that used these answers.'),
    by: z.string().describe('Who gave the answers.'),
  },
);
export type RememberedColumns = z.infer<typeof rememberedColumnsSchema>;
export type RememberedAnswers = Pick<RememberedColumns, keyof typeof answers>;
