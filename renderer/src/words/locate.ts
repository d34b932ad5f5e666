import { plural } from './plural.ts';
import { pages } from './pages.ts';

/** The page that lights the place of an article. */
export const locate = {
  title: pages.locate.title,
  note: 'Light the place of an article',
  search: 'Article, place or device',
  clear: 'Clear',
  none: {
    title: 'What are you looking for?',
    body: 'Type an article, an alias, a label or a DeviceID. Stock tools can link here: /locate/?q=CT-200',
  },
  nothing: {
    title: (wanted: string) => `“${wanted}” is not known here`,
    body: 'No alias, label, DeviceID, static line or article of an order contains it. Add it as an alias or static line of its device.',
  },
  found: (count: number) => `${plural(count, 'place matches', 'places match')}. Choose one.`,
  light: 'Light it',
  lightAt: (place: string) => `Light it: ${place}`,
  sent: {
    queued: 'Waits behind another light',
    sent: 'Sent',
    shown: 'Flashing for 10 seconds',
    unreachable: 'Offline: flashes if the device is back within 10 seconds',
  },
  busy: (order: string | null) => (order === null ? 'Already lit' : `Already lit for order ${order}`),
  failed: 'The place was not lit.',
  loadFailed: 'The places cannot be searched.',
} as const;
