import { pick } from './pick.ts';
import { plural } from './plural.ts';

const listed = (slots: readonly { slot: string; quantity: number }[]): string =>
  slots.map(({ slot, quantity }) => `${slot} ${quantity}`).join(' · ');

const puts = (slots: readonly { slot: string; quantity: number }[]): string =>
  slots.map(({ slot, quantity }) => `${quantity} into ${slot}`).join(', ');

const named = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const are = (names: readonly string[]): string => (names.length === 1 ? 'is' : 'are');

/** Texts for picking onto a cart. Keep them short, because people read them from two meters away. */
export const cartPick = {
  listed,
  carts: 'Carts',
  goOn: (cart: string) => `Continue ${cart}`,
  load: (cart: string) => `Load ${cart}`,
  facts: {
    loading: 'is being loaded',
    picking: 'is being picked',
    sorting: 'is being sorted',
    paused: 'paused',
    done: 'done',
  },
  by: (names: readonly string[]) => `by ${named(names)}`,
  with: (names: readonly string[]) => `with ${named(names)}`,
  stalled: 'stalled',
  /** Texts for several people at one cart. */
  people: {
    picks: (names: readonly string[], cart: string, count: number) =>
      `${named(names)} ${are(names)} picking ${cart}: ${plural(count, 'place', 'places')} to go`,
    join: 'Join',
    look: 'Just look',
    done: 'Your places are done',
    has: (name: string, count: number) => `${name} has ${count} left.`,
    help: 'Help out',
    takeOver: (name: string) => `Take all places from ${name}`,
    handOver: (name: string) => `Give my places to ${name}`,
    youTook: (name: string) => `You now have ${name}’s places.`,
    youHandedOver: (name: string) => `${name} now has your places.`,
    whose: (place: string, owner: string, mine: string | undefined) =>
      `${owner} has ${place}.${mine === undefined ? '' : ` Scan ${mine}.`}`,
    notIn: (names: readonly string[], cart: string) => `${named(names)} ${are(names)} picking ${cart}. You can join.`,
    joined: (names: readonly string[], count: number) =>
      count === 0 ? `${named(names)} joined.` : `${named(names)} joined and took ${count} of your places.`,
    left: (names: readonly string[], count: number) =>
      `${named(names)} left.${count === 0 ? '' : ` You have ${plural(count, 'more place', 'more places')}.`}`,
    tookOver: (names: readonly string[]) => `${named(names)} took over your places.`,
    youJoined: (names: readonly string[]) => `You are picking with ${named(names)}.`,
    youLeft: (cart: string, names: readonly string[]) =>
      `You left ${cart}.${names.length === 0 ? '' : ` Your places go to ${named(names)}.`}`,
  },
  noCart: 'This cart does not exist.',
  loading: {
    title: 'Scan an order',
    lead: 'It takes the next free slot. To use another slot or a tote, scan its code next.',
    fill: (count: number) => `Fill: ${plural(count, 'order', 'orders')}`,
    go: 'Go',
    goHint: (orders: number) => plural(orders, 'order', 'orders'),
    leave: 'Not now',
    added: (order: string, slot: string) => `Order ${order}: ${slot}. You can scan another slot, or a tote.`,
    moved: (order: string, slot: string) => `Order ${order} is now in ${slot}.`,
    tote: (tote: string, slot: string) => `Tote ${tote} is in ${slot}.`,
    filled: (count: number) => `${plural(count, 'order is', 'orders are')} on the cart.`,
    nothing: 'No waiting order fits.',
    full: 'No slot is free.',
    taken: (slot: string, order: string) => `${slot} has order ${order}. Scan a free slot.`,
    scanOrder: (slot: string) => `${slot} is free. Scan an order.`,
    scanFirst: (slot: string, order: string) => `${slot} has order ${order}. Scan an order first.`,
    there: (order: string, slots: string) => `Order ${order} is already in ${slots}.`,
  },
  walk: {
    split: 'Who gets how many',
    slots: (count: number) => (count === 1 ? 'Cart slot' : 'Cart slots'),
    more: 'More…',
    pickedHint: 'Enter, or scan the place',
    scanHint: 'Or scan the place',
    counted: (count: number) => `${count} counted`,
    nextOne: (place: string, quantity: number) => `Then ${place} · ${quantity}`,
    progress: 'Pieces on the cart',
    holds: (by: string, count: number, slots: string) => `${by} holds ${plural(count, 'piece', 'pieces')}: ${slots}`,
    settle: 'Settle…',
    stopped: (slot: string, order: string) => `${slot} stopped. Empty it: order ${order}.`,
    empty: 'Empty it…',
    freed: (slots: string, count: number, by: string) => `${slots} ${count === 1 ? 'was' : 'were'} freed${by}.`,
  },
  verify: {
    pickedHint: 'Scan the article, or Enter',
    scanHint: 'Scan the article',
    before: (place: string, count: number) => `${count} at ${place}: nothing is picked yet.`,
    after: (slots: readonly { slot: string; quantity: number }[]) => `Then put ${listed(slots)}.`,
    inSlots: (slots: readonly { slot: string; quantity: number }[]) => `In the cart: ${listed(slots)}.`,
    back: 'Back',
    unnamed: 'the article',
    first: (name: string) => `First scan ${name}.`,
    right: (name: string) => `${name} is the right article.`,
    skipped: (name: string) => `${name} was not scanned.`,
    held: (name: string, place: string | undefined) =>
      `You hold ${name}.${place === undefined ? '' : ` To pick at ${place}, scan ${place}.`}`,
    changed: (code: string) => `Something changed. Scan ${code} again.`,
  },
  put: {
    title: (count: number) => `Put ${count}`,
    all: 'All put',
    allHint: 'Enter, or press any lit slot',
    pressHint: 'Or press any lit slot',
    eachHint: 'Or press each slot',
    put: 'Put',
    intoSlot: 'into',
    some: (count: number) => `Scan the slot that takes ${count}.`,
    wrong: (slot: string, slots: readonly { slot: string; quantity: number }[]) =>
      `That was ${slot}. Put ${puts(slots)}.`,
    already: (count: number, slot: string) => `Your ${count} ${count === 1 ? 'is' : 'are'} in ${slot} already.`,
    byOther: (by: string, count: number, slot: string) => `${by} holds ${count} for ${slot}.`,
    undo: 'Undo',
  },
  states: { free: 'free', open: 'open', complete: 'complete', stopped: 'stopped' },
  short: 'short',
  ofWord: ' of ',
  contents: (slot: string, order: string, put: number, all: number) => `${slot}: order ${order}, ${put} of ${all} put.`,
  free: (slot: string) => `${slot} is free.`,
  paused: {
    title: (cart: string) => `${cart} is paused`,
    lead: 'Its lights are off. What is on the cart stays there.',
    goOn: 'Continue',
  },
  end: {
    title: (cart: string) => `Take ${cart} to packing`,
    others: 'Nothing is left to pick here',
    stopped: 'Empty the stopped slots first',
    missing: (order: string, slot: string, count: number) =>
      `${slot}: order ${order} is missing ${plural(count, 'piece', 'pieces')}.`,
    pack: 'Pack and print',
    packHint: 'Shows what is in each slot, and prints its slip',
    emptied: 'Cart emptied',
    emptiedHint: 'Frees all complete slots',
    leave: 'Another cart or order',
    freed: 'All slots are free. Scan an order for the next walk.',
    light: 'Light the open lines',
  },
  shortDialog: {
    title: (place: string) => `Short at ${place}`,
    booked: (found: number, asked: number, place: string) => `${found} of ${asked} pressed at ${place}`,
    found: 'How many did you find?',
    who: 'Who gets fewer',
    row: (slot: string, count: number, of: number) => `${slot} gets ${count} of ${of}`,
    fewer: (slot: string) => `One less for ${slot}`,
    more: (slot: string) => `One more for ${slot}`,
    why: 'What is wrong?',
  },
  slotDialog: {
    title: 'Choose a slot',
    slotTitle: (slot: string) => `Slot ${slot}`,
    move: 'Move to a free slot…',
    moveTitle: (slot: string) => `Where did you move the contents of ${slot}?`,
    full: 'It is full: use a second slot',
    free: 'It is empty now',
    takeOut: 'Take the order off the cart…',
    takeOutTitle: (order: string) => `Take order ${order} off the cart?`,
    takeOutLead:
      'Its pieces stay in the slot until somebody empties it. The rest of the order can be picked separately.',
    takeOutYes: 'Take it off',
    back: 'Back',
  },
  stopped: {
    title: (slot: string) => `${slot} stopped. Empty it.`,
    lead: (order: string, count: number) => `It holds ${plural(count, 'piece', 'pieces')} of order ${order}.`,
    putBack: 'Return to their places',
    keep: 'Keep together',
  },
  hand: {
    title: (by: string, what: string) => `${by} held ${what}. Where are they?`,
    pieces: (count: number) => plural(count, 'piece', 'pieces'),
    take: 'I have them',
    missing: 'Missing',
    putBack: 'Back on the shelf',
    mine: (slots: string) => `You hold: ${slots}.`,
    nothing: (cart: string) => `${cart}: nothing is in hand.`,
    fullHands: pick.fullHands,
    putFirst: 'Put them first',
    pauseAnyway: 'Pause anyway',
  },
  addOrder: {
    title: (order: string) => `Add order ${order} to the cart?`,
    yes: 'Add it',
    no: 'No',
  },
  moreDialog: {
    undo: (what: string) => `Undo ${what}`,
    skip: 'Skip for now',
    slots: 'Slots…',
    pause: 'Pause the cart',
    pauseMine: (names: readonly string[]) =>
      `Pause: ${named(names)} ${names.length === 1 ? 'gets' : 'get'} your places`,
    leave: 'Another cart or order',
  },
  message: {
    picked: (place: string, count: number) => `${place} · ${count} picked`,
    otherPicked: (by: string, place: string, count: number) => `${by}: ${place} · ${count} picked`,
    counted: (place: string, count: number, all: number) => `${place} · ${count} of ${all} counted`,
    uncounted: (place: string, pieces: number) => `${place} · ${pieces} undone`,
    packTooLarge: (place: string, { pack, rest }: { pack: number; rest: number }) =>
      `Only ${rest} left to pick at ${place}, but the pack has ${pack}. Nothing was counted.`,
    putBack: (count: number) => `Put ${count} back.`,
    put: (slots: readonly { slot: string; quantity: number }[]) => `${listed(slots)} put`,
    takenOut: (slots: readonly { slot: string; quantity: number }[]) => `${listed(slots)} back in your hand.`,
    tooMany: (slots: readonly { slot: string; quantity: number }[], rest: number) =>
      `${slots.map(({ slot, quantity }) => `${slot} takes ${quantity}`).join(', ')}. Take ${rest} out again.`,
    open: (place: string) => `${place} is open again.`,
    freed: (slot: string) => `${slot} is free.`,
    moved: (slot: string, to: string) => `The contents of ${slot} are now in ${to}.`,
    full: (slot: string) => `${slot} is full. The rest goes into another slot.`,
    settled: 'The pieces in hand are settled.',
    added: (order: string) => `Order ${order} is on the cart.`,
    gone: 'The order is off the cart.',
    paused: 'Paused.',
    launched: 'The places are lit.',
  },
  actions: {
    pick: (place: string, count: number) => `${place}, ${count}`,
    put: (slots: string) => `put ${slots}`,
    takeOut: (slots: string) => `${slots} out of the slot`,
    unpick: (place: string) => `undo of ${place}`,
    reassign: (place: string) => `who gets the pieces from ${place}`,
  },
  failed: 'That did not work.',
} as const;
