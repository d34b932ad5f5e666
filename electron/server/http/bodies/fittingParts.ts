import { HIDDEN } from '../../services/base/index.ts';
import { isObject } from '../compat/looseValues.ts';
import type { Shape } from '../compat/bodyShape.ts';

/**
 * Returns the text of a JSON body or form with `***` in place of each part that the endpoint does not expect there, because a secret in an
 * unusual shape has no name that reveals it. Returns undefined if the text cannot be parsed.
 */
export function fittingText(text: string, shape: Shape, isForm: boolean): string | undefined {
  if (isForm) {
    const fields = [...new URLSearchParams(text)].map(([name, value]) =>
      shape.names.includes(name) ? new URLSearchParams([[name, value]]).toString() : HIDDEN,
    );
    return fields.join('&');
  }
  try {
    return JSON.stringify(fitting(JSON.parse(text) as unknown, shape));
  } catch {
    // The text is not JSON, or is nested too deeply.
    return undefined;
  }
}

function fitting(value: unknown, shape: Shape): unknown {
  if (shape.isAnything || value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value === '' || shape.isText ? value : HIDDEN;
  if (typeof value === 'number') return shape.isNumber || shape.isText ? value : HIDDEN;
  if (Array.isArray(value)) {
    const { elements } = shape;
    return elements === undefined ? HIDDEN : value.map((part) => fitting(part, elements));
  }
  if (!shape.isObject || !isObject(value)) return HIDDEN;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const field = shape.field(name);
      return [name, field === undefined ? HIDDEN : fitting(part, field)];
    }),
  );
}
