import { alerts } from './texts/alerts.ts';
import { callbacks } from './texts/callbacks.ts';
import { developer } from './texts/developer.ts';
import { arrows, colorOther, colors, device, screen, signs } from './texts/device.ts';
import { devices, replace } from './texts/devices.ts';
import { password, signIn, welcome } from './texts/firstStart.ts';
import { curl, deviceSettings, edited, form, sent, statics } from './texts/forms.ts';
import { bulk, connection, failure, frame, moments, pageTitle, palette, product, rail, sound } from './texts/frame.ts';
import { fleet } from './texts/fleet.ts';
import { help } from './texts/help.ts';
import { licences } from './texts/licences.ts';
import { history } from './texts/history.ts';
import { drafts } from './texts/drafts.ts';
import { importing } from './texts/importing.ts';
import { kiosk } from './texts/kiosk.ts';
import { locate } from './texts/locate.ts';
import { locations } from './texts/locations.ts';
import { map, zones } from './texts/map.ts';
import { orderImport } from './texts/orderImport.ts';
import { orders } from './texts/orders.ts';
import { actions, here, panel, queue } from './texts/panel.ts';
import { outbox } from './texts/outbox.ts';
import { pick } from './texts/pick.ts';
import { scanner } from './texts/scanner.ts';
import { sequences } from './texts/sequences.ts';
import { settings } from './texts/settings.ts';
import { choose, empty, station } from './texts/station.ts';
import { past, why } from './texts/timeline.ts';
import { turbos } from './texts/turbos.ts';
import { users } from './texts/users.ts';
import { work } from './texts/work.ts';

/**
 * Every text of the window. Sentences say what happened and what to do.
 * They are in texts/, one file per area; import them from here.
 */
export const texts = {
  alerts,
  bulk,
  callbacks,
  product,
  pageTitle,
  rail,
  frame,
  palette,
  password,
  kiosk,
  outbox,
  pick,
  users,
  developer,
  settings,
  sound,
  welcome,
  signIn,
  failure,
  connection,
  station,
  map,
  moments,
  drafts,
  importing,
  licences,
  locate,
  locations,
  replace,
  choose,
  empty,
  device,
  devices,
  colors,
  colorOther,
  arrows,
  screen,
  signs,
  panel,
  queue,
  form,
  sent,
  curl,
  actions,
  here,
  why,
  past,
  help,
  history,
  statics,
  edited,
  deviceSettings,
  turbos,
  fleet,
  orders,
  orderImport,
  scanner,
  sequences,
  work,
  zones,
} as const;
