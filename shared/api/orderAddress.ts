import { z } from 'zod';
import { MAX_ADDRESS_LINES, MAX_ADDRESS_TEXT } from '../lib/orders/orderLimits.ts';
import { described, textUpTo } from './fields.ts';

const addressText = (what: string) => textUpTo(MAX_ADDRESS_TEXT).optional().describe(what);

export const orderAddressSchema = described(
  'OrderAddress',
  'Address of the customer, for the packing slip. Every part can be left out.',
  {
    name: addressText('Name of the recipient, if it differs from the customer.'),
    lines: z
      .array(textUpTo(MAX_ADDRESS_TEXT))
      .max(MAX_ADDRESS_LINES)
      .optional()
      .describe('Company, street and house number, and what else belongs between the name and the city.'),
    postcode: addressText('Postal code, as a text.'),
    city: addressText('City.'),
    country: addressText('Country, by name or code.'),
    email: addressText('E-mail address.'),
    phone: addressText('Phone number.'),
  },
);
export type OrderAddress = z.infer<typeof orderAddressSchema>;
