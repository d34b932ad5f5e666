const count = (many: number) => many.toLocaleString('en');

/** The dialogs about an order and its items. */
export const orderDialogs = {
  short: {
    title: (name: string) => `Short: ${name}`,
    quantity: 'Found in all',
    of: (ordered: number) => `of ${count(ordered)}`,
    reason: 'Reason',
    rest: 'The rest',
    closeHere: 'Close the item',
    from: (place: string) => `Take it from ${place}`,
    elsewhere: (place: string) => `Take the rest from ${place}`,
    save: 'Close short',
    saving: 'Closing…',
    wrong: 'Enter a whole number, 0 or more.',
    done: (name: string, quantity: number) => `${name}: ${count(quantity)} found, closed.`,
    moved: (name: string, place: string) => `${name}: the rest is taken from ${place}.`,
  },
  reopening: {
    title: (name: string) => `Reopen ${name}`,
    quantity: 'Still counts as picked',
    save: 'Reopen',
    saving: 'Reopening…',
    wrong: (ordered: number) => `Enter a whole number below ${count(ordered)}.`,
    done: (name: string) => `${name} is open again. Launch the order to light it.`,
  },
  launchFor: {
    title: (number: string) => `Launch order ${number}`,
    picker: 'Picker',
    nobody: 'Nobody in particular',
    ownColor: 'Of the picker',
    noColor: 'Enter a colour name, or #rrggbb.',
    save: 'Launch',
    join: 'Join',
    joinHint: (name: string, others: string) =>
      `Already picked by ${others}. ${name} gets the lines that nobody has, or half of the longest list.`,
    done: (number: string) => `Order ${number} launched.`,
    doneFor: (number: string, name: string) => `Order ${number} launched for ${name}.`,
  },
  handOver: {
    title: (number: string) => `Hand over order ${number}`,
    mine: 'Your unfinished lines go to this person and light in the colour of this person.',
    all: (names: string) =>
      `All unfinished lines of ${names} go to this person and light in the colour of this person.`,
    to: 'To',
    nobodyElse: 'Nobody else can pick. An admin adds people on the page Users.',
    save: 'Hand over',
    saving: 'Handing over…',
    done: (number: string, name: string) => `Order ${number} handed over to ${name}.`,
  },
  duplicate: {
    title: (number: string) => `Duplicate order ${number}`,
    hint: 'The copy has the same items, nothing of them picked.',
    save: 'Create order',
    saving: 'Creating…',
  },
} as const;
