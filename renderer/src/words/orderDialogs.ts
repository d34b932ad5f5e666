import { countText } from '#shared/lib/text/locale.ts';

/** Texts for the dialogs about an order and its items. */
export const orderDialogs = {
  short: {
    title: (name: string) => `Short: ${name}`,
    quantity: 'Total found',
    of: (ordered: number) => `of ${countText(ordered)}`,
    reason: 'Reason',
    rest: 'The rest',
    closeHere: 'Close the line',
    from: (place: string) => `Take it from ${place}`,
    elsewhere: (place: string) => `Take the rest from ${place}`,
    save: 'Close short',
    saving: 'Closing…',
    wrong: 'Enter a whole number, 0 or more.',
    done: (name: string, quantity: number) => `${name}: ${countText(quantity)} found, line closed.`,
    moved: (name: string, place: string) => `${name}: take the rest from ${place}.`,
  },
  reopening: {
    title: (name: string) => `Reopen ${name}`,
    quantity: 'Still counts as picked',
    save: 'Reopen',
    saving: 'Reopening…',
    wrong: (ordered: number) => `Enter a whole number below ${countText(ordered)}.`,
    done: (name: string) => `${name} is open again. Launch the order to light it.`,
  },
  launchFor: {
    title: (number: string) => `Launch order ${number}`,
    picker: 'Picker',
    nobody: 'Nobody in particular',
    ownColor: 'Picker’s color',
    noColor: 'Enter a color name, or #rrggbb.',
    save: 'Launch',
    join: 'Join',
    joinHint: (name: string, others: string) =>
      `${others} already picking. ${name} gets the unassigned lines, or half of the longest list.`,
    done: (number: string) => `Order ${number} launched.`,
    doneFor: (number: string, name: string) => `Order ${number} launched for ${name}.`,
  },
  handOver: {
    title: (number: string) => `Hand over order ${number}`,
    mine: 'Your unfinished lines go to this person and light in this person’s color.',
    all: (names: string) => `All unfinished lines of ${names} go to this person and light in this person’s color.`,
    to: 'To',
    nobodyElse: 'Nobody else can pick. An admin can add people on the People page.',
    save: 'Hand over',
    saving: 'Handing over…',
    done: (number: string, name: string) => `Order ${number} handed over to ${name}.`,
  },
  editing: {
    title: (number: string) => `Edit order ${number}`,
    customer: 'Customer',
    note: 'Note',
    help: 'Customer and note appear on this page, on Pick and on paper, never on devices.',
    save: 'Save',
    saving: 'Saving…',
    done: (number: string) => `Order ${number} saved.`,
    changed:
      'Somebody else has just changed this order, so nothing was saved. Check the marked fields, then save again.',
    changedTo: (value: string) =>
      value === ''
        ? 'Somebody else has just cleared this field. Save again to enter your value, or cancel.'
        : `Somebody else has just changed this to “${value}”. Save again to replace it, or cancel to keep it.`,
  },
  duplicate: {
    title: (number: string) => `Duplicate order ${number}`,
    hint: 'The copy has the same lines, none of them picked.',
    save: 'Create order',
    saving: 'Creating…',
  },
  printing: {
    title: (number: string) => `Print order ${number}`,
    go: 'Print',
    paper: 'Paper',
    papers: { a4: 'A4', receipt: '80 mm receipt' },
    sheet: (number: string) => `Order ${number} on paper`,
    created: (when: string) => `Created ${when}`,
    customer: (name: string) => `For ${name}`,
    due: (when: string) => `Due ${when}`,
    total: (items: number, pieces: number) =>
      `${countText(items)} ${items === 1 ? 'line' : 'lines'}, ${countText(pieces)} ${pieces === 1 ? 'piece' : 'pieces'}`,
    quantity: 'Qty',
    itemOf: (number: string) => `Line of order ${number}`,
    picked: 'Picked',
    isPicked: 'Picked',
    isOpen: 'To pick',
    isShort: 'Short',
    pickedSoFar: (many: number) => `${countText(many)} picked`,
    shortAfter: (many: number) => `Short: ${countText(many)} picked`,
    noPlace: 'No place',
  },
} as const;
