import type { OrderAddress } from '#shared/api/orderAddress.ts';

const MAIL = /^\S+@\S+\.\S+$/;
const PHONE = /^\+?[\d\s()/.-]{6,}$/;
/** A postal code before the city, as in `04107 Leipzig`, `D-04107 Leipzig` or `1015 CW Amsterdam`. */
const CITY = /^((?:[A-Z]{1,2}-)?\d{4,5}(?:\s[A-Z]{2})?)\s+(\p{L}.*)$/u;

/**
 * Parses an address as people write it on a letter, one part per line. A line that is nothing known is part of the street. Lines below the
 * city name the country.
 */
export function readAddress(text: string): OrderAddress {
  const address: OrderAddress = {};
  const lines: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, postcode, city] = CITY.exec(line) ?? [];
    if (MAIL.test(line)) address.email = line;
    else if (postcode !== undefined && city !== undefined && address.city === undefined)
      Object.assign(address, { postcode, city });
    else if (PHONE.test(line)) address.phone = line;
    else if (address.city !== undefined && address.country === undefined) address.country = line;
    else lines.push(line);
  }
  return { ...(lines.length === 0 ? {} : { lines }), ...address };
}

/** Formats an address so that `readAddress` can parse it. Leaves out the name, which is not part of the lines that people edit. */
export function addressText(address: OrderAddress | undefined): string {
  const { lines = [], postcode = '', city = '', country = '', email = '', phone = '' } = address ?? {};
  return [...lines, `${postcode} ${city}`.trim(), country, email, phone].filter((line) => line !== '').join('\n');
}
