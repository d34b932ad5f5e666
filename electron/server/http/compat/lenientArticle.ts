import { articleChangeSchema } from '#shared/api/article.ts';
import { leftSchema, newMovementSchema } from '#shared/api/stock.ts';
import { lenientBody } from './lenientBody.ts';
import { isObject, mappedArray } from './looseValues.ts';

const readArticle = lenientBody(articleChangeSchema);
const readMovement = lenientBody(newMovementSchema);
const readLeft = lenientBody(leftSchema);

/**
 * Converts an article to the canonical form: numbers in text fields to text, numeric strings to numbers, and `SKU` in any case to `sku`.
 * For shops whose article numbers are numbers, and for programs that use the spelling of orders. Contract, section 20.
 */
export function lenientArticle(body: unknown): unknown {
  return readArticle(withSku(body));
}

/** Like `lenientArticle`, but for stock movements. */
export function lenientStockChange(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['movements'])) return body;
  return { ...body, movements: mappedArray(body['movements'], (movement) => readMovement(withSku(movement))) };
}

/** Like `lenientArticle`, but for a report of how many pieces are left at a place. */
export function lenientLeft(body: unknown): unknown {
  return readLeft(withSku(body));
}

/**
 * Renames one spelling of `SKU` to `sku`: the canonical spelling if present, otherwise the first one. Other spellings remain as unknown
 * fields.
 */
function withSku(body: unknown): unknown {
  if (!isObject(body) || Object.hasOwn(body, 'sku')) return body;
  const spelling = Object.keys(body).find((name) => name.toLowerCase() === 'sku');
  if (spelling === undefined) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name === spelling ? 'sku' : name, value]));
}
