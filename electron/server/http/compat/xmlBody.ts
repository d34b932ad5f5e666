import type { InParts } from '#shared/lib/inParts.ts';
import { ANYTHING, type Shape } from './bodyShape.ts';
import { MAX_WORD } from '../bodyLimits.ts';
import type { Charset } from '../bodyText.ts';
import { StationError } from '../../errors.ts';
import { readXml, shortName, type XmlElement } from './xmlReader.ts';

/** The name of array elements, as in RFC 9457, appendix B. Requests may use any other name where an array is expected. */
export const ELEMENT_OF_ARRAY = 'i';

/** Elements converted in one part. */
const PART = 2_000;
/** Engines copy substrings that are shorter than this. */
const SHORT = 13;

/** Yields after each PART elements. */
type Pace = () => InParts<void>;

/**
 * Converts an XML document to the fields of its JSON equivalent, in parts of a few milliseconds so that a bulk of
 * thousands does not delay presses. Throws as `readXml` does. For ERPs that send only XML. Contract, section 2.
 */
export function* readXmlBody(text: string, shape: Shape, charset?: Charset): InParts<unknown> {
  let elements = 0;
  const root = yield* readXml(text, charset);
  return yield* valueOf(root, shape, function* pace() {
    elements += 1;
    if (elements % PART === 0) yield;
  });
}

function* valueOf(element: XmlElement, shape: Shape, pace: Pace): InParts<unknown> {
  yield* pace();
  if (element.attribute !== undefined) throw withAttribute(element.name, element.attribute);
  if (element.isNil) return null;
  const { children } = element;
  const isBlank = children.length === 0 && element.text.trim() === '';
  if (shape.elements !== undefined && isList(element, shape)) return yield* listOf(element, shape.elements, pace);
  if (children.length === 0) return isBlank && shape.isObject && !shape.isText ? {} : scalarOf(element.text, shape);
  if (isArray(element) && !shape.isObject) return yield* valuesOf(children, ANYTHING, pace);
  return yield* objectOf(children, shape, pace);
}

function* valuesOf(elements: readonly XmlElement[], shape: Shape, pace: Pace): InParts<unknown[]> {
  const values: unknown[] = [];
  for (const element of elements) values.push(yield* valueOf(element, shape, pace));
  return values;
}

/** Where an object or a list is allowed, an element with a field of the object is one object. */
function isList(element: XmlElement, shape: Shape): boolean {
  const { children, text } = element;
  if (children.length === 0 && text.trim() !== '') return !shape.isText && !shape.isObject;
  if (!shape.isObject || children.length === 0 || isArray(element)) return true;
  return children.some(hasChildren) && !children.some((child) => isFieldOf(shape, child));
}

/** Where an array is expected, `<steps>` is either one of its elements, or contains them. */
function* listOf(element: XmlElement, elements: Shape, pace: Pace): InParts<unknown[]> {
  const { children, text } = element;
  if (children.length === 0) return text.trim() === '' ? [] : [scalarOf(text, elements)];
  return yield* valuesOf(isOneOf(element, elements) ? [element] : children, elements, pace);
}

function isOneOf(element: XmlElement, elements: Shape): boolean {
  return !isArray(element) && element.children.some((child) => isFieldOf(elements, child));
}

/** By name and content: a `<command>` with child elements is not a text field. */
function isFieldOf(shape: Shape, child: XmlElement): boolean {
  const field = shape.field(fieldName(child));
  return field !== undefined && (!hasChildren(child) || field.isObject || field.elements !== undefined);
}

function* objectOf(children: readonly XmlElement[], shape: Shape, pace: Pace): InParts<object> {
  const fields: [string, unknown][] = [];
  for (const [name, given] of Map.groupBy(children, fieldName)) {
    const field = shape.field(name) ?? ANYTHING;
    const [first] = given;
    if (first !== undefined && given.length === 1) fields.push([name, yield* valueOf(first, field, pace)]);
    else if (field.elements === undefined) fields.push([name, yield* valuesOf(given, field, pace)]);
    else {
      const values: unknown[] = [];
      for (const each of given) {
        yield* pace();
        if (each.isNil) values.push(null);
        else for (const value of yield* listOf(each, field.elements, pace)) values.push(value);
      }
      fields.push([name, values]);
    }
  }
  return Object.fromEntries(fields);
}

function scalarOf(text: string, { isText, isNumber, isBoolean }: Shape): unknown {
  if (isText) return anew(text);
  const trimmed = text.trim();
  if (isNumber && trimmed.length <= MAX_WORD && /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed))
    return Number(trimmed);
  if (isBoolean && /^(?:true|1)$/.test(trimmed)) return true;
  if (isBoolean && /^(?:false|0)$/.test(trimmed)) return false;
  return anew(text);
}

/** Copies, because a substring keeps its whole text in memory: a stored line would retain its whole request. */
function anew(text: string): string {
  return text.length < SHORT ? text : Buffer.from(text).toString();
}

function withAttribute(element: string, attribute: string): StationError {
  const [tag, name] = [shortName(element), shortName(attribute)];
  return new StationError(
    'malformed',
    `<${tag}> has the attribute ${name}, and attributes are not read. Nothing was done. Write it as an element: <${name}>…</${name}>.`,
  );
}

function isArray({ children }: XmlElement): boolean {
  return children.length > 0 && children.every(({ name }) => withoutPrefix(name) === ELEMENT_OF_ARRAY);
}

function hasChildren({ children }: XmlElement): boolean {
  return children.length > 0;
}

/** The field name as in JSON: without prefix, and with characters that element names cannot have decoded. */
function fieldName({ name }: XmlElement): string {
  const local = withoutPrefix(name);
  if (!local.includes('_x')) return local;
  return local.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number(`0x${code}`)));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
