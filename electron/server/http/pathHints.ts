import { nearestName } from '#shared/lib/text/editDistance.ts';
import type { Endpoint } from './endpoint.ts';

/** Maximum length of a path that gets a hint. */
const MAX_PATH = 300;
const MAX_SEGMENTS = 12;
const PARAMETER = /^\{\w+\}$/;

/** Path of an endpoint. `end` is `/`, or an empty string for paths without a trailing slash. `names` is the number of fixed segments. */
type Template = { segments: readonly string[]; end: string; names: number };
/** Path that matches a request. `slashed` is the id that contains slashes, if any. */
type Match = { path: string; slashed: string | undefined; names: number; first: string };

/**
 * Returns a function that suggests in a sentence what the caller of an unknown path meant. The text is empty if there is no likely
 * suggestion.
 */
export function createPathHints(endpoints: readonly Endpoint[]): (path: string) => string {
  const all = new Set(endpoints.filter(({ route }) => route === undefined).map(({ path }) => path));
  const templates: Template[] = [...all].map((path) => {
    const segments = segmentsOf(path);
    return {
      segments,
      end: path.endsWith('/') ? '/' : '',
      names: segments.filter((segment) => !PARAMETER.test(segment)).length,
    };
  });
  const nouns = [...new Set(templates.flatMap(({ segments: [api, noun] }) => (api === 'api' && noun ? [noun] : [])))];

  return function hintFor(path) {
    if (path.length > MAX_PATH) return '';
    const segments = segmentsOf(path);
    if (segments.includes('')) return EMPTY_PART;
    if (segments.length > MAX_SEGMENTS) return '';
    // The path has the form for launching an order, but names a sequence.
    const launched = segments.length === 4 && /^sequences?$/i.test(segments[1] ?? '') && LAUNCH.test(segments[3] ?? '');
    if (launched) return ` GET /api/launchsequence/${segments[2] ?? ''}/ launches a sequence.`;
    const match = bestMatch(templates, variantsOf(segments, nouns));
    if (match === undefined) return '';
    const { slashed, path: right, first } = match;
    if (slashed === undefined) return ` Did you mean ${right}?`;
    const remedy = REMEDIES.get(first) ?? '';
    return ` If "${slashed}" is one id, write each slash in it as %2F: ${right}${remedy}`;
  };
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/^\/|\/$/g, '').split('/');
}

/** Returns the segments as sent, followed by versions in which common mistakes are corrected. */
function variantsOf(segments: readonly string[], nouns: readonly string[]): readonly (readonly string[])[] {
  const [first = '', ...rest] = segments;
  const whole = /^api$/i.test(first) ? ['api', ...rest] : ['api', ...segments];
  const [, noun = '', ...more] = whole.filter((segment, at) => at !== 1 || !/^v\d+$/i.test(segment));
  const nearest = nearestName(noun, nouns);
  return [segments, whole, ['api', noun, ...more], ...(nearest === undefined ? [] : [['api', nearest, ...more]])];
}

/** Returns a match for the first variant that has one, if necessary with slashes in an id. Prefers paths with many fixed segments. */
function bestMatch(templates: readonly Template[], variants: readonly (readonly string[])[]): Match | undefined {
  for (const spans of [false, true]) {
    for (const variant of variants) {
      const matches = templates.flatMap((template) => matchOf(template, variant, spans) ?? []);
      const [best] = matches.toSorted((one, other) => other.names - one.names);
      if (best !== undefined) return best;
    }
  }
  return undefined;
}

/** Matches a path, ignoring case in fixed segments. If `spans`, the first id takes all surplus segments. */
function matchOf({ segments, end, names }: Template, given: readonly string[], spans: boolean): Match | undefined {
  const surplus = given.length - segments.length;
  if (spans ? surplus < 1 : surplus !== 0) return undefined;
  const spanning = spans ? segments.findIndex((segment) => PARAMETER.test(segment)) : -1;
  if (spans && spanning < 0) return undefined;
  const path: string[] = [];
  let slashed: string | undefined;
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    const taken = given.slice(at, at + (index === spanning ? surplus + 1 : 1));
    at += taken.length;
    if (index === spanning) slashed = taken.join('/');
    if (PARAMETER.test(segment)) path.push(taken.join('%2F'));
    else if (segment.toLowerCase() === taken[0]?.toLowerCase()) path.push(segment);
    else return undefined;
  }
  return { path: `/${path.join('/')}${end}`, slashed, names, first: segments[1] ?? '' };
}

const LAUNCH = /^(?:launch(?:sequence)?|start|run)$/i;
const EMPTY_PART = ' A part of the path is empty: is a variable of your program empty?';
const TURNS = '. If your program turns %2F back into a slash, as Windows PowerShell does,';
/** Other ways to address an order or article whose id contains a slash, by noun. */
const REMEDIES = new Map(
  Object.entries<string>({
    orders: `${TURNS} send id: and the order's id instead of its number.`,
    articles: `${TURNS} send the SKU in a list to PATCH /api/articles/, and read it with ?q=.`,
  }),
);
