import { GS } from '../picking/gs.ts';

/** Data identifiers of MH10.8.2 on labels of distributors, with titles. */
const TITLES = new Map(
  Object.entries<string>({
    P: 'Customer item',
    '1P': 'Supplier item',
    '30P': 'Distributor item',
    Q: 'Quantity',
    K: 'Customer order',
    '1K': 'Supplier order',
    '1T': 'Lot',
    S: 'Serial number',
    '9D': 'Date',
    '10D': 'Date',
    '4L': 'Country of origin',
  }),
);
/** Identifiers of articles, in order of precedence. */
const ARTICLES = ['P', '1P', '30P'];
const ELEMENT = /^(\d{0,3}[A-Z])(.+)$/s;
/** Message of ISO 15434. Format 05 contains GS1 application identifiers, and 06 data identifiers. */
// oxlint-disable-next-line no-control-regex -- RS and GS are part of the format
const ENVELOPE = /^\[\)>\x1e?(05|06|12)\x1d(.*?)(?:\x1e.*)?$/s;

/**
 * An element of a code of GS1, or of a label of a distributor. `ai` is its identifier, such as `10` or `1P`. `title` is the name of the
 * identifier, such as `BATCH/LOT`; empty if unknown.
 */
export type CodePart = { ai: string; title: string; value: string };

/** Returns the format and the content of a message in an envelope of ISO 15434, or undefined if the text is not one. */
export function readEnvelope(text: string): { isGs1: boolean; content: string } | undefined {
  const [, format = '', content = ''] = ENVELOPE.exec(text) ?? [];
  return content === '' ? undefined : { isGs1: format === '05', content };
}

/** Reads the elements of a message that are separated by GS. */
export function readIdentified(content: string): CodePart[] {
  return content.split(GS).flatMap((element) => {
    const [, ai = '', value = ''] = ELEMENT.exec(element) ?? [];
    return ai === '' || value.trim() === '' ? [] : [{ ai, title: TITLES.get(ai) ?? '', value: value.trim() }];
  });
}

/** Returns the articles that these elements name, in order of precedence. */
export function articlesIn(parts: readonly CodePart[]): string[] {
  return ARTICLES.flatMap((of) => parts.flatMap(({ ai, value }) => (ai === of ? value : [])));
}

/** Returns the article in a text with a data identifier, such as `K-1` in `1PK-1`, or undefined if it does not begin with one. */
export function withoutIdentifier(text: string): string | undefined {
  return articlesIn(readIdentified(text))[0];
}
