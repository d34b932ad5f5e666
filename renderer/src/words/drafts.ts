import { plural } from './plural.ts';

/** Texts for drafts: orders from files that could not be created yet. */
export const drafts = {
  title: 'Drafts',
  draft: (number: string) => `Draft of order ${number}`,
  count: (many: number) => plural(many, 'draft', 'drafts'),
  lead: 'Orders from imported files that were not created.',
  open: 'Show drafts',
  openOne: 'Open',
  openNumber: (number: string) => `Open the draft of order ${number}`,
  more: (many: number) => `${plural(many, 'older draft is', 'older drafts are')} not shown.`,
  from: ({ name, by, when }: { name: string; by: string; when: string }) =>
    [name === '' ? 'Pasted list' : name, `${by}, ${when}`, 'deleted after 30 days'].join(' · '),
  exists: 'An order with this number now exists. Change the draft’s number, or discard the draft.',
  ready: 'Ready to create.',
  back: 'All drafts',
  discard: 'Discard',
  discarded: (number: string) => `The draft of order ${number} was discarded.`,
  notDiscarded: 'The draft was not discarded.',
  create: 'Create order',
  created: (number: string) => `Order ${number} created.`,
  notCreated: 'The order was not created.',
  changed: 'This draft has changed since you opened it, so nothing was done. Check the current rows, then try again.',
  notCorrected: 'The row was not corrected.',
} as const;
