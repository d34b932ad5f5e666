import { fileImportRequestSchema, importRequestSchema } from '#shared/api/imports.ts';
import { lenientBody } from './lenientBody.ts';
import { isObject } from './looseValues.ts';

const readFile = lenientBody(fileImportRequestSchema);
const readOrders = lenientBody(importRequestSchema);

/** Converts an import to the canonical form: also `SKU` in any case as the meaning of a column. Contract, section 20. */
export function lenientImport(body: unknown): unknown {
  return withSkuColumns(readFile(body));
}

/** Like `lenientImport`, but for a file of orders. */
export function lenientOrderImport(body: unknown): unknown {
  return withSkuColumns(readOrders(body));
}

function withSkuColumns(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['columns'])) return body;
  const columns = Object.entries(body['columns']).map(([name, field]) => [name, isSku(field) ? 'SKU' : field]);
  return { ...body, columns: Object.fromEntries(columns) as unknown };
}

function isSku(field: unknown): boolean {
  return typeof field === 'string' && field.toLowerCase() === 'sku';
}
