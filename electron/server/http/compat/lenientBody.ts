import type { z } from 'zod';
import { shapeOf, type Shape } from './bodyShape.ts';
import { numericText, textOfNumber } from './looseValues.ts';

/**
 * Reads any body as its schema would have it: numeric strings are numbers, numbers and booleans in text fields are text, and
 * `"true"` and `"false"` are what they say. What fits nothing stays as it came, for the schema to judge. Who sends it: the same
 * clients that send such fields for devices; none of them knows for which address we would be stricter. Contract, section 2.
 */
export function lenientBody(schema: z.ZodType): (body: unknown) => unknown {
  let shape: Shape | undefined;
  return (body) => loosely(body, (shape ??= shapeOf(schema)));
}

function loosely(value: unknown, shape: Shape): unknown {
  if (value === null) return value;
  if (typeof value !== 'object') return scalar(value, shape);
  if (Array.isArray(value)) {
    const { elements } = shape;
    return elements === undefined ? value : value.map((element) => loosely(element, elements));
  }
  if (!shape.isObject) return value;
  const fields = Object.entries(value).map(([name, part]: [string, unknown]): [string, unknown] => {
    const field = shape.field(name);
    return [name, field === undefined ? part : loosely(part, field)];
  });
  return Object.fromEntries(fields);
}

function scalar(value: unknown, { isAnything, isText, isNumber, isBoolean }: Shape): unknown {
  if (isAnything) return value;
  if (typeof value !== 'string') return isText && !isNumber && !isBoolean ? textOfNumber(value) : value;
  if (isText) return value;
  if (isNumber) return numericText(value);
  if (isBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
