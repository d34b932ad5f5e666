import { plural } from './plural.ts';
import { pages } from './pages.ts';

/** Texts for the page that lights the places of an article. */
export const locate = {
  title: pages.locate.title,
  note: 'Light the place of an article',
  search: 'Article, place or device',
  clear: 'Clear',
  none: {
    title: 'What are you looking for?',
    body: 'Enter an article, alias, label or DeviceID. Stock tools can link here: /locate/?q=CT-200',
  },
  nothing: {
    title: (wanted: string) => `“${wanted}” was not found`,
    body: 'No alias, label, DeviceID, static line or ordered article contains it. Add it to its device as an alias or static line.',
  },
  found: (count: number) => `${plural(count, 'place matches', 'places match')}. Choose one.`,
  light: 'Light it',
  lightAt: (place: string) => `Light it: ${place}`,
  sent: {
    queued: 'Waiting for another light',
    sent: 'Sent',
    shown: 'Flashing for 10 seconds',
    unreachable: 'Offline: flashes if the device is back within 10 seconds',
  },
  busy: (order: string | null) => (order === null ? 'Already lit' : `Already lit for order ${order}`),
  failed: 'The place was not lit.',
  loadFailed: 'The places could not be searched.',
} as const;
