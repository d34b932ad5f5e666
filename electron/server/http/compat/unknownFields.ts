import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { nearestName } from '#shared/lib/editDistance.ts';
import { pointerOf } from '#shared/lib/jsonPointer.ts';
import { shapeOf, type Shape } from './bodyShape.ts';
import { MAX_NAMED } from './lenientFields.ts';
import { isObject } from './looseValues.ts';

/** Finds fields that a schema does not have, in a body in canonical form: at most ten, each with the most similar field. Contract, section 8. */
export function unknownFieldsOf(schema: z.ZodType): (body: unknown) => FieldError[] {
  let shape: Shape | undefined;
  return (body) => {
    const found: FieldError[] = [];
    collect(body, (shape ??= shapeOf(schema)), [], found);
    return found;
  };
}

function collect(value: unknown, shape: Shape, path: readonly (string | number)[], found: FieldError[]): void {
  if (Array.isArray(value)) {
    const { elements } = shape;
    if (elements === undefined) return;
    for (const [index, element] of value.entries()) collect(element, elements, [...path, index], found);
    return;
  }
  if (!isObject(value) || !shape.isObject) return;
  for (const [name, part] of Object.entries(value)) {
    if (found.length >= MAX_NAMED) return;
    const field = shape.field(name);
    if (field !== undefined) collect(part, field, [...path, name], found);
    else
      found.push({ path: pointerOf([...path, name.slice(0, 100).toWellFormed()]), message: sentenceOf(name, shape) });
  }
}

function sentenceOf(name: string, { names }: Shape): string {
  const nearest = nearestName(name, names);
  return `There is no such field.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}
