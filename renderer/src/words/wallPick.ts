import { plural } from './plural.ts';

type Puts = readonly { slot: string; quantity: number }[];

const takes = (slots: Puts): string => slots.map(({ slot, quantity }) => `${slot} takes ${quantity}`).join(', ');

/** Texts for sorting into a wall. Keep them short, because people read them from two meters away. */
export const wallPick = {
  goOn: (wall: string) => `Sort at ${wall}`,
  noWall: 'This wall does not exist.',
  walk: { slots: (count: number) => (count === 1 ? 'Wall slot' : 'Wall slots') },
  loading: {
    lead: 'The order takes a free slot, or waits for one. To use another slot or a tote, scan its code next.',
    filled: (count: number) => `${plural(count, 'order is', 'orders are')} at the wall.`,
    waits: (order: string) => `Order ${order} takes a slot when its first article is scanned.`,
    waiting: (count: number, singles: boolean) =>
      `${plural(count, 'order has', 'orders have')} no slot yet.${singles ? ' A one-piece order needs none.' : ''}`,
    firstCart: 'Pick onto a cart first…',
    firstCartIs: (cart: string) => `First pick onto ${cart}`,
    firstCartTitle: 'Where are the pieces?',
    firstCartLead:
      'If the pieces are still on the shelves, pick all orders onto a cart in one walk, then sort them here.',
    noCart: 'They arrive at the wall',
    onto: (cart: string) => `Pick onto ${cart}`,
  },
  idle: {
    title: 'Scan an article',
    stack: (count: number) => `Scan one of these ${count}`,
    left: (pieces: number, orders: number) =>
      `${plural(pieces, 'piece', 'pieces')} for ${plural(orders, 'order', 'orders')} to go`,
    complete: 'All orders are complete',
    completeLead: 'Take them out and empty their slots.',
    nothing: 'Nothing is left to sort here',
    noBarcode: 'No barcode',
    noMore: 'No more pieces…',
    notOnCart: 'Not on the cart…',
    emptied: 'Wall emptied',
    emptiedHint: 'Frees all complete slots',
  },
  put: {
    takes,
    stack: (count: number) => `Put ${count}`,
    put: 'Put',
    allHint: (slots: Puts) =>
      slots.length === 1 ? `Enter, or press ${slots[0]?.slot ?? ''}` : 'Enter, or press any lit slot',
    pressHint: (slots: Puts) => (slots.length === 1 ? `Or press ${slots[0]?.slot ?? ''}` : 'Or press any lit slot'),
    eachHint: 'Or press each slot',
    setAside: 'Not this one',
    setAsideHint: 'Books nothing',
  },
  answers: {
    notNeeded: 'Nobody ordered this. Set it aside.',
    allDone: (left: number) => `All orders have it: ${left} left over.`,
    leftOver: (left: number) => `${left} left over: set aside.`,
    pressFirst: (slots: readonly string[]) => `Press ${slots.join(' and ')} first.`,
    single: (order: string) => `Straight to packing: this completes order ${order}.`,
    singleLeft: (left: number) => `Scan the other ${left} again.`,
    noAnswer: 'The answer did not arrive. Scan it again: it counts only once.',
    away: 'No connection: nothing was lit. Scan it again later.',
  },
  articles: {
    title: 'Which article is it?',
    none: 'No article is left to sort.',
    needs: (count: number, orders: number) => `${count} for ${plural(orders, 'order', 'orders')}`,
    back: 'Back',
  },
  noMore: {
    title: (orders: number, articles: number) =>
      `${plural(orders, 'order is', 'orders are')} waiting for ${plural(articles, 'article', 'articles')}`,
    lead: 'Tap each article that is still coming. The others are closed as missing:',
    stays: 'still coming',
    goes: 'missing',
    why: 'Why are they missing?',
    leave: 'Leave them open',
  },
  notOnCart: {
    title: (count: number) => `${plural(count, 'piece', 'pieces')} on the cart. Where are they?`,
    missing: 'Missing: pick again',
    putBack: 'Return to their places',
    back: 'Still to sort',
  },
  hand: {
    title: (by: string, slots: string) => `${by} scanned: ${slots}. Where are the pieces?`,
    take: 'I have them',
    setAside: 'Not put: turn the slots off',
    settle: (by: string, slots: string) => `${by}’s scans: ${slots}…`,
    nothing: (wall: string) => `${wall}: scan an article.`,
  },
  contents: {
    line: (put: number, of: number, name: string) => (put === of ? `${put} ${name}` : `${put} of ${of} ${name}`),
    short: 'missing',
  },
  paused: { lead: 'Press Continue to sort. The pieces stay in their slots.' },
  addOrder: { title: (order: string) => `Add order ${order} to the wall?` },
  slotDialog: {
    takeOut: 'Take the order out…',
    takeOutTitle: (order: string) => `Take order ${order} out of the wall?`,
    takeOutYes: 'Take it out',
  },
  moreDialog: { pause: 'Pause the wall', leave: 'Another wall or order' },
  end: { freed: 'All slots are free. Scan an order to start again.' },
  message: {
    complete: (slot: string, order: string) => `${slot}: order ${order} is complete.`,
    added: (order: string) => `Order ${order} is at the wall.`,
    gone: 'The order was taken out of the wall.',
    setAside: 'Set aside. Nothing was booked.',
    notFreed: (slot: string) => `${slot} holds its order again.`,
    short: (count: number) => `${plural(count, 'line', 'lines')} closed as missing.`,
    none: (slots: Puts) => takes(slots),
    single: (order: string) => `${order} is complete.`,
    singleUndone: (order: string) => `${order} is waiting again. Scan its piece again when you have it.`,
  },
} as const;
