import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { bareKey, lookAlikeKey, usualSpellings } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { foldedLook, isOdd } from '../migrations/0017-lookAlikes.ts';
import { IS_SLOT } from './devices.ts';
import { statements } from './statements.ts';

/**
 * A name that people may confuse with another one. `of` is the device of a label or alias, the cart or wall of a code, the batch of a tote,
 * or the article of a barcode. `isSame` is false if the names only look alike. `isOpen` is false for an order that has ended.
 */
export type LookAlike = {
  kind: 'label' | 'alias' | 'place' | 'code' | 'tote' | 'order' | 'sku' | 'barcode';
  name: string;
  of: string;
  isSame: boolean;
  isOpen: boolean;
};

type Named = Pick<LookAlike, 'kind' | 'name' | 'of'> & { isOpen: 0 | 1 };

/** Finds names that equal a name or look like it. */
export function lookAlikeRows(db: Db) {
  const { list } = statements(db);
  const of = {
    alias: (where: string) =>
      `SELECT 'alias' AS kind, name, device_id AS of, 1 AS isOpen FROM location_aliases WHERE ${where}`,
    label: (where: string) =>
      `SELECT 'label' AS kind, label AS name, device_id AS of, 1 AS isOpen FROM devices WHERE label_key <> '' AND NOT ${IS_SLOT} AND ${where}`,
    code: (where: string) =>
      `SELECT 'code' AS kind, code AS name, 'the ' || kind || ' ' || name AS of, 1 AS isOpen FROM carriers WHERE code_key <> '' AND ${where}`,
    slotCode: (where: string) =>
      `SELECT 'code' AS kind, slots.code AS name, 'slot ' || slot || ' of the ' || kind || ' ' || name AS of, 1 AS isOpen
       FROM carrier_slots AS slots JOIN carriers ON carriers.id = carrier_id WHERE slots.code_key <> '' AND ${where}`,
    tote: (where: string) =>
      `SELECT 'tote' AS kind, tote AS name, 'batch ' || batch_id AS of, 1 AS isOpen FROM batches JOIN batch_slots ON batch_id = batches.id
       WHERE batches.state <> 'done' AND batch_slots.state <> 'free' AND tote_key <> '' AND ${where}`,
    place: (where: string) =>
      `SELECT 'place' AS kind, place AS name, '' AS of, 1 AS isOpen FROM article_places WHERE ${where} GROUP BY place_key`,
    namedPlace: (where: string) =>
      `SELECT 'place' AS kind, name, '' AS of, 1 AS isOpen FROM named_places WHERE is_made = 1 AND ${where}`,
    sku: (where: string) => `SELECT 'sku' AS kind, sku AS name, '' AS of, 1 AS isOpen FROM articles WHERE ${where}`,
    order: (where: string) =>
      `SELECT 'order' AS kind, order_number AS name, '' AS of, state NOT IN ('fulfilled', 'aborted') AS isOpen FROM orders WHERE ${where}`,
    barcode: (where: string) =>
      `SELECT 'barcode' AS kind, code AS name, sku AS of, 1 AS isOpen FROM article_barcodes JOIN articles ON articles.id = article_id WHERE ${where}`,
  };
  // SQLite folds only blanks and hyphens. Names with other characters are compared afterwards.
  const isAlike = (key: string): string =>
    `(replace(replace(${key}, ' ', ''), '-', '') = :bare OR ${key} GLOB '*[^ -~]*')`;
  const signs = list<[name: { bare: string }], Named>(
    [
      of.alias(isAlike('name_key')),
      of.label(isAlike('label_key')),
      of.code(isAlike('code_key')),
      of.slotCode(isAlike('slots.code_key')),
      of.tote(isAlike('tote_key')),
    ].join(' UNION ALL '),
  );
  // Too many to compare all names: find only usual spellings, and twins with Cyrillic or Greek letters.
  const isUsual = (key: string): string => `${key} IN (SELECT value FROM json_each(:keys))`;
  const isTwin = (key: string): string => `${foldedLook(key)} = :bare AND ${isOdd(key)}`;
  const search = <Arg extends object>(isWanted: (key: string) => string) => ({
    alias: list<[Arg], Named>(of.alias(isWanted('name_key'))),
    label: list<[Arg], Named>(of.label(isWanted('label_key'))),
    code: list<[Arg], Named>(
      [of.code(isWanted('code_key')), of.slotCode(isWanted('slots.code_key'))].join(' UNION ALL '),
    ),
    tote: list<[Arg], Named>(of.tote(isWanted('tote_key'))),
    place: list<[Arg], Named>(
      [of.place(isWanted('place_key')), of.namedPlace(isWanted('name_key'))].join(' UNION ALL '),
    ),
    sku: list<[Arg], Named>(of.sku(isWanted('sku_key'))),
  });
  const usual = search<{ keys: string }>(isUsual);
  const twins = {
    ...search<{ bare: string }>(isTwin),
    order: list<[{ bare: string }], Named>(of.order(isTwin('order_number'))),
    barcode: list<[{ bare: string }], Named>(of.barcode(isTwin('code_key'))),
  };
  const same = (select: string) => list<[name: { key: string }], Named>(select);
  const barcodes = same(of.barcode('code_key = :key'));
  const orders = same(of.order('order_number = :key COLLATE NOCASE'));
  const ordersNamed = (spellings: readonly string[]): Named[] => [
    ...new Map(spellings.flatMap((key) => orders({ key })).map((order) => [order.name, order])).values(),
  ];
  const barcodesNamed = (spellings: readonly string[]): Named[] =>
    [...new Set(spellings.map(barcodeKey))].flatMap((code) => barcodes({ key: code }));
  const twinsOf = (name: string, kinds: readonly LookAlike['kind'][]): Named[] => {
    const bare = bareKey(name);
    return bare === '' ? [] : kinds.flatMap((kind) => twins[kind]({ bare }));
  };
  const namedOf = (name: string, kinds: readonly LookAlike['kind'][]): Named[] => {
    const spellings = usualSpellings(name);
    if (spellings.length === 0) return [];
    const keys = JSON.stringify(spellings);
    return kinds.flatMap((kind) => {
      if (kind === 'order') return ordersNamed([name.trim(), ...spellings]);
      return kind === 'barcode' ? barcodesNamed([name, ...spellings]) : usual[kind]({ keys });
    });
  };
  return {
    /**
     * Lists the names of these kinds that equal this name or a usual spelling of it, or have Cyrillic or Greek letters that look like its
     * own. Uses indexes only.
     */
    listUsual: (name: string, kinds: readonly LookAlike['kind'][]): LookAlike[] =>
      alikeOf(name, [...namedOf(name, kinds), ...twinsOf(name, kinds)]),
    /** Like `listUsual`, but lists only names with non-ASCII characters. */
    listTwins: (name: string, kinds: readonly LookAlike['kind'][]): LookAlike[] => alikeOf(name, twinsOf(name, kinds)),
    /** Lists the names that equal this name or look like it. Compares every place and code, so it takes a few milliseconds. */
    list(name: string): LookAlike[] {
      const spellings = usualSpellings(name);
      if (spellings.length === 0) return [];
      return alikeOf(name, [...signs({ bare: bareKey(name) }), ...namedOf(name, GOODS), ...twinsOf(name, GOODS)]);
    },
  };
}

/** Kinds with too many names to compare all of them. */
const GOODS = ['place', 'sku', 'barcode', 'order'] as const;

/** Returns those names that equal this name or look like it. */
function alikeOf(name: string, names: readonly Named[]): LookAlike[] {
  const [key, lookKey] = [nameKey(name), lookAlikeKey(name)];
  const once = new Map(names.map((found) => [JSON.stringify([found.kind, found.name, found.of]), found]));
  return [...once.values()].flatMap((found) => {
    const isSame =
      nameKey(found.name) === key || (found.kind === 'barcode' && barcodeKey(found.name) === barcodeKey(name));
    return isSame || lookAlikeKey(found.name) === lookKey ? [{ ...found, isSame, isOpen: found.isOpen === 1 }] : [];
  });
}
