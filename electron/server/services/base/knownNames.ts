import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { NamedRepositories } from './types.ts';

/** Query parameters that each name one object, with a noun for the object and a function that checks whether the object exists. */
export type KnownNames = Readonly<Record<string, { noun: string; isKnown: (name: string) => boolean }>>;

/** Checks names in query parameters, to warn when a list is empty because its filter names something that does not exist. */
export function createKnownNames({ reads }: { reads: NamedRepositories }): KnownNames {
  const order = {
    noun: 'order',
    isKnown: (number: string): boolean => reads.orders.findByNumber(number) !== undefined,
  };
  const article = {
    noun: 'article',
    isKnown: (sku: string): boolean => reads.articles.findBySku(nameKey(sku)) !== undefined,
  };
  return {
    picker: { noun: 'person', isKnown: (name) => reads.accounts.findUser(name) !== undefined },
    by: {
      noun: 'person or API user',
      // Compare exactly, because history lists match only this spelling.
      isKnown: (name) =>
        name === 'device' ||
        reads.accounts.findUser(name)?.username === name ||
        reads.accounts.listApiUsers().some((each) => each.name === name),
    },
    order,
    order_number: order,
    location: {
      noun: 'place',
      // Compare exactly, because history lists match only this spelling.
      isKnown: (name) =>
        reads.aliases.findByName(name)?.name === name ||
        reads.devices.listByLabel(name).some((id) => reads.devices.find(id)?.label === name) ||
        reads.stock.listAt(nameKey(name)).length > 0,
    },
    sku: article,
    SKU: article,
    barcode: {
      noun: 'article with the barcode',
      isKnown: (code) => reads.articles.findBarcode(barcodeKey(code)) !== undefined,
    },
    deviceid: { noun: 'device', isKnown: (id) => reads.devices.find(id) !== undefined },
    sequenceid: { noun: 'sequence', isKnown: (id) => reads.sequences.find(id) !== undefined },
    receiver: {
      noun: 'further receiver',
      isKnown: (id) =>
        id === 'http' || id === 'mqtt' || reads.callbackReceivers.list().some((each) => String(each.id) === id),
    },
  };
}
