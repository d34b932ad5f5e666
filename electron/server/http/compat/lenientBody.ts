import type { z } from 'zod';
import { shapeOf, type Shape } from './bodyShape.ts';
import { mappedArray, mappedObject, numericText, textOfNumber } from './looseValues.ts';

/**
 * Returns a function that converts a body to the types of its schema: numeric strings to numbers, numbers and booleans in text fields to
 * text, and `"true"` and `"false"` to booleans. Leaves other values for the schema to validate. For clients that send such values to device
 * endpoints and cannot know which endpoints would be stricter. Contract, section 2.
 */
export function lenientBody(schema: z.ZodType): (body: unknown) => unknown {
  return (body) => loosely(body, shapeOf(schema));
}

function loosely(value: unknown, shape: Shape): unknown {
  if (value === null) return value;
  if (typeof value !== 'object') return scalar(value, shape);
  if (Array.isArray(value)) {
    const { elements } = shape;
    return elements === undefined ? value : mappedArray(value, (element) => loosely(element, elements));
  }
  if (!shape.isObject) return value;
  return mappedObject(value as Readonly<Record<string, unknown>>, (part, name) => {
    const field = shape.field(name);
    return field === undefined ? part : loosely(part, field);
  });
}

function scalar(value: unknown, { isAnything, isText, isNumber, isBoolean }: Shape): unknown {
  if (isAnything) return value;
  if (typeof value !== 'string') return isText && !isNumber && !isBoolean ? textOfNumber(value) : value;
  if (isText) return value;
  if (isNumber) return numericText(value);
  if (isBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
