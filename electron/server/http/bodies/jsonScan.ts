import { StationError } from '../../errors.ts';
import { beyondLimit, MAX_DEPTH, MAX_ELEMENTS, MAX_FIELDS, MAX_VALUES, MAX_WORD } from './bodyLimits.ts';

type State = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'after' | 'end';
/** An object or array that is not closed yet. `nameAt` is the position of the current name. */
type Open = { sign: '[' | '{'; count: number; nameAt: number; names: Set<string> | undefined };

const NUMBER = new RegExp(
  `-?(?:0|[1-9]\\d{0,${MAX_WORD}})(?:\\.\\d{1,${MAX_WORD}})?(?:[eE][+-]?\\d{1,${MAX_WORD}})?`,
  'y',
);
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const QUOTES = new Set(["'", '`', '‘', '’', '“', '”', '„']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

const MISSING: Readonly<Record<Exclude<State, 'after'>, string>> = {
  value: 'a value is missing: a text in double quotes, a number, true, false, null, an object or an array',
  valueOrEnd: 'a value or the ] that ends the array is missing',
  name: 'the name of a field, in double quotes, is missing after the comma',
  nameOrEnd: 'the name of a field, in double quotes, or the } that ends the object is missing',
  colon: 'a : is missing between the name of a field and its value',
  end: 'something follows the end of the body: send one value',
};

/**
 * Checks JSON text against the grammar and the limits of `bodyLimits.ts`. Throws `malformed` with line and column, but without any of the
 * text, which may contain a secret. Throws `invalid` with a pointer if the text exceeds a limit or repeats a name in an object, where
 * parsing would keep only the last value.
 */
export function scanJson(text: string): void {
  const open: Open[] = [];
  let state: State = 'value';
  let at = 0;
  let values = 0;
  let line = 1;
  let lineBegin = 0;

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const fail = (what: string): never => {
    const whole = open.length === 0 || text[0] === '[' ? wholeFault(text) : undefined;
    throw new StationError(
      'malformed',
      `The body is not JSON: ${whole ?? `line ${line}, column ${at - lineBegin + 1}: ${what}`}.`,
    );
  };
  /** Returns the state after a value. */
  const ended = (): State => (open.length === 0 ? 'end' : 'after');
  /** Counts a value that starts at `at`. */
  const begun = (): void => {
    values += 1;
    if (values > MAX_VALUES) throw beyondLimit('values', []);
    const parent = open.at(-1);
    if (parent?.sign === '[') {
      parent.count += 1;
      if (parent.count > MAX_ELEMENTS) throw beyondLimit('elements', namesOf(text, open.slice(0, -1)));
    }
  };

  for (;;) {
    let sign = text[at];
    while (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') {
      if (sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')) {
        line += 1;
        lineBegin = at + 1;
      }
      sign = text[++at];
    }
    const inside = open.at(-1);
    if (sign === undefined) {
      if (state !== 'end') fail(cutShort(inside?.sign));
      return;
    }
    const isName: boolean = state === 'name' || state === 'nameOrEnd';
    const isValue = state === 'value' || state === 'valueOrEnd';
    const closes = sign === '}' ? '{' : sign === ']' ? '[' : undefined;
    const mayClose = state === 'after' || state === 'nameOrEnd' || state === 'valueOrEnd';
    if (mayClose && inside !== undefined && closes === inside.sign) {
      at += 1;
      open.pop();
      state = ended();
    } else if (state === 'after' && sign === ',') {
      at += 1;
      state = inside?.sign === '{' ? 'name' : 'value';
    } else if (state === 'colon' && sign === ':') {
      at += 1;
      state = 'value';
    } else if (sign === '"' && (isName || isValue)) {
      const begin = at;
      if (isValue) begun();
      else if (inside !== undefined) {
        inside.count += 1;
        if (inside.count > MAX_FIELDS) throw beyondLimit('fields', namesOf(text, open.slice(0, -1)));
        inside.nameAt = at;
      }
      at += 1;
      for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
        if (code === BACKSLASH ? !skip(ESCAPE) : !(code >= SPACE)) fail(stringFault(text[at]));
        if (code !== BACKSLASH) at += 1;
        if (isName && at - begin > MAX_WORD + 1) throw beyondLimit('name', namesOf(text, open.slice(0, -1)));
      }
      at += 1;
      if (inside?.names !== undefined && isName) {
        const name = nameIn(text.slice(begin, at));
        if (inside.names.has(name)) throw beyondLimit('doubled', namesOf(text, open));
        inside.names.add(name);
      }
      state = isName ? 'colon' : ended();
    } else if (isValue && (sign === '{' || sign === '[')) {
      begun();
      if (open.length === MAX_DEPTH) throw beyondLimit('levels', namesOf(text, open));
      open.push({ sign, count: 0, nameAt: 0, names: sign === '{' ? new Set() : undefined });
      at += 1;
      state = sign === '{' ? 'nameOrEnd' : 'valueOrEnd';
    } else if (isValue && /[-\dtfn]/.test(sign)) {
      const begin = at;
      begun();
      if (!skip(WORD) && !skip(NUMBER)) fail(wrongSign(text, at) ?? MISSING.value);
      if (at - begin > MAX_WORD) throw beyondLimit('digits', namesOf(text, open));
      state = ended();
    } else if ((isName || isValue) && QUOTES.has(sign)) fail(ONE_KIND);
    else if (closes !== undefined && closes === inside?.sign && (state === 'name' || state === 'value')) {
      fail(`remove the comma before this ${sign}`);
    } else {
      const isToken = isName || isValue;
      fail(
        (isToken || !LETTER.test(sign) ? wrongSign(text, at, isName) : undefined) ?? missingHere(state, inside?.sign),
      );
    }
  }
}

const ONE_KIND = 'texts and names need double quotes (")';
const NAME = /"(?:[^"\\]|\\.)*"/y;

/** Returns the current field or index in each open object and array, from the outside in. */
function namesOf(text: string, open: readonly Open[]): (string | number)[] {
  return open.map(({ sign, count, nameAt }) => {
    if (sign === '[') return count - 1;
    NAME.lastIndex = nameAt;
    return nameIn(NAME.exec(text)?.[0] ?? '""');
  });
}

/** Decodes a quoted name. */
function nameIn(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Describes what a body seems to be if it is not JSON at all. Returns undefined if that cannot be recognized. */
function wholeFault(text: string): string | undefined {
  const begin = text.slice(0, 200).trimStart();
  if (begin.startsWith('<')) return 'it looks like XML. For XML, send content-type: application/xml';
  if (/^(?:@\{|\[object |System\.)/.test(begin)) {
    return 'it is the name of an object and not its content. Convert the object first, with ConvertTo-Json, JSON.stringify or json.dumps';
  }
  if (/^[\w.-]+=/.test(begin)) return 'it looks like a form. Send a JSON object';
  return undefined;
}

/** Describes a common mistake at this position, if there is one. */
function wrongSign(text: string, at: number, isName = false): string | undefined {
  const rest = text.slice(at, at + 20);
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments: remove this one';
  if (INVISIBLE.test(rest)) {
    const code = (rest.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `there is an invisible character, U+${code}: replace it with a space`;
  }
  if (!isName && OTHER_WORD.test(rest)) return 'JSON has only true, false and null, in lower case';
  return LETTER.test(rest) ? ONE_KIND : undefined;
}
/** Matches words for JSON's true, false and null in the spelling of other languages. */
const OTHER_WORD = /^-?(?:true|false|null|none|nil|nan|undefined|infinity)\b/i;
const INVISIBLE = /^[\u00A0\u00AD\u1680\u2000-\u200F\u2028-\u202F\u205F-\u2064\u3000\uFEFF]/;
const LETTER = /^[\p{L}_$]/u;

function missingHere(state: State, inside: '[' | '{' | undefined): string {
  return state === 'after' ? missingAfter(inside) : MISSING[state];
}

function missingAfter(inside: '[' | '{' | undefined): string {
  return `a comma or the ${inside === '{' ? '} that ends the object' : '] that ends the array'} is missing`;
}

function cutShort(inside: '[' | '{' | undefined): string {
  if (inside === undefined) return 'the body ends before there is a value';
  return `the body ends before the end of ${inside === '{' ? 'an object' : 'an array'}`;
}

function stringFault(sign: string | undefined): string {
  if (sign === undefined) return 'the body ends in a text: its closing double quote is missing';
  if (sign === '\\')
    return '\\ must be followed by ", \\, /, b, f, n, r, t or u with four hexadecimal digits: write \\\\ for a backslash';
  return 'a text contains a line break, a tab or another control character: write \\n, \\t or \\u and its code';
}
