import { accessEndpoints } from './access.ts';
import { alertEndpoints } from './alerts.ts';
import { aliasEndpoints } from './aliases.ts';
import { apiUserEndpoints } from './apiUsers.ts';
import { articleEndpoints } from './articles.ts';
import { auditEndpoints } from './audit.ts';
import { backupEndpoints } from './backups.ts';
import { batchActEndpoints } from './batchActs.ts';
import { batchEndpoints } from './batches.ts';
import { callbackEndpoints } from './callbacks.ts';
import { callbackReceiverEndpoints } from './callbackReceivers.ts';
import { carrierEndpoints } from './carriers.ts';
import { deviceCareEndpoints } from './deviceCare.ts';
import { deviceEndpoints } from './devices.ts';
import { diagnosticsEndpoints } from './diagnostics.ts';
import { findEndpoints } from './find.ts';
import { fleetEndpoints } from './fleet.ts';
import { folderEndpoints } from './folders.ts';
import { historyEndpoints } from './history.ts';
import { kioskEndpoints } from './kiosks.ts';
import { locationImportEndpoints } from './locationImport.ts';
import { mailEndpoints } from './mail.ts';
import { mapEndpoints } from './map.ts';
import { mqttEndpoints } from './mqtt.ts';
import { oauthEndpoints } from './oauth.ts';
import { importDraftEndpoints } from './importDrafts.ts';
import { importEndpoints } from './imports.ts';
import { orderEndpoints } from './orders.ts';
import { placeEndpoints } from './places.ts';
import { pickingEndpoints } from './picking.ts';
import { previewEndpoints } from './preview.ts';
import { queryStringEndpoints } from './queryString.ts';
import { requestLogEndpoints } from './requestLog.ts';
import { screenEndpoints } from './screens.ts';
import { sequenceEndpoints } from './sequences.ts';
import { setupEndpoints } from './setup.ts';
import { settingsEndpoints } from './settings.ts';
import { simulatorEndpoints } from './simulator.ts';
import { soundEndpoints } from './sounds.ts';
import { stockEndpoints } from './stock.ts';
import { taskEndpoints } from './tasks.ts';
import { stationEndpoints } from './station.ts';
import { boardEndpoints } from './boards.ts';
import { turboEndpoints } from './turbos.ts';
import { updateEndpoints } from './updates.ts';
import { userEndpoints } from './users.ts';
import type { Endpoint } from '../endpoint.ts';

/** Groups of endpoints, in the order in which they are matched. */
const GROUPS = [
  deviceEndpoints,
  queryStringEndpoints,
  previewEndpoints,
  deviceCareEndpoints,
  // These must come before the alias endpoints, whose id matches any word.
  locationImportEndpoints,
  aliasEndpoints,
  sequenceEndpoints,
  stationEndpoints,
  findEndpoints,
  orderEndpoints,
  articleEndpoints,
  stockEndpoints,
  taskEndpoints,
  pickingEndpoints,
  carrierEndpoints,
  batchEndpoints,
  batchActEndpoints,
  importEndpoints,
  importDraftEndpoints,
  alertEndpoints,
  turboEndpoints,
  boardEndpoints,
  soundEndpoints,
  mapEndpoints,
  placeEndpoints,
  historyEndpoints,
  setupEndpoints,
  accessEndpoints,
  userEndpoints,
  kioskEndpoints,
  screenEndpoints,
  apiUserEndpoints,
  oauthEndpoints,
  auditEndpoints,
  requestLogEndpoints,
  settingsEndpoints,
  mailEndpoints,
  mqttEndpoints,
  fleetEndpoints,
  folderEndpoints,
  callbackEndpoints,
  callbackReceiverEndpoints,
  backupEndpoints,
  diagnosticsEndpoints,
  updateEndpoints,
  simulatorEndpoints,
];

/** Dependencies of all groups together. */
type Parts = (typeof GROUPS)[number] extends (parts: infer Each) => unknown ? Each : never;

/** Returns all endpoints of the REST API. */
export function allEndpoints(parts: Parts): Endpoint[] {
  return GROUPS.flatMap((group) => group(parts));
}
