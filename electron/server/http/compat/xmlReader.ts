import { SaxesParser } from 'saxes';
import { StationError } from '../../errors.ts';
import { charsetNamed, type Charset } from '../bodies/bodyText.ts';
import { beyondLimit, MAX_DEPTH, MAX_ELEMENTS, MAX_FIELDS, MAX_VALUES } from '../bodies/bodyLimits.ts';

/** An element of an XML document. */
export type XmlElement = {
  /** Name of the element, including the namespace prefix. */
  readonly name: string;
  readonly isNil: boolean;
  /** Name of the first attribute that may be intended as a field. */
  readonly attribute?: string;
  /** Text of the element. If the element has children, the text is empty or white space. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** Maximum number of attributes per element, because the parser keeps them until the tag ends. */
const MAX_ATTRIBUTES = 256;
/**
 * Maximum number of characters in one text, comment or attribute. The parser stores some of them separately, which takes thirty times their
 * size.
 */
const MAX_PIECE = 1024 * 1024;
/** Number of characters to parse before the length of the current piece is checked. */
const CHUNK = 16 * 1024;

const NO_SPACE = /[^ \t\n]/;
/** Matches names of attributes that cannot be fields: namespaces, names with a prefix, and hints of serializers. */
const NO_FIELD = /:|^(?:xmlns|type|version)$/;
/** Matches a "&" that should be written as &amp;. */
const BARE_AMPERSAND = /&(?!(?:lt|gt|amp|apos|quot|#\d+|#x[\dA-Fa-f]+);)/;

const NO_REFERENCE = '"&" itself is &amp;; there are no references but &lt; &gt; &amp; &apos; &quot; and numbers';
const NO_DTD = 'DTDs and other declarations are not supported: send only the elements';

/** Messages for parser errors. The first match applies. */
const SENTENCES: readonly (readonly [part: RegExp, sentence: string])[] = [
  [/must contain a root/, 'there is no element, or its tag has no end'],
  [/only one root/, 'there is a second root element'],
  [/outside of root/, 'there is text outside the root element'],
  [/tag name|forward-slash/, 'write a tag as <name>, </name> or <name/>; write "<" in a text as &lt;'],
  [/attribute/, 'write attributes as name="value", each once, with a space before it'],
  [/clos(?:e|ing) tag/, 'write an end tag as </name>, with the name of the open element'],
  [/entity/, 'this number is not an XML character'],
  [/\]\]>/, 'write "]]>" in a text as ]]&gt;'],
  [/comment/, 'a comment must not contain "--"'],
  [/doctype|incorrect syntax/, NO_DTD],
  [/disallowed character\./, 'this is not an XML character, or a "<" in an attribute, which is written &lt;'],
  [/processing instruction/, '"<?" does not begin a processing instruction here'],
  [
    /declaration|expect|value|version|required/,
    'the declaration must be <?xml version="1.0" encoding="UTF-8"?>, at the very beginning',
  ],
];

type Open = {
  name: string;
  isNil: boolean;
  attribute?: string;
  text: string;
  children: Open[];
  /** Number of children by name, computed only if there are many. */
  counts?: Map<string, number>;
};
/** Empty list that is shared by all elements without children, which are the majority. */
const NO_CHILDREN: Open[] = [];

/**
 * Parses an XML 1.0 document without a DTD (docs/decisions/0020). `charset` is the charset from which the document was decoded. Throws
 * `malformed` with line and column, and `unsupported_media_type` if the document declares a different encoding.
 */
export function readXml(document: string, charset: Charset = 'UTF-8'): XmlElement {
  // Replace unpaired surrogates with U+FFFF, which the parser rejects. The parser would combine a surrogate with the next character.
  const text = document.isWellFormed() ? document : document.replaceAll(/\p{Surrogate}/gu, '\uffff');
  // Our messages include positions, so the parser's must not.
  const parser = new SaxesParser({ position: false });
  const stack: Open[] = [];
  let root: Open | undefined;
  let closed = '';
  let elements = 0;
  let attributes = 0;
  /** Position after the last complete text or tag. */
  let done = 0;

  const fail = (what: string, line = parser.line, column = Math.max(parser.column, 1)): never => {
    throw new StationError('malformed', `The body is not XML: line ${line}, column ${column}: ${what}.`);
  };

  /** Throws an error with the position of a bare ampersand, if there is one. The parser would report the end of the text instead. */
  const failAtBareAmpersand = (): void => {
    const [piece = ''] = text.slice(done, parser.position).split('<', 1);
    const at = done + piece.search(BARE_AMPERSAND);
    if (at < done) return;
    const linesSince = text.slice(at, parser.position).match(/\r\n?|\n/g)?.length ?? 0;
    const lineStart = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1;
    fail(NO_REFERENCE, parser.line - linesSince, at - lineStart + 1);
  };

  const failBeside = ({ name }: Open): never => fail(`<${shortName(name)}> has text beside its elements`);

  const addText = (part: string): void => {
    done = parser.position;
    const open = stack.at(-1);
    if (open === undefined) return;
    if (open.children === NO_CHILDREN) open.text += part;
    else if (NO_SPACE.test(part)) failBeside(open);
  };

  parser.on('error', ({ message }) => {
    // Use only the part before the colon. The rest of the message contains names from the document.
    const [complaint = ''] = message.split(':', 1);
    const isEnd = /^un(?:closed tag|expected end)/.test(complaint);
    if (isEnd || complaint.includes('entity')) failAtBareAmpersand();
    const open = stack.at(-1)?.name;
    if (isEnd && open !== undefined) fail(`<${shortName(open)}>, or something in it, is not closed`);
    if (isEnd) fail('a comment or an instruction is not closed');
    // The parser has already reported this element as closed.
    if (complaint === 'unexpected close tag.') fail(`<${shortName(closed)}> is open and must be closed here`);
    fail(SENTENCES.find(([part]) => part.test(complaint))?.[1] ?? 'the XML is not well-formed here');
  });
  parser.on('xmldecl', ({ version, encoding = 'utf-8' }) => {
    if (version !== '1.0') fail('only XML 1.0 is supported: send 1.0');
    const named = charsetNamed(encoding);
    if (named !== undefined && withoutOrder(named) === withoutOrder(charset)) return;
    throw new StationError(
      'unsupported_media_type',
      `The body declares the encoding ${shortName(encoding)}, but it is read as ${charset}. Make both the same, or send UTF-8.`,
    );
  });
  parser.on('doctype', () => fail(NO_DTD));
  parser.on('opentagstart', ({ name }) => {
    done = parser.position;
    attributes = 0;
    elements += 1;
    if (elements > MAX_VALUES) throw beyondLimit('values', []);
    if (stack.length === MAX_DEPTH) throw beyondLimit('levels', namesOf(stack));
    const open: Open = { name, isNil: false, text: '', children: NO_CHILDREN };
    const parent = stack.at(-1);
    if (parent === undefined) root = open;
    else if (parent.children !== NO_CHILDREN) parent.children.push(open);
    else if (NO_SPACE.test(parent.text)) failBeside(parent);
    else parent.children = [open];
    if (parent !== undefined && parent.children.length > MAX_FIELDS) countChildren(parent, stack);
    stack.push(open);
  });
  parser.on('attribute', ({ name, value }) => {
    done = parser.position;
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) fail(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    const open = stack.at(-1);
    if (open === undefined) return;
    if (/(?:^|:)nil$/.test(name)) open.isNil ||= /^(?:true|1)$/.test(value);
    else if (!NO_FIELD.test(name)) open.attribute ??= name;
  });
  parser.on('closetag', () => {
    done = parser.position;
    closed = stack.pop()?.name ?? '';
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  for (const event of ['comment', 'processinginstruction'] as const) {
    parser.on(event, () => {
      done = parser.position;
    });
  }

  for (let at = 0; at < text.length; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK));
    if (at + CHUNK - done > MAX_PIECE)
      fail(`a text, a comment or a tag is longer than ${MAX_PIECE} characters: send less at a time`);
  }
  parser.close();
  return root ?? fail('there is no element');
}

/**
 * Throws if the last child exceeds a limit. If the child's name is new, this is the limit for fields, otherwise the limit for list
 * elements.
 */
function countChildren(parent: Open, stack: readonly Open[]): void {
  const { children } = parent;
  const added = parent.counts === undefined ? children : children.slice(-1);
  const counts = (parent.counts ??= new Map<string, number>());
  for (const { name } of added) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size > MAX_FIELDS) throw beyondLimit('fields', namesOf(stack));
  // Allow additional children, because an object can have other fields besides a list.
  const isLong =
    children.length > MAX_ELEMENTS + MAX_FIELDS || (counts.get(children.at(-1)?.name ?? '') ?? 0) > MAX_ELEMENTS;
  if (isLong) throw beyondLimit('elements', namesOf(stack));
}

/** Returns the names of the open elements, except for the root. Names in a list are followed by their index. */
function namesOf(stack: readonly Open[]): (string | number)[] {
  return stack.slice(1).flatMap(({ name }, index) => {
    const siblings = stack[index]?.children ?? [];
    const same = siblings.filter((sibling) => sibling.name === name).length;
    return same > 1 ? [shortName(name), same - 1] : [shortName(name)];
  });
}

/** Removes the byte order from the charset's name, because UTF-16 can be declared with or without it. */
function withoutOrder(charset: Charset): string {
  return charset.replace(/[BL]E$/, '');
}

/** Shortens a name for messages. */
export function shortName(written: string): string {
  return written.length <= 40 ? written : `${written.slice(0, 40).toWellFormed()}…`;
}
