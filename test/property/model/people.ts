import type { ModelItem, ModelOrder } from './orderState.ts';

/** A person with the color that the station assigned. */
export type ModelPerson = { name: string; color: string };

/** A picker as in the answer about an order, and the time at which the picker joined. */
export type ModelPicker = {
  name: string;
  color: string;
  paused: boolean;
  waits: boolean;
  deviceid: string | null;
  joinedAt: number;
};

export const PASSWORD = 'long enough';
export const PEOPLE = ['Anna', 'Ben'] as const;

/** Returns the color in which a line is lit, or undefined for the color from the settings. */
export function colorOf({ pickers, given }: ModelOrder, item: Pick<ModelItem, 'picker'>): string | undefined {
  return pickers.find(({ name }) => name === item.picker)?.color ?? given.color;
}

/** Returns whether a launch for this person lights the item. Null lights only items without a picker, undefined every item. */
export function isFor(item: ModelItem, picker: Pick<ModelPicker, 'name'> | null | undefined): boolean {
  return picker === undefined || item.picker === null || item.picker === picker?.name;
}
