import { ANYTHING, type Shape } from './bodyShape.ts';
import { readXml, type InParts, type XmlElement } from './xmlReader.ts';

/** The name of an array's elements, as in RFC 9457, appendix B. In a request any other will do where an array is due. */
export const ELEMENT_OF_ARRAY = 'i';

/** Elements of a bulk that are read in one part. */
const PART = 500;

/**
 * The fields in an XML document, as JSON would have brought them, in parts of a few milliseconds: a bulk of thousands must
 * not hold up a press. Throws as `readXml` does. Who sends it: an ERP whose messages are XML all through. Contract, section 2.
 */
export function* readXmlBody(text: string, shape: Shape): InParts<unknown> {
  const root = yield* readXml(text);
  const { elements } = shape;
  const isBulk = elements !== undefined && root.children.length > PART && !root.isNil && isList(root, shape);
  if (!isBulk || isOneOf(root, elements)) return anew(valueOf(root, shape));
  const values: unknown[] = [];
  for (let at = 0; at < root.children.length; at += PART) {
    values.push(...anew(root.children.slice(at, at + PART).map((child) => valueOf(child, elements))));
    yield;
  }
  return values;
}

/** A part of a text holds all of it in memory: a remembered line would hold its whole request. JSON makes texts anew. */
function anew<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function valueOf(element: XmlElement, shape: Shape): unknown {
  if (element.isNil) return null;
  const { children } = element;
  const isBlank = children.length === 0 && element.text.trim() === '';
  if (shape.elements !== undefined && isList(element, shape)) return listOf(element, shape.elements);
  if (children.length === 0) return isBlank && shape.isObject && !shape.isText ? {} : scalarOf(element.text, shape);
  if (isArray(element) && !shape.isObject) return children.map((child) => valueOf(child, ANYTHING));
  return objectOf(children, shape);
}

/** Where one or many may be sent, what has a field of one is one. */
function isList(element: XmlElement, shape: Shape): boolean {
  const { children, text } = element;
  if (children.length === 0 && text.trim() !== '') return !shape.isText && !shape.isObject;
  if (!shape.isObject || children.length === 0 || isArray(element)) return true;
  return children.some(hasChildren) && !children.some((child) => isFieldOf(shape, child));
}

/** Where an array is due, `<steps>` either is one of its elements, or holds them. */
function listOf(element: XmlElement, elements: Shape): unknown[] {
  const { children, text } = element;
  if (children.length === 0) return text.trim() === '' ? [] : [scalarOf(text, elements)];
  if (isOneOf(element, elements)) return [valueOf(element, elements)];
  return children.map((child) => valueOf(child, elements));
}

function isOneOf(element: XmlElement, elements: Shape): boolean {
  return !isArray(element) && element.children.some((child) => isFieldOf(elements, child));
}

/** By name, and by what it holds: a `<command>` with elements of its own is not the word of a command. */
function isFieldOf(shape: Shape, child: XmlElement): boolean {
  const field = shape.field(fieldName(child));
  return field !== undefined && (!hasChildren(child) || field.isObject || field.elements !== undefined);
}

function objectOf(children: readonly XmlElement[], shape: Shape): object {
  const fields = Map.groupBy(children, fieldName);
  const read = [...fields].map(([name, given]): [string, unknown] => {
    const field = shape.field(name) ?? ANYTHING;
    const [first] = given;
    if (first !== undefined && given.length === 1) return [name, valueOf(first, field)];
    const { elements } = field;
    return [
      name,
      elements === undefined
        ? given.map((each) => valueOf(each, field))
        : given.flatMap((each) => (each.isNil ? [null] : listOf(each, elements))),
    ];
  });
  return Object.fromEntries(read);
}

function scalarOf(text: string, { isText, isNumber, isBoolean }: Shape): unknown {
  if (isText) return text;
  const trimmed = text.trim();
  if (isNumber && /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return Number(trimmed);
  if (isBoolean && /^(?:true|1)$/.test(trimmed)) return true;
  if (isBoolean && /^(?:false|0)$/.test(trimmed)) return false;
  return text;
}

function isArray({ children }: XmlElement): boolean {
  return children.length > 0 && children.every(({ name }) => withoutPrefix(name) === ELEMENT_OF_ARRAY);
}

function hasChildren({ children }: XmlElement): boolean {
  return children.length > 0;
}

/** The name of a field as JSON has it: without prefix, and with every character that no element can be called by. */
function fieldName({ name }: XmlElement): string {
  const local = withoutPrefix(name);
  if (!local.includes('_x')) return local;
  return local.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number(`0x${code}`)));
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
