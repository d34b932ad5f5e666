import { alerts } from './texts/alerts.ts';
import { bulk } from './texts/bulk.ts';
import { callbacks } from './texts/callbacks.ts';
import { device, colors, colorOther, arrows, screen, signs } from './texts/device.ts';
import { developer } from './texts/developer.ts';
import { devices } from './texts/devices.ts';
import { password, welcome, signIn } from './texts/firstStart.ts';
import { form, sent, curl, statics, edited, deviceSettings } from './texts/forms.ts';
import { product, pageTitle, rail, frame, failure, connection } from './texts/frame.ts';
import { why, past } from './texts/timeline.ts';
import { importing } from './texts/importing.ts';
import { locations } from './texts/locations.ts';
import { map } from './texts/map.ts';
import { moments } from './texts/moments.ts';
import { orderImport } from './texts/orderImport.ts';
import { orders } from './texts/orders.ts';
import { palette } from './texts/palette.ts';
import { panel, queue, actions, here } from './texts/panel.ts';
import { history } from './texts/history.ts';
import { users } from './texts/users.ts';
import { replace } from './texts/replace.ts';
import { sequences } from './texts/sequences.ts';
import { settings } from './texts/settings.ts';
import { sound } from './texts/sound.ts';
import { station, choose, empty } from './texts/station.ts';
import { turbos } from './texts/turbos.ts';
import { work } from './texts/work.ts';
import { zones } from './texts/zones.ts';

/**
 * Every text of the window. Sentences say what happened and what to do.
 * They stand in texts/, one file for each area, and nowhere else; everybody takes them from here.
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
  importing,
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
  history,
  statics,
  edited,
  deviceSettings,
  turbos,
  orders,
  orderImport,
  sequences,
  work,
  zones,
} as const;
