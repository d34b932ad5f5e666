/** Finds older orders by the beginning of their customer. */
export const customersFound = {
  name: '0023-customersFound',
  sql: 'CREATE INDEX orders_customer ON orders (customer COLLATE NOCASE) WHERE customer IS NOT NULL;',
};
