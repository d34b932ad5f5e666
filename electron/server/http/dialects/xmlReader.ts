import { StationError } from '../../errors.ts';

/** One element as it is written, its attributes gone but for `nil`. */
export type XmlElement = {
  /** With the prefix of its namespace. */
  readonly name: string;
  readonly isNil: boolean;
  /** Where there are children it is space. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** Levels of elements, the root being the first. Nothing that is sent here has more than five. */
const MAX_DEPTH = 32;
/** More than the largest bulk has, and few enough that nobody can fill the memory with empty ones. */
const MAX_ELEMENTS = 1_000_000;

const START =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NAME = `[${START}][-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040${START}]*`;
const SPACE = '[ \\t\\n]';

// Each is tried at one place only, and none can match the same text in two ways: reading takes time in step with length.
const TAG = new RegExp(`<(${NAME})`, 'uy');
/** Nearly all of them, and several times quicker. */
const PLAIN_TAG = /<([A-Za-z_][-\w.]*)>/y;
const TAG_END = new RegExp(`${SPACE}*(/?)>`, 'y');
const ATTRIBUTE = new RegExp(`${SPACE}+(${NAME})${SPACE}*=${SPACE}*(["'])`, 'uy');
const DECLARATION = new RegExp(
  `<\\?xml${SPACE}+version${SPACE}*=${SPACE}*["']([^"'<&>]*)["']` +
    `(?:${SPACE}+encoding${SPACE}*=${SPACE}*["']([^"'<&>]*)["'])?` +
    `(?:${SPACE}+standalone${SPACE}*=${SPACE}*["'](?:yes|no)["'])?${SPACE}*\\?>`,
  'y',
);
const INSTRUCTION = new RegExp(`<\\?(${NAME})(?=${SPACE}|\\?>)`, 'uy');
const REFERENCE = /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(lt|gt|amp|apos|quot));/y;
/** What XML 1.0 has no place for, written as it is or as a number: production 2. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NO_SPACE = /[^ \t\n]/;

const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

type Open = { name: string; isNil: boolean; text: string; children: Open[] };
/** Most elements have none: one list for all of them. */
const NO_CHILDREN: Open[] = [];

/**
 * The root element of an XML 1.0 document without DTD. Throws `malformed` with line and column, and
 * `unsupported_media_type` for what says of itself that it is not UTF-8. No library: docs/decisions/0020 has the reasons.
 */
export function readXml(document: string): XmlElement {
  const text = document
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  /** What is open, the root first, and where each began. */
  const stack: Open[] = [];
  const begun: number[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let at = 0;

  const fail = (what: string, where = at): never => {
    throw malformed(text, where, what);
  };

  /** Index behind `end`, which has to come. */
  const behind = (end: string, from: number, what: string): number => {
    const found = text.indexOf(end, from);
    return found < 0 ? fail(`${what} has no end`) : found + end.length;
  };

  const addText = (part: string): void => {
    const open = stack.at(-1);
    if (open !== undefined) open.text += part;
    else if (NO_SPACE.test(part)) fail('there is text outside the root element', at + part.search(NO_SPACE));
  };

  const close = (): void => {
    const open = stack.pop();
    const where = begun.pop() ?? 0;
    if (open === undefined || open.children.length === 0 || !NO_SPACE.test(open.text)) return;
    fail(`<${short(open.name)}> has text beside its elements`, where);
  };

  const readStartTag = (): void => {
    const plain = matchAt(PLAIN_TAG, text, at);
    const [start, name = ''] = plain ?? matchAt(TAG, text, at) ?? fail('"<" begins no element; in a text it is &lt;');
    if (root !== undefined && stack.length === 0) fail('there is a second root element');
    elements += 1;
    if (elements > MAX_ELEMENTS) fail(`there are more than ${MAX_ELEMENTS} elements: send them in parts`);
    if (stack.length === MAX_DEPTH) fail(`elements are more than ${MAX_DEPTH} deep`);
    const open: Open = { name, isNil: false, text: '', children: NO_CHILDREN };
    const parent = stack.at(-1);
    if (parent === undefined) root = open;
    else if (parent.children === NO_CHILDREN) parent.children = [open];
    else parent.children.push(open);
    stack.push(open);
    begun.push(at);
    at += start.length;
    if (plain !== null) return;
    for (let match = matchAt(ATTRIBUTE, text, at); match !== null; match = matchAt(ATTRIBUTE, text, at)) {
      const [whole, attribute = '', quote = ''] = match;
      const from = at + whole.length;
      const to = behind(quote, from, `the attribute ${short(attribute)}`);
      const value = text.slice(from, to - 1);
      if (value.includes('<')) fail('"<" stands in an attribute; there it is &lt;', from + value.indexOf('<'));
      const isTrue = /^(?:true|1)$/.test(decode(text, value, from));
      if (isTrue && /(?:^|:)nil$/.test(attribute)) open.isNil = true;
      at = to;
    }
    const [end, slash] = matchAt(TAG_END, text, at) ?? fail(`<${short(name)}> is not ended by ">"`);
    at += end.length;
    if (slash === '/') close();
  };

  const readEndTag = (): void => {
    const { name } = stack.at(-1) ?? fail('an end tag without a start');
    const behindName = at + 2 + name.length;
    const match = text.startsWith(name, at + 2) ? matchAt(TAG_END, text, behindName) : null;
    if (match === null || match[1] === '/') fail(`here <${short(name)}> has to be ended`);
    else at = behindName + match[0].length;
    close();
  };

  const readInstruction = (): void => {
    const [, target = ''] = matchAt(INSTRUCTION, text, at) ?? fail('"<?" begins no processing instruction');
    if (target.toLowerCase() === 'xml') fail('the XML declaration is no good, or not at the very beginning');
    at = behind('?>', at, 'a processing instruction');
  };

  const readComment = (): void => {
    const end = text.indexOf('--', at + 4);
    if (end < 0) fail('a comment has no end');
    if (text[end + 2] !== '>') fail('"--" stands within a comment', end);
    at = end + 3;
  };

  const bad = text.search(NO_CHARACTER);
  if (bad >= 0) fail(`${named(text.codePointAt(bad) ?? 0)} is no character of XML`, bad);
  at = checkDeclaration(text);
  while (at < text.length) {
    const next = text.indexOf('<', at);
    if (next !== at) {
      const part = text.slice(at, next < 0 ? undefined : next);
      if (part.includes(']]>')) fail('"]]>" stands in a text; there it is ]]&gt;', at + part.indexOf(']]>'));
      addText(decode(text, part, at));
      at += part.length;
      continue;
    }
    const after = text[at + 1];
    if (after === '/') readEndTag();
    else if (after === '?') readInstruction();
    else if (text.startsWith('<!--', at)) readComment();
    else if (text.startsWith('<![CDATA[', at)) {
      if (stack.length === 0) fail('there is text outside the root element');
      const end = behind(']]>', at + 9, 'a CDATA section');
      addText(text.slice(at + 9, end - 3));
      at = end;
    } else if (after === '!') fail('a DTD or a declaration of its kind is not taken: send the elements alone');
    else readStartTag();
  }
  const last = stack.at(-1);
  if (last !== undefined) fail(`<${short(last.name)}> is not ended`, begun.at(-1));
  return root ?? fail('there is no element');
}

/** Index behind the declaration. One of XML 1.1 is refused: it would allow characters that 1.0 has not. */
function checkDeclaration(text: string): number {
  const [whole, version = '', encoding = 'utf-8'] = matchAt(DECLARATION, text, 0) ?? [undefined];
  if (whole === undefined) return 0;
  if (!/^1\.(?:0|[2-9])$/.test(version)) throw malformed(text, 0, `version ${short(version)} is not taken: send 1.0`);
  if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    throw new StationError('unsupported_media_type', `The body says that it is ${short(encoding)}. Send UTF-8.`);
  }
  return whole.length;
}

/** A text with what its references stand for. `from` is where it begins in the document. */
function decode(document: string, text: string, from: number): string {
  if (!text.includes('&')) return text;
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', done)) {
    const [whole, hex, decimal, name] = matchAt(REFERENCE, text, at) ?? [];
    if (whole === undefined) {
      throw malformed(document, from + at, 'this is no reference: there are &lt; &gt; &amp; &apos; &quot; and numbers');
    }
    const character = name === undefined ? characterOf(Number(decimal ?? `0x${hex}`)) : PREDEFINED[name];
    if (character === undefined) throw malformed(document, from + at, `${short(whole)} is no character of XML`);
    parts.push(text.slice(done, at), character);
    done = at + whole.length;
  }
  return parts.join('') + text.slice(done);
}

function characterOf(code: number): string | undefined {
  const character = code > 0x10ffff ? '\0' : String.fromCodePoint(code);
  return NO_CHARACTER.test(character) ? undefined : character;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function malformed(text: string, at: number, what: string): StationError {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  const column = at - start + 1;
  return new StationError('malformed', `The body is not XML: line ${line}, column ${column}: ${what}.`);
}

/** Enough of it to know it by. */
function short(written: string): string {
  return written.length <= 40 ? written : `${written.slice(0, 40).toWellFormed()}…`;
}

function named(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
