import type { EndReason } from '#shared/lib/tables/states.ts';

/** Messages about orders that ended elsewhere. Each names the order, and says what to do if somebody has to act. */
export const elsewhereWords = {
  ended: (number: string) => `Order ${number} ends here too.`,
  staysOpen: (number: string) => `Order ${number} exists here and stays open.`,
  looksLike: (number: string, other: string) =>
    `"${number}" looks like "${other}", the number of an order, which stays open. If you mean that one, correct the file.`,
  continued: (said: string) => `${said}. Somebody decided to continue it.`,
  started: (said: string, started: string) =>
    `${said}, but the order ${started}. It is no longer offered: abort it, or continue it.`,
  part: (said: string) => `${said}. The order is no longer offered: change it and continue it, or abort it.`,
  unreadable: (said: string) => `${said}, but its articles cannot be read, so the order stays open. Correct the file.`,
  otherArticles: (said: string, number: string) =>
    `${said}, but order ${number} here has other articles and stays open. If the file is from another shop, send order_prefix.`,
  known: (number: string) => `Order ${number} already exists and stays unchanged.`,
  aborted: (number: string) => `Order ${number} already exists, was aborted and stays unchanged.`,
  endedBy: (id: number, ends: EndReason) => `Import ${id} ended it, because its file says that the order is ${ends}.`,
  openAgain: (number: string, endedBy: string) =>
    `The file says that order ${number} is open. ${endedBy} Undo that import, or launch the order.`,
  marked: (number: string, ends: EndReason) =>
    `An earlier file says that order ${number} or a part of it is ${ends}. Continue it, or abort it.`,
  openButMarked: (number: string, ends: EndReason) =>
    `The file says that order ${number} is open, but an earlier file says that it or a part of it is ${ends}. Continue it, or abort it.`,
};

/** Returns the beginning of a sentence: what a file says about an order. `items` names the lines of a part. */
export function saidOfOrder(number: string, ends: EndReason, items?: string): string {
  return items === undefined
    ? `The file says that order ${number} is ${ends}`
    : `The file says that a part of order ${number} is ${ends}: ${items}`;
}
