import { bareKey, isCommandName, lookAlikeKey, whyReserved } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { LookAlike } from '../../db/repositories/lookAlikes.ts';
import { StationError } from '../../errors.ts';

type Kind = LookAlike['kind'];
type Tables = Pick<Repositories, 'lookAlikes'>;

/** Kinds of names that a new name of each kind is compared with. Names of the same kind that must differ are refused elsewhere. */
const COMPARED = {
  place: ['label', 'alias', 'place', 'code', 'tote', 'order'],
  /** A place of an article. */
  stored: ['label', 'alias', 'place', 'code', 'tote', 'order'],
  code: ['label', 'alias', 'place', 'order', 'sku', 'barcode'],
  order: ['label', 'alias', 'place', 'code', 'tote', 'order', 'sku', 'barcode'],
  sku: ['code', 'tote', 'order', 'sku'],
  barcode: ['label', 'alias', 'place', 'code', 'tote', 'order'],
} as const satisfies Record<string, readonly Kind[]>;

const PLACES: ReadonlySet<Kind> = new Set(['label', 'alias', 'place']);

/** Which of two equal names a scan finds, as the end of a warning about the new name. */
const FOUND: Readonly<Record<keyof typeof COMPARED, (other: Kind) => string>> = {
  place: (other) =>
    other === 'order'
      ? ' A scan finds the place while an order is picked, otherwise the order.'
      : ' A scan finds that.',
  stored: (other) => FOUND.place(other),
  code: () => ' A scan finds the code.',
  order: (other) =>
    PLACES.has(other)
      ? ' A scan finds the place while an order is picked, otherwise the order.'
      : other === 'order'
        ? ' A scan finds one of them.'
        : other === 'code' || other === 'tote'
          ? ' A scan finds that.'
          : ' A scan finds the article in its order, otherwise the order with this number.',
  sku: () => ' A scan finds that.',
  barcode: () => ' A scan finds that.',
};

/** Kinds of equal names that are not mentioned, because they name the same thing: a light and goods share the name of their place. */
const SHARED: Readonly<Partial<Record<keyof typeof COMPARED, ReadonlySet<Kind>>>> = {
  place: PLACES,
  stored: PLACES,
  sku: new Set(['sku']),
};

/**
 * Returns warnings about other names that a new name equals or looks like. `isOwn` excludes names of the same thing. If `isOne` is false,
 * many names are created at once, so only equal names and other usual spellings are searched.
 */
export function lookAlikeWarnings(
  { lookAlikes }: Tables,
  kind: keyof typeof COMPARED,
  name: string,
  {
    isOwn = () => false,
    found: says = FOUND[kind],
    isOne = !isOfGoods(kind),
  }: { isOwn?: (other: LookAlike) => boolean; found?: (other: Kind) => string; isOne?: boolean } = {},
): string[] {
  const compared: ReadonlySet<Kind> = new Set(COMPARED[kind]);
  const others = (isOne ? lookAlikes.list(name) : lookAlikes.listUsual(name, COMPARED[kind]))
    .filter((other) => compared.has(other.kind) && !isOwn(other))
    .filter((other) => !other.isSame || SHARED[kind]?.has(other.kind) !== true)
    .filter((other) => other.isOpen || kind === 'order');
  const ofCommand =
    kind === 'order' && isCommandName(name)
      ? [`"${name}" begins like a printed command. A scan finds the command.`]
      : [];
  const warnings = others.map((other) =>
    other.isSame && !(kind === 'order' && other.kind === 'order')
      ? `"${name}" is also ${what(other)}.${says(other.kind)}`
      : `"${name}" looks like "${other.name}", ${what(other)}. Choose names that people cannot confuse.`,
  );
  return [...new Set([...ofCommand, ...warnings])];
}

/**
 * Returns a warning if a line names an unknown article or place that looks like a known one because of other dashes, blanks or letters, or
 * undefined. Differences that anybody can see, such as those between A1 and A-1, are not mentioned.
 */
export function lineWarning({ lookAlikes }: Tables, name: string, kinds: readonly Kind[]): string | undefined {
  // Fast path: most names are plain, and have no twin with other letters.
  const isPlainName = isPlain(name);
  if (isPlainName && lookAlikes.listTwins(name, kinds).length === 0) return undefined;
  const others = lookAlikes.listUsual(name, kinds);
  if (others.some(({ isSame }) => isSame)) return undefined;
  const first = others.find((other) => !isPlainName || !isPlain(other.name));
  if (first === undefined) return undefined;
  return `"${name}" looks like "${first.name}", ${what(first)}, but has different characters. If you mean that one, correct the file.`;
}

/**
 * Creates a function that returns a warning if a name looks like an earlier one of its kind in the same file. Order numbers that differ only
 * in case count too. Differences that anybody can see are not mentioned.
 */
export function createTwinFinder(): (
  kind: 'order' | 'place' | 'sku',
  name: string,
  line: number,
) => string | undefined {
  const known = new Map<string, { name: string; line: number; isPlain: boolean }>();
  const names = new Set<string>();
  return (kind, name, line) => {
    if (name === '' || names.has(`${kind} ${name}`)) return undefined;
    names.add(`${kind} ${name}`);
    const key = `${kind} ${lookAlikeKey(name)}`;
    const first = known.get(key);
    const isPlainName = isPlain(name);
    if (first === undefined) {
      known.set(key, { name, line, isPlain: isPlainName });
      return undefined;
    }
    const isOtherCase = nameKey(first.name) === nameKey(name);
    if (isOtherCase ? kind !== 'order' : isPlainName && first.isPlain) return undefined;
    return `"${name}" looks like "${first.name}" in line ${first.line}, but has different characters. If both mean the same, correct the file.`;
  };
}

/** Whether the name has no characters that look like others, except blanks and hyphens. */
function isPlain(name: string): boolean {
  return bareKey(name) === nameKey(name).replaceAll(/[ -]/g, '');
}

/** Finds a code of a cart, wall, slot or tote that equals this code or looks like it. */
export function findCodeAlike(
  { lookAlikes }: Tables,
  code: string,
  isOwn: (other: LookAlike) => boolean,
): LookAlike | undefined {
  return lookAlikes.list(code).find((other) => (other.kind === 'code' || other.kind === 'tote') && !isOwn(other));
}

/** Whether many names of this kind are created at once. */
const isOfGoods = (kind: keyof typeof COMPARED): boolean => kind === 'sku' || kind === 'barcode' || kind === 'stored';

function what({ kind, of }: LookAlike): string {
  switch (kind) {
    case 'label':
    case 'alias':
    case 'place':
      return 'the name of a place';
    case 'code':
      return `the code of ${of}`;
    case 'tote':
      return `the code of a tote in ${of}`;
    case 'order':
      return 'the number of an order';
    case 'sku':
      return 'the SKU of an article';
    case 'barcode':
      return 'the barcode of an article';
  }
}

/** Throws `conflict` for a SKU or barcode that a scan would read as a printed command. */
export function refuseCommand(name: string, path: string): void {
  if (isCommandName(name)) refuseReserved(name, path);
}

/** Throws `conflict` for names that a place or code cannot have. `own` is the DeviceID that the name can be. */
export function refuseReserved(name: string, path: string, own?: string | null): void {
  const message = whyReserved(name, own);
  if (message !== undefined) throw new StationError('conflict', message, [{ path, message }]);
}
