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
import type { PageCalls } from './pageCalls/pageCall.ts';

/** The page's own calls and what they send, collected from one table per noun. The compiler reports missing names. */
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
