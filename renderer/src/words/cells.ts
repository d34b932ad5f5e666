/** Adds “Rack” to a name such as A, but not to “Rack A”. */
export const rackTitle = (name: string) => (/^rack\b/i.test(name) ? name : `Rack ${name}`);

/** Texts for positions on the map. */
export const cells = {
  rackTitle,
  cell: (rack: string, shelf: string, column: number) => `${rackTitle(rack)}, shelf ${shelf}, column ${column}`,
  goneShelf: 'a deleted shelf',
} as const;
