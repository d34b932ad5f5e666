/** Texts for the index of the settings and for their search. */
export const index = {
  label: 'Groups of settings',
  parts: { shop: 'Shop', picking: 'Picking', system: 'System', you: 'You' },
  search: 'Search settings',
  clear: 'Show all settings',
  none: { title: 'No setting matches', body: 'Try other words, such as battery, password or backup.' },
} as const;
