import { type PageCalls } from './pageCall.ts';

/** The station itself: its settings, first day, search, backups and updates. */
export const STATION_CALLS = {
  loadStation: { given: [], sent: 'GET /api/station/' },
  loadVersion: { given: [], sent: 'GET /healthz' },
  getSettings: { given: [], sent: 'GET /api/settings/' },
  changeSettings: { given: [{ default_seconds: 30 }], sent: 'PATCH /api/settings/', body: { default_seconds: 30 } },
  finishSetup: { given: ['long enough'], sent: 'POST /api/setup/', body: { password: 'long enough' } },
  makeDemoShop: { given: [], sent: 'POST /api/setup/demo/' },
  getDemoShop: { given: [], sent: 'GET /api/setup/demo/' },
  removeDemoShop: { given: [], sent: 'DELETE /api/setup/demo/' },
  getFirstDay: { given: [], sent: 'GET /api/setup/steps/' },
  dismissFirstDay: { given: [], sent: 'PATCH /api/setup/steps/', body: { dismissed: true } },
} satisfies Partial<PageCalls>;
