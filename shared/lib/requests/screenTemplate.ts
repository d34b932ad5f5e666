/** Screen lines that are filled from articles, by the letter of the static line. No zod in this file, because the page imports it. */
export const TEMPLATE_LINES = ['a', 'b', 'c', 'd', 'e'] as const;
export type ScreenTemplate = Record<(typeof TEMPLATE_LINES)[number], string>;

/** Placeholders in a template for an article and its place. */
export const TEMPLATE_FIELDS = [
  'name',
  'sku',
  'description',
  'location',
  'barcode',
  'on_hand',
  'unit',
  'minimum',
] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

export const NO_TEMPLATE: ScreenTemplate = { a: '', b: '', c: '', d: '', e: '' };

const FIELD = /\{([^{}]*)\}/g;

/** Returns the unknown placeholders in a line. */
export function unknownFields(line: string): string[] {
  const known: ReadonlySet<string> = new Set(TEMPLATE_FIELDS);
  return [...line.matchAll(FIELD)].map(([, name = '']) => name).filter((name) => !known.has(name));
}

/** Fills the placeholders in a line. Values cannot start a screen element. */
export function fillLine(line: string, values: Readonly<Record<TemplateField, string | number | null>>): string {
  return line.replace(FIELD, (_, name: TemplateField) => String(values[name] ?? '').replaceAll('\\', ''));
}
