import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { nearestName } from '#shared/lib/text/editDistance.ts';
import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { shapeOf, type Shape } from './bodyShape.ts';
import { isObject } from './looseValues.ts';

/** Maximum number of unknown fields to list in a response. */
const MAX_NAMED = 10;

/**
 * Returns a function that finds the fields of a canonical body that the schema does not have, at any depth. Lists at most ten, each with
 * the most similar field. Repetitions of a field in many elements do not hide another unknown field in a later element.
 */
export function unknownFieldsOf(schema: z.ZodType): (body: unknown) => FieldError[] {
  return (body) => {
    const found = createFound();
    collect(body, shapeOf(schema), [], found);
    return found.list();
  };
}

type Path = readonly (string | number)[];
type Found = ReturnType<typeof createFound>;

/**
 * Creates a collection of unknown fields. The collection keeps the first occurrence of each field and, as long as there is room,
 * repetitions in other elements.
 */
function createFound() {
  // Names by shape. All elements of a list share one shape, so a name is new only in the first element that contains it.
  const known = new Map<Shape, Set<string>>();
  const kept: { error: FieldError; isFirst: boolean }[] = [];
  return {
    add(name: string, shape: Shape, path: Path): void {
      const isFirst = known.get(shape)?.has(name) !== true;
      if (kept.length === MAX_NAMED) {
        const last = isFirst ? kept.findLastIndex((each) => !each.isFirst) : -1;
        if (last < 0) return;
        kept.splice(last, 1);
      }
      known.set(shape, (known.get(shape) ?? new Set()).add(name));
      const error = { path: pointerOf([...path, name.slice(0, 100).toWellFormed()]), message: sentenceOf(name, shape) };
      kept.push({ error, isFirst });
    },
    list: (): FieldError[] => kept.map(({ error }) => error),
  };
}

/** Collects the unknown fields in a value. `path` is the path of the value, and is restored before this function returns. */
function collect(value: unknown, shape: Shape, path: (string | number)[], found: Found): void {
  const { elements } = shape;
  if (Array.isArray(value) && elements !== undefined) {
    value.forEach((element, index) => within(element, index, elements));
    return;
  }
  if (!isObject(value) || !shape.isObject) return;
  for (const name of Object.keys(value)) {
    const field = shape.field(name);
    if (field !== undefined) within(value[name], name, field);
    else found.add(name, shape, path);
  }

  function within(part: unknown, at: string | number, inside: Shape): void {
    if (typeof part !== 'object' || part === null) return;
    path.push(at);
    collect(part, inside, path, found);
    path.pop();
  }
}

function sentenceOf(name: string, { names }: Shape): string {
  const nearest = nearestName(name, names);
  return `There is no such field.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}
