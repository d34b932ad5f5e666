import type { Load } from '../measuredStation.ts';

const MANY = 100_000;

/** Bodies of orders with many values, deep values and long texts. */
export async function orderOfEmptyItems({ request }: Load): Promise<void> {
  await request('POST', '/api/orders/', `{"order_number":"SO-1","items":[${'{},'.repeat(MANY)}{}]}`, JSON_TYPE);
}

export async function orderOfDeepLists({ request }: Load): Promise<void> {
  await request('POST', '/api/orders/', `{"items":${'['.repeat(MANY)}${']'.repeat(MANY)}}`, JSON_TYPE);
}

export async function xmlOfEmptyElements({ request }: Load): Promise<void> {
  await request('POST', '/api/orders/', `<order>${'<i/>'.repeat(MANY)}</order>`, XML_TYPE);
}

export async function xmlOfDeepElements({ request }: Load): Promise<void> {
  await request('POST', '/api/orders/', `${'<i>'.repeat(MANY)}${'</i>'.repeat(MANY)}`, XML_TYPE);
}

/** A search that a person who only picks can send. */
export async function longSearch({ request }: Load): Promise<void> {
  for (const word of ['a', 'a b ', '%25', 'ä'])
    await request('GET', `/api/find/?q=${encodeURIComponent(word.repeat(2_000))}`);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const XML_TYPE = { 'content-type': 'application/xml' };
