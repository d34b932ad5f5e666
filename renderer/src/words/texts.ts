import { alerts } from './alerts.ts';
import { callbacks } from './callbacks.ts';
import { developer } from './developer.ts';
import { arrows, colorOther, colors, device, screen, signs } from './device.ts';
import { devices, replace } from './devices.ts';
import { password, signIn, welcome } from './firstStart.ts';
import { curl, deviceSettings, edited, form, sent, statics } from './forms.ts';
import { bulk, connection, failure, frame, moments, pageTitle, palette, product, rail, sound } from './frame.ts';
import { fleet } from './fleet.ts';
import { help } from './help.ts';
import { licences } from './licences.ts';
import { history } from './history.ts';
import { drafts } from './drafts.ts';
import { importing } from './importing.ts';
import { kiosk } from './kiosk.ts';
import { locate } from './locate.ts';
import { locations } from './locations.ts';
import { map, zones } from './map.ts';
import { orderImport } from './orderImport.ts';
import { orders } from './orders.ts';
import { actions, here, panel, queue } from './panel.ts';
import { outbox } from './outbox.ts';
import { pick } from './pick.ts';
import { scanner } from './scanner.ts';
import { sequences } from './sequences.ts';
import { settings } from './settings.ts';
import { choose, empty, station } from './station.ts';
import { past, why } from './timeline.ts';
import { turbos } from './turbos.ts';
import { users } from './users.ts';
import { work } from './work.ts';

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
