import { countText } from '#shared/lib/text/locale.ts';
import { plural } from './plural.ts';

/** Texts of the field that finds an article. */
export const articleField = {
  placeholder: 'SKU, barcode or name',
  at: (place: string, onHand: number | null) =>
    onHand === null ? `${place} · not counted` : `${place} · ${countText(onHand)} there`,
  more: (many: number) => `and ${plural(many, 'more place', 'more places')}`,
  noPlace: 'No place yet',
} as const;
