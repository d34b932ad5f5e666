import { devicePath } from '../../renderer/src/station/calls/api.ts';
import { backupPath, diagnosticsPath } from '../../renderer/src/station/calls/accessApi.ts';
import { ACCESS_CALLS } from './pageCalls/access.ts';
import { ARTICLE_CALLS } from './pageCalls/articles.ts';
import { CART_CALLS } from './pageCalls/carts.ts';
import { CONNECTION_CALLS } from './pageCalls/connections.ts';
import { DEVICE_CALLS } from './pageCalls/devices.ts';
import { HISTORY_CALLS } from './pageCalls/history.ts';
import { IMPORT_CALLS } from './pageCalls/imports.ts';
import { ORDER_CALLS } from './pageCalls/orders.ts';
import { STATION_CALLS } from './pageCalls/station.ts';
import { TURBO_CALLS } from './pageCalls/turbos.ts';
import { DEVICE, type PageCalls } from './pageCalls/pageCall.ts';

/** Every call of the page and what it sends, from one table per noun. A missing name does not compile. */
export const CALLS: PageCalls = {
  ...ACCESS_CALLS,
  ...ARTICLE_CALLS,
  ...CART_CALLS,
  ...CONNECTION_CALLS,
  ...DEVICE_CALLS,
  ...HISTORY_CALLS,
  ...IMPORT_CALLS,
  ...ORDER_CALLS,
  ...STATION_CALLS,
  ...TURBO_CALLS,
};

/** URLs that the page opens or shows. These functions do not send anything. */
export const PATHS: Record<string, [made: string, sent: string]> = {
  backupPath: [backupPath('b.sqlite'), 'GET /api/backups/b.sqlite/'],
  diagnosticsPath: [diagnosticsPath(), 'GET /api/diagnostics/?logs=1'],
  devicePath: [devicePath(DEVICE), `POST /api/device/${DEVICE}/`],
};
