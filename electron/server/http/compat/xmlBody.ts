import { ANYTHING, type Shape } from './bodyShape.ts';
import { MAX_WORD } from '../bodies/bodyLimits.ts';
import type { Charset } from '../bodies/bodyText.ts';
import { StationError } from '../../errors.ts';
import { readXml, shortName, type XmlElement } from './xmlReader.ts';

/** Name of array elements, as in appendix B of RFC 9457. Requests may use any other name where an array is expected. */
export const ELEMENT_OF_ARRAY = 'i';

/** Minimum length, in characters, of a text that must be copied. JavaScript engines copy shorter substrings themselves. */
const SHORT = 13;

/**
 * Converts an XML document to the fields of the equivalent JSON. Throws the errors of `readXml`. For ERPs that send only XML. Contract,
 * section 2.
 */
export function readXmlBody(text: string, shape: Shape, charset?: Charset): unknown {
  return valueOf(readXml(text, charset), shape);
}

function valueOf(element: XmlElement, shape: Shape): unknown {
  if (element.attribute !== undefined) throw withAttribute(element.name, element.attribute);
  if (element.isNil) return null;
  const { children } = element;
  const isBlank = children.length === 0 && element.text.trim() === '';
  if (shape.elements !== undefined && isList(element, shape)) return listOf(element, shape.elements);
  if (children.length === 0) return isBlank && shape.isObject && !shape.isText ? {} : scalarOf(element.text, shape);
  if (isArray(element) && !shape.isObject) return valuesOf(children, ANYTHING);
  return objectOf(children, shape);
}

function valuesOf(elements: readonly XmlElement[], shape: Shape): unknown[] {
  const values: unknown[] = [];
  for (const element of elements) values.push(valueOf(element, shape));
  return values;
}

/**
 * Whether an element is a list, if the schema allows both an object and a list. An element that contains one of the object's fields is a
 * single object.
 */
function isList(element: XmlElement, shape: Shape): boolean {
  const { children, text } = element;
  if (children.length === 0 && text.trim() !== '') return !shape.isText && !shape.isObject;
  if (!shape.isObject || children.length === 0 || isArray(element)) return true;
  return children.some(hasChildren) && !children.some((child) => isFieldOf(shape, child));
}

/** Reads an array. An element such as `<steps>` either is itself an element of the array, or contains the array's elements. */
function listOf(element: XmlElement, elements: Shape): unknown[] {
  const { children, text } = element;
  if (children.length === 0) return text.trim() === '' ? [] : [scalarOf(text, elements)];
  return valuesOf(isOneOf(element, elements) ? [element] : children, elements);
}

function isOneOf(element: XmlElement, elements: Shape): boolean {
  return !isArray(element) && element.children.some((child) => isFieldOf(elements, child));
}

/** Whether a child is a field of this shape, by name and content. For example, a `<command>` with child elements is not a text field. */
function isFieldOf(shape: Shape, child: XmlElement): boolean {
  const field = shape.field(fieldName(child));
  return field !== undefined && (!hasChildren(child) || field.isObject || field.elements !== undefined);
}

function objectOf(children: readonly XmlElement[], shape: Shape): object {
  const fields: [string, unknown][] = [];
  for (const [name, given] of Map.groupBy(children, fieldName)) {
    const field = shape.field(name) ?? ANYTHING;
    const [first] = given;
    if (first !== undefined && given.length === 1) fields.push([name, valueOf(first, field)]);
    else if (field.elements === undefined) fields.push([name, valuesOf(given, field)]);
    else {
      const values: unknown[] = [];
      for (const each of given) {
        if (each.isNil) values.push(null);
        else for (const value of listOf(each, field.elements)) values.push(value);
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

/** Copies a text, because a substring would keep the whole request in memory. */
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

/** Returns the name that an element has as a field in JSON: without prefix, and with encoded characters decoded. */
function fieldName({ name }: XmlElement): string {
  const local = withoutPrefix(name);
  if (!local.includes('_x')) return local;
  return local.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number(`0x${code}`)));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
