import { type PageCalls } from './pageCall.ts';

/** Calls about the station itself: settings, first day, search, backups and updates. */
export const STATION_CALLS = {
  loadStation: { given: [], sent: 'GET /api/station/' },
  getSettings: { given: [], sent: 'GET /api/settings/' },
  changeSettings: { given: [{ default_seconds: 30 }], sent: 'PATCH /api/settings/', body: { default_seconds: 30 } },
} satisfies Partial<PageCalls>;
