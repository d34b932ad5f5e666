import { expect } from 'vitest';
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
  listBackups: { given: [], sent: 'GET /api/backups/' },
  getBackupStatus: { given: [], sent: 'GET /api/backups/status/' },
  makeBackup: { given: [], sent: 'POST /api/backups/' },
  cancelBackup: { given: [], sent: 'POST /api/backups/cancel/' },
  uploadBackup: {
    given: [new Blob(['x'])],
    sent: 'POST /api/backups/upload/',
    body: expect.any(Blob),
  },
  getBackupContents: { given: ['b.sqlite'], sent: 'GET /api/backups/b.sqlite/contents/' },
  restoreBackup: { given: ['b.sqlite'], sent: 'POST /api/backups/b.sqlite/restore/' },
  setBackupPassphrase: {
    given: ['four words of your own'],
    sent: 'PUT /api/secrets/passphrase/',
    body: { passphrase: 'four words of your own' },
  },
  getUpdates: { given: [], sent: 'GET /api/updates/' },
  checkForUpdate: { given: [], sent: 'POST /api/updates/check/' },
  installUpdate: { given: [true], sent: 'POST /api/updates/install/', body: { insist: true } },
  openSecrets: {
    given: ['four words of your own'],
    sent: 'POST /api/secrets/open/',
    body: { passphrase: 'four words of your own' },
  },
  removeBackup: { given: ['b.sqlite'], sent: 'DELETE /api/backups/b.sqlite/' },
  reportPageError: {
    given: [{ message: 'x is undefined', path: '/orders' }],
    sent: 'POST /api/page-errors/',
    body: { message: 'x is undefined', path: '/orders' },
  },
  getDiagnostics: { given: [], sent: 'GET /api/diagnostics/' },
} satisfies Partial<PageCalls>;
