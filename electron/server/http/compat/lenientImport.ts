import type { z } from 'zod';
import { lenientBody } from './lenientBody.ts';
import { isObject, mappedObject } from './looseValues.ts';

/** Like `lenientBody`, but also accepts `SKU` in any case as the meaning of a column, and converts it to `SKU`. Contract, section 20. */
export function lenientImport(schema: z.ZodType): (body: unknown) => unknown {
  const read = lenientBody(schema);
  return (body) => withSkuColumns(read(body));
}

function withSkuColumns(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['columns'])) return body;
  return { ...body, columns: mappedObject(body['columns'], (field) => (isSku(field) ? 'SKU' : field)) };
}

function isSku(field: unknown): boolean {
  return typeof field === 'string' && field.toLowerCase() === 'sku';
}
