import type { ValueFormat } from '../bodies/valueParts.ts';
import { ELEMENT_OF_ARRAY } from './xmlBody.ts';

/** Namespace of problem documents. RFC 9457 keeps the namespace of its predecessor, RFC 7807. */
export const PROBLEM_NAMESPACE = 'urn:ietf:rfc:7807';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NIL = ' xsi:nil="true"/>';

/** Characters that XML 1.0 cannot contain in any form, including unpaired surrogates. */
const NO_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const NO_NAME = /^[^A-Za-z_]|[^\w.-]|_(?=x[0-9A-Fa-f]{4}_)/g;

/**
 * Writes a JSON value as XML that `readXmlBody` reads back with the same schema. A field becomes an element, an array becomes an element
 * with an `<i>` for each of its elements, and null becomes `xsi:nil="true"`. Contract, section 2.
 */
export function writeXml(value: unknown, root: { name: string; namespace: string | undefined }): string {
  const content = contentOf(value);
  const attributes = attributesOf(root.namespace, content === undefined || hasNil(content));
  return `${HEAD}${element(root.name, content, attributes)}\n`;
}

/** Whether this content contains a null. */
export function hasNil(content: string): boolean {
  return content.includes(NIL);
}

/** Returns the text before and after the content of a document that is written in pieces. */
export function aroundContent(name: string, withNil: boolean): readonly [open: string, close: string] {
  return [`${HEAD}<${name}${attributesOf(undefined, withNil)}>`, `</${name}>\n`];
}

/** Writes the content of the root element in pieces. */
export const XML_FORMAT: ValueFormat = {
  whole: (value) => contentOf(value) ?? '',
  element: (value) => element(ELEMENT_OF_ARRAY, contentOf(value)),
  field: (name, value, { isAlone }) => element(nameOf(name, isAlone), contentOf(value)),
  array: ['', ''],
  object: ['', ''],
  aroundField: (name, { isAlone }) => [`<${nameOf(name, isAlone)}>`, `</${nameOf(name, isAlone)}>`],
};

function attributesOf(namespace: string | undefined, withNil: boolean): string {
  return `${namespace === undefined ? '' : ` xmlns="${namespace}"`}${withNil ? ` xmlns:xsi="${XSI}"` : ''}`;
}

/** Returns the content of the element for a value, or undefined if the element is nil. */
function contentOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((each) => element(ELEMENT_OF_ARRAY, contentOf(each))).join('');
  if (typeof value !== 'object') return escaped(typeof value === 'string' ? value : JSON.stringify(value));
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return fields.map(([name, part]) => element(nameOf(name, fields.length === 1), contentOf(part))).join('');
}

/**
 * Returns the element name of a field. Encodes `i` if it is the only field of an object, because the object would otherwise look like an
 * array.
 */
function nameOf(field: string, isAlone: boolean): string {
  return isAlone && field === ELEMENT_OF_ARRAY ? encoded(ELEMENT_OF_ARRAY) : elementName(field);
}

function element(name: string, content: string | undefined, attributes = ''): string {
  if (content === undefined) return `<${name}${attributes}${NIL}`;
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

/** Escapes text for XML. Writes a carriage return as `&#13;`, because XML parsers convert an unescaped one to a line feed. */
function escaped(text: string): string {
  if (/^[\w .,:;/+-]*$/.test(text)) return text;
  return text
    .replace(NO_CHARACTERS, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Encodes characters that element names cannot contain (ISO 9075-14). `X-Shop` stays `<X-Shop>`, and `1st` becomes `<_x0031_st>`. */
function elementName(name: string): string {
  return name === '' ? '_' : name.replace(NO_NAME, encoded);
}

function encoded(unit: string): string {
  return `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
