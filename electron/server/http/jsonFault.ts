/** Where a text stops being JSON, counted from 1, and what is missing there; never a piece of the text. */
export type JsonFault = { line: number; column: number; what: string };

type State = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'after' | 'end';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// oxlint-disable-next-line no-control-regex -- they are what a text must not have
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const QUOTES = new Set(["'", '`', '‘', '’', '“', '”', '„']);

const MISSING: Readonly<Record<Exclude<State, 'after'>, string>> = {
  value: 'a value is missing: a text in double quotes, a number, true, false, null, an object or an array',
  valueOrEnd: 'a value or the ] that ends the array is missing',
  name: 'the name of a field is missing, in double quotes; nothing follows the last comma',
  nameOrEnd: 'the name of a field, in double quotes, or the } that ends the object is missing',
  colon: 'a : is missing between the name of a field and its value',
  end: 'the body goes on behind its end: send one value',
};

/**
 * Why `text` is no JSON; undefined where it is. What the engine says of it repeats a piece of the text, in which a secret
 * may stand. It goes through the text once, however deep it is.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('[' | '{')[] = [];
  let state: State = 'value';
  let at = 0;

  const skip = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return 0;
    const length = pattern.lastIndex - at;
    at = pattern.lastIndex;
    return length;
  };
  const fault = (what: string): JsonFault => ({ ...placeOf(text, at), what });
  /** What ends here, and so what may follow it. */
  const ended = (): State => (open.length === 0 ? 'end' : 'after');
  /** Undefined: it is whole. */
  const readString = (): JsonFault | undefined => {
    at += 1;
    while (skip(PLAIN) > 0 || skip(ESCAPE) > 0);
    if (text[at] !== '"') return fault(stringFault(text[at]));
    at += 1;
    return undefined;
  };

  for (;;) {
    let sign = text[at];
    while (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') sign = text[++at];
    if (sign === undefined) return state === 'end' ? undefined : fault(cutShort(open.at(-1)));
    const closes = sign === '}' ? '{' : sign === ']' ? '[' : undefined;
    const mayClose = state === 'after' || state === 'nameOrEnd' || state === 'valueOrEnd';
    if (mayClose && closes !== undefined && closes === open.at(-1)) {
      at += 1;
      open.pop();
      state = ended();
    } else if (state === 'after' && sign === ',') {
      at += 1;
      state = open.at(-1) === '{' ? 'name' : 'value';
    } else if (state === 'colon' && sign === ':') {
      at += 1;
      state = 'value';
    } else if (state === 'name' || state === 'nameOrEnd') {
      if (sign !== '"') return fault(QUOTES.has(sign) ? ONE_KIND : MISSING[state]);
      const broken = readString();
      if (broken !== undefined) return broken;
      state = 'colon';
    } else if (state === 'value' || state === 'valueOrEnd') {
      if (sign === '{' || sign === '[') {
        at += 1;
        open.push(sign);
        state = sign === '{' ? 'nameOrEnd' : 'valueOrEnd';
      } else if (sign === '"') {
        const broken = readString();
        if (broken !== undefined) return broken;
        state = ended();
      } else if (skip(WORD) > 0 || skip(NUMBER) > 0) state = ended();
      else return fault(QUOTES.has(sign) ? ONE_KIND : MISSING[state]);
    } else return fault(state === 'after' ? missingAfter(open.at(-1)) : MISSING[state]);
  }
}

const ONE_KIND = 'texts and names stand in double quotes (")';

function missingAfter(inside: '[' | '{' | undefined): string {
  return `a comma or the ${inside === '{' ? '} that ends the object' : '] that ends the array'} is missing`;
}

function cutShort(inside: '[' | '{' | undefined): string {
  if (inside === undefined) return 'the body ends before there is a value';
  return `the body ends, and ${inside === '{' ? 'an object' : 'an array'} is open`;
}

function stringFault(sign: string | undefined): string {
  if (sign === undefined) return 'the body ends in a text: its closing double quote is missing';
  if (sign === '\\')
    return 'a \\ stands before ", \\, /, b, f, n, r, t or u with four hexadecimal digits: write \\\\ for one';
  return 'a line break, a tab or another control character stands in a text: write \\n, \\t or \\u and its code';
}

function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let begins = 0;
  for (let index = 0; index < at; index += 1) {
    const sign = text[index];
    if (sign !== '\n' && (sign !== '\r' || text[index + 1] === '\n')) continue;
    line += 1;
    begins = index + 1;
  }
  return { line, column: at - begins + 1 };
}
