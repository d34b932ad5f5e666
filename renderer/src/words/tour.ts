/** Texts for the tour, one sentence at a time. They are not in `texts.ts`, because they are loaded on demand. */
export const tour = {
  title: 'Tour',
  take: 'Take the tour',
  taking: 'Starting the tour…',
  failed: 'The tour did not start.',
  end: 'End the tour',
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  shelf: 'Devices for this order',
  picked: 'picked',
  short: 'short',
  says: {
    loading: '',
    drawing: (place: string) => `${place} is receiving its picture by radio. This takes a second or two.`,
    shelf: (place: string, color: string, take: string) =>
      `${place} lights ${color}, your color. ${take} and press its button here.`,
    here: (place: string) =>
      `That pick is recorded. ${place} is next: if its button is out of reach, press Picked on the page.`,
    either: (place: string) => `${place} is next. Press its button or Picked: both record the same pick.`,
    last: (place: string) =>
      `${place} is the last one. The tour presses it for you: the page follows every press at the shelf.`,
    yours: (place: string) => `The last one is ${place}. Press its button.`,
    done: 'Done: the order is complete.',
    away: (number: string) => `The tour continues with order ${number}.`,
    missing: (number: string) => `Order ${number} was deleted. Start again with a new demo order.`,
    aborted: 'The order was aborted, and its lights are off. Start again with it.',
    paused: 'The order is paused, and its lights are off. Press Continue.',
    taken: (number: string) => `You are no longer picking order ${number}. Take it again to continue the tour.`,
    dark: 'Nothing is lit for you now. Press "Light it again" to continue the tour.',
  },
  takeOf: (quantity: number | null) => (quantity === null ? 'Take the goods' : `Take ${quantity}`),
  goOn: 'Continue',
  again: 'Start again',
  next: 'What next?',
  importOrders: 'Import your orders',
  realDevices: 'Connect real devices',
  setUpDevices: 'Set up devices',
  close: 'Close the tour',
} as const;
