import { plural } from './plural.ts';

/** Texts for the settings group *Folders*. */
export const folders = {
  group: {
    title: 'Folders',
    lead: 'Exchanges orders, articles and places as files with other programs and spreadsheets.',
  },
  inbox: 'Inbox folder',
  inboxHelp:
    'Order files in it (CSV, Excel, JSON, XML) are imported, then moved to the subfolder done or failed. To import articles and places too, create the subfolders articles and locations. Full path on the station’s machine. Empty: off.',
  outbox: 'Outbox folder',
  outboxHelp: 'Receives a JSON file for each order that is fulfilled or aborted. Full path. Empty: off.',
  sheet: 'Published sheet',
  sheetHelp:
    'The https:// address of a sheet published as CSV. The station reads it every minute and updates orders that nobody has started. Empty: off.',
  encoding: 'Files that are not Unicode',
  encodingHelp: 'How older programs write letters such as ä and ł. If nothing is chosen, the page asks for each file.',
  encodings: {
    none: 'Refuse, or ask on the page',
    'windows-1252': 'Western Europe (windows-1252)',
    'windows-1250': 'Central Europe (windows-1250)',
  } as Readonly<Record<string, string>>,
  timeZone: 'Time zone of the shop',
  timeZoneHelp:
    'For all days and times on the page, on screens and in reports, and for due times in files. Empty: the time zone of the station’s computer.',
  names: { inbox: 'Inbox', outbox: 'Outbox', sheet: 'Sheet' },
  off: 'Off',
  watching: 'Watching. No file since the station started.',
  done: (name: string, orders: number, ago: string) =>
    `Watching. Last file: ${name}, ${plural(orders, 'new order', 'new orders')}, ${ago}.`,
  doneOther: (name: string, ago: string) => `Watching. Last file: ${name}, imported ${ago}.`,
  failed: (name: string, ago: string, why: string) => `Watching. Last file: ${name} failed ${ago}. ${why}`,
  ready: 'Ready. No file since the station started.',
  written: (name: string, ago: string) => `Ready. Last file: ${name}, ${ago}.`,
  waiting: (count: number, why: string) => `${plural(count, 'file is', 'files are')} waiting. ${why}`.trim(),
  unread: 'Not read yet.',
  read: (ago: string, orders: number) =>
    `Read ${ago}. ${plural(orders, 'new order', 'new orders')} since the station started.`,
  refused: (why: string) => `Rows not imported: ${why}`,
} as const;
