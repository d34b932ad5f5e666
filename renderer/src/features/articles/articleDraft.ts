import type { Article, NewArticle } from '#shared/api/article.ts';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { linesOf } from '../../kit/field/drafts.ts';
import * as texts from '../../words/texts.ts';

const words = texts.articles.editing;

/** A place as entered in the form. `id` identifies its row. `on_hand` is used only for a new article. */
export type PlaceDraft = {
  id: number;
  location: string;
  on_hand: number | null;
  minimum: number | null;
  maximum: number | null;
};

export const NO_PLACE = { location: '', on_hand: null, minimum: null, maximum: null };

export type ArticleDraft = {
  sku: string;
  name: string;
  description: string;
  barcodes: string;
  unit: string;
  note: string;
  places: readonly PlaceDraft[];
};

export const EMPTY_DRAFT: ArticleDraft = {
  sku: '',
  name: '',
  description: '',
  barcodes: '',
  unit: '',
  note: '',
  places: [],
};

export function draftOf({ sku, name, description, barcodes, unit, note, places }: Article): ArticleDraft {
  return {
    sku,
    name: name ?? '',
    description: description ?? '',
    barcodes: barcodes.map(({ code, quantity }) => (quantity === 1 ? code : `${code} × ${quantity}`)).join('\n'),
    unit: unit ?? '',
    note: note ?? '',
    places: places.map(({ location, on_hand, minimum, maximum }, id) => ({ id, location, on_hand, minimum, maximum })),
  };
}

/** Matches a barcode, a space, × or x, and the number of pieces in the pack. */
const PACK = /^(.*?)\s+[×x]\s*(\S*)$/i;

function barcodesOf(text: string): { code: string; quantity: number }[] {
  return linesOf(text).map((line) => {
    const [, code = line, quantity = '1'] = PACK.exec(line) ?? [];
    return { code, quantity: /^[1-9]\d{0,8}$/.test(quantity) ? Number(quantity) : Number.NaN };
  });
}

/** Returns validation errors by field. */
export function problemsOf(draft: ArticleDraft): FieldMessages {
  const problems: Record<string, string> = {};
  if (draft.sku.trim() === '') problems['sku'] = words.noSku;
  const bad = barcodesOf(draft.barcodes).findIndex(({ quantity }) => Number.isNaN(quantity));
  if (bad >= 0) problems['barcodes'] = words.badBarcode(bad + 1);
  for (const { id, location } of draft.places) if (location.trim() === '') problems[`location ${id}`] = words.noPlace;
  return problems;
}

/** Converts the draft to a request. If `isNew` is true, includes the stock of each place. */
export function articleOf(draft: ArticleDraft, isNew: boolean): NewArticle {
  const { sku, name, description, unit, note } = draft;
  return {
    sku: sku.trim(),
    name: orNull(name),
    description: orNull(description),
    unit: orNull(unit),
    note: orNull(note),
    barcodes: barcodesOf(draft.barcodes),
    places: draft.places.map(({ location, on_hand, minimum, maximum }) => ({
      location: location.trim(),
      minimum,
      maximum,
      ...(isNew && on_hand !== null ? { on_hand } : {}),
    })),
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
