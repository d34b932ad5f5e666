const count = (many: number) => many.toLocaleString('en');

/** What is said of many that are chosen, and of what was done to all of them. */
export const bulk = {
  hidden: (many: number) => `${count(many)} of them not shown`,
  clear: 'Choose none',
  result: {
    title: 'Not all of it worked',
    summary: (done: number, failed: number, left: number) =>
      [
        `${count(done)} done, ${count(failed)} not.`,
        ...(left === 0 ? [] : [`${count(left)} ${left === 1 ? 'was' : 'were'} not tried.`]),
      ].join(' '),
    cancelled: 'Cancelled',
    list: 'What did not work',
    kept: 'They are still chosen, to try again.',
    csv: 'CSV of all results',
    seen: 'Done',
    more: (many: number) => `and ${count(many)} more in the CSV`,
    states: { done: 'done', failed: 'failed', left: 'not tried' },
  },
} as const;
