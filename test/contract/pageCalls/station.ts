import { GIVEN_UP, type PageCalls } from './pageCall.ts';

/** The station itself: its settings, first day, search, backups and updates. */
export const STATION_CALLS = {
  find: { given: ['50 % & tie', GIVEN_UP], sent: 'GET /api/find/?q=50+%25+%26+tie' },
  locate: { given: ['CT-200', GIVEN_UP], sent: 'GET /api/locate/?q=CT-200' },
  lightLocated: { given: ['CT-200'], sent: 'POST /api/locate/', body: { q: 'CT-200' } },
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
