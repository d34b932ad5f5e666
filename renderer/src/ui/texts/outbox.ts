import { plural } from './plural.ts';

/** What a person did while the station could not be reached. */
export const outbox = {
  kept: (count: number) =>
    `No connection: ${plural(count, 'confirmation is', 'confirmations are')} kept here and sent when the station is back.`,
  sent: (count: number) => `${plural(count, 'kept confirmation', 'kept confirmations')} sent.`,
  notLit: 'The line is not lit any more. Open the order to see what became of it.',
  notBooked: (place: string, quantity: number | null, time: string) =>
    `Not booked: ${place}${quantity === null ? '' : `, ${quantity}`} at ${time}.`,
  book: 'Book',
  discard: 'Discard',
  failed: 'It was not booked.',
  signOut: {
    title: (count: number) => `${plural(count, 'confirmation has', 'confirmations have')} not been sent`,
    body: 'They are kept in this browser under your name, and are sent when you sign in here again.',
    stay: 'Stay',
    leave: 'Sign out and keep',
  },
} as const;
