// Requests with mistakes, in a table per topic. The test httpMistakes sends them in order.

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
/** Values for a cart's device. The device `labeled` has the label C-1, `device` has no label. */
export const CART_OF = { labeled: '51D000:000003', device: '51D000:000004' };
export const JSON_TYPE = { 'content-type': 'application/json' };
export const XML = { 'content-type': 'application/xml' };
const BOUNDARY = 'between-the-parts-of-this-form';
export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
export const formOf = (...names: string[]) =>
  [
    ...names.map((name) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\na;b\r\n`),
    `--${BOUNDARY}--\r\n`,
  ].join('');
export const item = (given: object = {}) => ({ name: 'Bolt', ordered_quantity: 1, deviceid: ONE, ...given });
export const order = (given: object = {}, ...items: object[]) => ({
  order_number: 'M-1',
  items: items.length === 0 ? [item()] : items,
  ...given,
});
export const steps = (given: object) => ({ sequenceid: 'M', steps: [{ order: 1, device: ONE, ...given }] });

/**
 * An erroneous request with the expected answer. `says` is part of the error detail, of a field error or, if the request succeeds, of a
 * warning.
 */
export type Mistake = [
  what: string,
  request: string,
  body: unknown,
  status: number,
  says: string,
  /** Additional headers. A header with the value undefined is not sent. */
  headers?: Record<string, string | undefined>,
];

export const NO_FIELD = 'There is no such field.';
export const NOTHING = 'The request changes nothing. To light a device, give command or line1';

export const NO_PARAMETER = 'There is no query parameter';
