import { plural } from './plural.ts';

/** Texts for actions carried out while the station was unreachable. */
export const outbox = {
  kept: (count: number) =>
    `No connection: ${plural(count, 'confirmation is', 'confirmations are')} kept here and sent when the station is back.`,
  sent: (count: number) => `${plural(count, 'kept confirmation', 'kept confirmations')} sent.`,
  notLit: 'The line is no longer lit. Open the order to see what happened to it.',
  notBooked: (place: string, quantity: number | null, time: string) =>
    `Not booked: ${place}${quantity === null ? '' : `, ${quantity}`} at ${time}.`,
  shortNotBooked: (place: string, reason: string, time: string) =>
    `Not booked: ${place}, short (${reason}) at ${time}.`,
  reasonNotSaved: (place: string, reason: string, time: string) => `Reason not saved: ${place}, ${reason} at ${time}.`,
  notUndone: (place: string, time: string) => `Not undone: ${place} at ${time}.`,
  notVerified: (place: string, time: string) => `“Cannot be scanned” not saved: ${place} at ${time}.`,
  notInBatch: (what: string, time: string) => `Not booked: ${what} at ${time}.`,
  oldCount: (place: string) => `The count at ${place} is too old. Count again.`,
  booked: (place: string, time: string | undefined, how: string, quantity: number) =>
    `${place} was booked${time === undefined ? '' : ` at ${time}`}${how}, ${quantity}.`,
  byLight: ' by its light',
  by: (name: string) => ` by ${name}`,
  those: 'Those are mine',
  more: (quantity: number | null) => (quantity === null ? 'I took more' : `I took ${quantity} more`),
  putBack: (place: string, quantity: number | null) =>
    quantity === null ? `Put them back at ${place}.` : `Put ${quantity} back at ${place}.`,
  what: (does: 'put' | 'takeOut' | 'unpick' | 'verify', slots: string) =>
    ({
      put: `${slots} put`,
      takeOut: `${slots} out of the slot`,
      unpick: `undo of ${slots}`,
      verify: `scan for ${slots}`,
    })[does],
  hands: {
    takeOut: (count: number, slot: string) => `Take ${count} out of ${slot} again: they are not booked there.`,
    putIn: (count: number, slot: string) => `Put ${count} into ${slot} again: they are booked there.`,
    takeAgain: (count: number, slot: string) => `Take ${count} for ${slot} again: they are booked.`,
  },
  done: 'Done',
  book: 'Book',
  again: 'Try again',
  discard: 'Discard',
  failed: 'It was not booked.',
  signOut: {
    title: (count: number) => `${plural(count, 'confirmation has', 'confirmations have')} not been sent`,
    body: 'They are kept in this browser under your name, and are sent when you sign in here again.',
    stay: 'Stay',
    leave: 'Sign out and keep',
    holding: 'First put the pieces you hold into their slots',
    mayHold: 'Are you still holding pieces?',
    noAnswer: 'The station did not answer in time. If you are holding pieces, put them into their slots first.',
    held: (where: string, slots: readonly { slot: string; quantity: number }[]) =>
      `${where}: ${slots.map(({ slot, quantity }) => `${slot} ${quantity}`.trim()).join(' · ')}`,
    left: 'If you sign out now, the next person at the cart is asked where they are.',
    leaveHeld: 'Sign out anyway',
  },
} as const;
