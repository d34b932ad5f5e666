import type { z } from 'zod';
import type * as backup from '../backup.ts';
import type * as diagnostics from '../diagnostics.ts';
import type * as find from '../find.ts';
import type * as locate from '../locate.ts';
import type * as map from '../map.ts';
import type * as secrets from '../secrets.ts';
import type * as settings from '../settings.ts';
import type * as setup from '../setup.ts';
import type * as station from '../station.ts';
import type * as updates from '../updates.ts';
import type { Warned } from '../fields.ts';
import { del, get, patch, post, put, type WithBody, type Download } from './route.ts';

/** The content type of a backup. */
export const BACKUP_TYPE = 'application/vnd.sqlite3';

/** The station itself: its setup, settings, search, backups and documents. */
export const STATION_ROUTES = {
  // Station
  getHealth: get('/healthz')<{ answer: station.Health }>(),
  getStation: get('/api/station/')<{ answer: station.Station }>(),
  streamEvents: get('/api/events/')<{ answer: Download }>(),
  // Search
  find: get('/api/find/')<{ query: find.FindQuery; answer: find.FoundThing[] }>(),
  locate: get('/api/locate/')<{ query: locate.LocateQuery; answer: locate.LocatedPlace[] }>(),
  lightLocated: post('/api/locate/')<WithBody<typeof locate.locateSchema, locate.LightedPlace[]>>(),
  // First start
  finishSetup: post('/api/setup/')<{ body: z.input<typeof setup.setupSchema> }>(),
  makeDemoShop: post('/api/setup/demo/')<{ answer: map.StationMap }>(),
  getFirstDay: get('/api/setup/steps/')<{ answer: setup.FirstDay }>(),
  changeFirstDay: patch('/api/setup/steps/')<WithBody<typeof setup.firstDayChangeSchema, setup.FirstDay>>(),
  getDemoShop: get('/api/setup/demo/')<{ answer: setup.DemoShop }>(),
  removeDemoShop: del('/api/setup/demo/')<{ answer: setup.DemoShop }>(),
  // Settings
  getSettings: get('/api/settings/')<{ answer: settings.SettingsAnswer }>(),
  changeSettings:
    patch('/api/settings/')<WithBody<typeof settings.settingsChangeSchema, Warned<settings.SettingsAnswer>>>(),
  getLogo: get('/api/settings/logo/')<{ query: z.input<typeof settings.logoQuerySchema>; answer: Download }>(),
  setLogo: put('/api/settings/logo/')<{ body: Blob; answer: settings.Logo }>(),
  removeLogo: del('/api/settings/logo/')(),
  // Backups
  makeBackup: post('/api/backups/')<{ answer: backup.Backup }>(),
  listBackups: get('/api/backups/')<{ answer: backup.Backup[] }>(),
  getBackupStatus: get('/api/backups/status/')<{ answer: backup.BackupStatus }>(),
  cancelBackup: post('/api/backups/cancel/')(),
  uploadBackup: post('/api/backups/upload/')<{ body: Blob; answer: backup.Backup }>(),
  downloadBackup: get('/api/backups/{name}/')<{ answer: Download }>(),
  getBackupContents: get('/api/backups/{name}/contents/')<{ answer: backup.BackupContents }>(),
  restoreBackup: post('/api/backups/{name}/restore/')<{
    body: z.input<typeof backup.restoreRequestSchema>;
    answer: z.output<typeof backup.restoreOrderedSchema>;
  }>(),
  removeBackup: del('/api/backups/{name}/')(),
  setBackupPassphrase: put('/api/secrets/passphrase/')<{
    body: z.input<typeof secrets.backupPassphraseSchema>;
  }>(),
  openSecrets: post('/api/secrets/open/')<WithBody<typeof secrets.openSecretsSchema, secrets.OpenedSecrets>>(),
  // Updates
  getUpdates: get('/api/updates/')<{ answer: updates.UpdateStatus }>(),
  checkForUpdate: post('/api/updates/check/')<{ answer: updates.UpdateStatus }>(),
  installUpdate: post('/api/updates/install/')<WithBody<typeof updates.installUpdateSchema, updates.UpdateStatus>>(),
  // Diagnostics
  reportPageError: post('/api/page-errors/')<{ body: z.input<typeof diagnostics.pageErrorSchema> }>(),
  getDiagnostics: get('/api/diagnostics/')<{ query: diagnostics.DiagnosticsQuery; answer: diagnostics.Diagnostics }>(),
  // OpenAPI documents
  getOpenApi: get('/api/openapi.json')<{ answer: object }>(),
  getDevicesOpenApi: get('/devices/openapi.json')<{ answer: object }>(),
  getDevicesOpenApiBelowApi: get('/api/devices/openapi.json')<{ answer: object }>(),
  getLocationAliasesOpenApi: get('/location-aliases/openapi.json')<{ answer: object }>(),
  getLocationAliasesOpenApiBelowApi: get('/api/location-aliases/openapi.json')<{ answer: object }>(),
  getSequencesOpenApi: get('/sequence/openapi.json')<{ answer: object }>(),
  getSequencesOpenApiBelowApi: get('/api/sequence/openapi.json')<{ answer: object }>(),
  getOrdersOpenApi: get('/orders/openapi.json')<{ answer: object }>(),
  getOrdersOpenApiBelowApi: get('/api/orders/openapi.json')<{ answer: object }>(),
} as const;
