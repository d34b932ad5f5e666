import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { nearestName } from '#shared/lib/editDistance.ts';
import { pointerOf } from '#shared/lib/jsonPointer.ts';
import { shapeOf, type Shape } from './bodyShape.ts';
import { isObject } from './looseValues.ts';

/** Unknown fields that an answer names at most. */
const MAX_NAMED = 10;

/** Finds fields at any depth that a schema does not have, in a body in canonical form: at most ten, each with the most similar field. */
export function unknownFieldsOf(schema: z.ZodType): (body: unknown) => FieldError[] {
  return (body) => {
    const found: FieldError[] = [];
    collect(body, shapeOf(schema), [], found);
    return found;
  };
}

/** `path` is that of `value`, and is unchanged afterwards. */
function collect(value: unknown, shape: Shape, path: (string | number)[], found: FieldError[]): void {
  const { elements } = shape;
  if (Array.isArray(value) && elements !== undefined) {
    value.forEach((element, index) => within(element, index, elements));
    return;
  }
  if (!isObject(value) || !shape.isObject) return;
  for (const name of Object.keys(value)) {
    const field = shape.field(name);
    if (field !== undefined) within(value[name], name, field);
    else if (found.length < MAX_NAMED) found.push(unknownField(name, shape, path));
  }

  function within(part: unknown, at: string | number, inside: Shape): void {
    if (typeof part !== 'object' || part === null || found.length >= MAX_NAMED) return;
    path.push(at);
    collect(part, inside, path, found);
    path.pop();
  }
}

function unknownField(name: string, shape: Shape, path: readonly (string | number)[]): FieldError {
  return { path: pointerOf([...path, name.slice(0, 100).toWellFormed()]), message: sentenceOf(name, shape) };
}

function sentenceOf(name: string, { names }: Shape): string {
  const nearest = nearestName(name, names);
  return `There is no such field.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}
