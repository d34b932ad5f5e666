/**
 * All texts of the window. Use `import * as texts`, so that a page loads only the texts that it needs. Messages say
 * what happened and what to do.
 */
export { alerts } from './alerts.ts';
export { articleField } from './articleField.ts';
export { articles } from './articles.ts';
export { board } from './board.ts';
export { callbacks } from './callbacks.ts';
export { cells } from './cells.ts';
export { developer } from './developer.ts';
export { arrows, colorOther, colors, device, screen, signs } from './device.ts';
export { places, replace } from './places.ts';
export { welcome } from './firstStart.ts';
export { password, signIn } from './signIn.ts';
export { curl, deviceSettings, edited, form, sent, statics } from './forms.ts';
export { bulk, connection, failure, frame, moments, pageTitle, palette, product, rail, sound } from './frame.ts';
export { fleet } from './fleet.ts';
export { help } from './help.ts';
export { licences } from './licences.ts';
export { history } from './history.ts';
export { drafts } from './drafts.ts';
export { importing } from './importing.ts';
export { kiosk } from './kiosk.ts';
export { locate } from './locate.ts';
export { locations } from './locations.ts';
export { map, zones } from './map.ts';
export { orderImport } from './orderImport.ts';
export { orders } from './orders.ts';
export { actions, here, panel, queue } from './panel.ts';
export { outbox } from './outbox.ts';
export { pack } from './pack.ts';
export { pages } from './pages.ts';
export { pick } from './pick.ts';
export { scanner } from './scanner.ts';
export { sequences } from './sequences.ts';
export { secret } from './secret.ts';
export { settings } from './settings.ts';
export { choose, day, empty, station } from './station.ts';
export { past, why } from './timeline.ts';
export { updates } from './updates.ts';
export { turbos } from './turbos.ts';
export { users } from './users.ts';
export { work } from './work.ts';
