import type { TableField, TableKind } from './fields.ts';
import type { PickRule } from './pickRules.ts';

/** The file of a known program, recognized by its column names. */
export type TableProfile = {
  id: string;
  /** For people: `Shopify orders`. */
  title: string;
  kind: TableKind;
  /** The file has all of these columns; of names with `|`, one of them. */
  has: readonly string[];
  /** Whether names in `has` must be spelled exactly like this, with case and punctuation. */
  isExact?: boolean;
  /** Columns of each field; the first that the file has counts. Other columns are ignored, unless `takesOthers`. */
  fields: Partial<Record<TableField, readonly string[]>>;
  /** Whether synonyms give other columns a meaning. */
  takesOthers?: boolean;
  /** Which rows are not picked; the first rule that applies decides. */
  rules: readonly PickRule[];
  /** The file has no row per item: why, and what to export instead. */
  refusal?: string;
};

export const NONE_LEFT: PickRule = { field: 'quantity_to_ship', of: 'line', when: 'zero', reason: 'shipped' };
export const SHIPPED_AT: PickRule = { field: 'shipped_at', of: 'line', when: 'filled', reason: 'shipped' };
export const CANCELED_AT: PickRule = { field: 'canceled_at', of: 'order', when: 'filled', reason: 'canceled' };
export const ORDER_STATE: PickRule = { field: 'order_status', of: 'order', when: 'state' };
export const LINE_STATE: PickRule = { field: 'line_status', of: 'line', when: 'state' };
export const PAYMENT_STATE: PickRule = { field: 'payment_status', of: 'order', when: 'state' };
export const NOT_SHIPPED: PickRule = { field: 'requires_shipping', of: 'line', when: 'no', reason: 'not_shippable' };
