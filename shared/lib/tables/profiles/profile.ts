import type { TableField, TableKind } from '../fields.ts';
import type { PickRule } from '../pickRules.ts';

/** A known export, recognized by its column names. */
export type TableProfile = {
  id: string;
  /** Name for people, such as `Shopify orders`. */
  title: string;
  kind: TableKind;
  /** Columns that the file must have. `A|B` means either of them. */
  has: readonly string[];
  /** Whether the names in `has` must match in case and punctuation too. */
  isExact?: boolean;
  /**
   * Possible columns of each field. The first one that exists in the file is used. Other columns are ignored unless `takesOthers` is set.
   */
  fields: Partial<Record<TableField, readonly string[]>>;
  /** Whether this is Pickstation's own export, whose texts contain no entities, and no states in remarks. */
  isExport?: boolean;
  /** Whether other columns are mapped by synonyms. */
  takesOthers?: boolean;
  /** Rules for rows that are not picked. A rule that leaves out the row takes precedence over a rule that refuses the order. */
  rules: readonly PickRule[];
  /** Columns of the export that contain states, but are not to be read as such, because others are more exact. */
  ignores?: readonly string[];
  /** Columns that people expect to be read but that are ignored, each with the reason. */
  unread?: Readonly<Record<string, string>>;
  /** For an export that does not have a row per item: the reason for refusing it, and what to export instead. */
  refusal?: string;
};

/** Nothing is left of a line that is shipped, canceled or not to be delivered at all. */
export const NONE_LEFT: PickRule = { field: 'quantity_to_ship', of: 'line', when: 'zero', reason: 'none_left' };
export const SHIPPED_AT: PickRule = { field: 'shipped_at', of: 'line', when: 'filled', reason: 'shipped' };
export const CANCELED_AT: PickRule = { field: 'canceled_at', of: 'order', when: 'filled', reason: 'canceled' };
export const ORDER_STATE: Extract<PickRule, { when: 'state' }> = { field: 'order_status', of: 'order', when: 'state' };
export const LINE_STATE: PickRule = { field: 'line_status', of: 'line', when: 'state' };
export const PAYMENT_STATE: PickRule = { field: 'payment_status', of: 'order', when: 'state', aspect: 'payment' };
/** A blank cell says that nobody has paid. */
export const NOT_PAID: PickRule = { field: 'is_paid', of: 'order', when: 'blank', reason: 'unpaid' };
export const CANCEL_REQUESTED: PickRule = {
  field: 'cancel_requested',
  of: 'line',
  when: 'filled',
  reason: 'cancel_requested',
};
export const NOT_SHIPPED: PickRule = { field: 'requires_shipping', of: 'line', when: 'no', reason: 'not_shippable' };
