import type { ModelItem, ModelOrder } from './orderState.ts';

/** A person with the color that the station gave. */
export type ModelPerson = { name: string; color: string };

/** A person who picks an order, as the order answers it, and since when. */
export type ModelPicker = { name: string; color: string; paused: boolean; deviceid: string | null; joinedAt: number };

export const PASSWORD = 'long enough';
export const PEOPLE = ['Anna', 'Ben'] as const;

/** The color in which a line of an order is lit; undefined: that of the settings. */
export function colorOf({ pickers, given }: ModelOrder, item: Pick<ModelItem, 'picker'>): string | undefined {
  return pickers.find(({ name }) => name === item.picker)?.color ?? given.color;
}

/** Whether a launch for this person lights the item. null: only what is of nobody; undefined: whatever it is. */
export function isFor(item: ModelItem, picker: Pick<ModelPicker, 'name'> | null | undefined): boolean {
  return picker === undefined || item.picker === null || item.picker === picker?.name;
}
