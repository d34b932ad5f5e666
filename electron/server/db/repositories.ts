import type { Db } from './db.ts';
import { RowCache } from './rowCache.ts';
import { accountRows } from './repositories/accounts.ts';
import { alertRows } from './repositories/alerts.ts';
import { aliasRows } from './repositories/aliases.ts';
import { articleRows } from './repositories/articles.ts';
import { importedArticleRows } from './repositories/importedArticles.ts';
import { auditRows } from './repositories/audit.ts';
import { batchRows } from './repositories/batches.ts';
import { callbackReceiverRows } from './repositories/callbackReceivers.ts';
import { carrierRows } from './repositories/carriers.ts';
import { commandRows } from './repositories/commands.ts';
import { commitRows } from './repositories/commits.ts';
import { countRows } from './repositories/counts.ts';
import { deviceRows } from './repositories/devices.ts';
import { endedOrderRows } from './repositories/endedOrders.ts';
import { findRows } from './repositories/find.ts';
import { historyRows } from './repositories/history.ts';
import { historyFindRows } from './repositories/historyFind.ts';
import { importUndoneRows } from './repositories/importUndone.ts';
import { importDraftRows } from './repositories/importDrafts.ts';
import { importRows } from './repositories/imports.ts';
import { inboxFileRows } from './repositories/inboxFiles.ts';
import { itemRows } from './repositories/items.ts';
import { keyedRequestRows } from './repositories/keyedRequests.ts';
import { logoRows } from './repositories/logo.ts';
import { lookAlikeRows } from './repositories/lookAlikes.ts';
import { mailRows } from './repositories/mails.ts';
import { mapRows } from './repositories/map.ts';
import { mqttRows } from './repositories/mqtt.ts';
import { numberRows } from './repositories/numbers.ts';
import { orderPickerRows } from './repositories/orderPickers.ts';
import { orderRows } from './repositories/orders.ts';
import { outboxRows } from './repositories/outbox.ts';
import { pickRows } from './repositories/picks.ts';
import { placeNameRows } from './repositories/placeNames.ts';
import { namedPlaceRows } from './repositories/namedPlaces.ts';
import { rememberedColumnRows } from './repositories/rememberedColumns.ts';
import { refusedDeviceRows } from './repositories/refusedDevices.ts';
import { reportWindowRows } from './repositories/reportWindows.ts';
import { stockRows } from './repositories/stock.ts';
import { taskRows } from './repositories/tasks.ts';
import { turboLinkRows } from './repositories/turboLinks.ts';
import { restoreRows } from './repositories/restores.ts';
import { updateListRows } from './repositories/updateLists.ts';
import { secretRows } from './repositories/secrets.ts';
import { sequenceRows } from './repositories/sequences.ts';
import { settingRows } from './repositories/settings.ts';
import { runningTimeRows } from './repositories/runningTime.ts';
import { templateScreenRows } from './repositories/templateScreens.ts';
import { turboNameRows } from './repositories/turboNames.ts';

export type Repositories = ReturnType<typeof createRepositories>;

/** Creates all repositories for one connection. `cache` is only for the writing connection. */
export function createRepositories(db: Db, cache = new RowCache()) {
  return {
    accounts: accountRows(db),
    alerts: alertRows(db),
    aliases: aliasRows(db),
    articles: articleRows(db),
    importedArticles: importedArticleRows(db),
    audit: auditRows(db),
    batches: batchRows(db),
    callbackReceivers: callbackReceiverRows(db),
    carriers: carrierRows(db),
    commands: commandRows(db, cache),
    commits: commitRows(db),
    counts: countRows(db),
    devices: deviceRows(db, cache),
    endedOrders: endedOrderRows(db),
    find: findRows(db),
    history: historyRows(db),
    historyFind: historyFindRows(db),
    importDrafts: importDraftRows(db),
    importUndone: importUndoneRows(db),
    imports: importRows(db),
    inboxFiles: inboxFileRows(db),
    items: itemRows(db),
    keyedRequests: keyedRequestRows(db),
    logo: logoRows(db),
    lookAlikes: lookAlikeRows(db),
    mails: mailRows(db),
    map: mapRows(db),
    mqtt: mqttRows(db),
    numbers: numberRows(db),
    tasks: taskRows(db),
    orderPickers: orderPickerRows(db),
    orders: orderRows(db),
    outbox: outboxRows(db),
    picks: pickRows(db),
    placeNames: placeNameRows(db),
    namedPlaces: namedPlaceRows(db),
    refusedDevices: refusedDeviceRows(db),
    rememberedColumns: rememberedColumnRows(db),
    reportWindows: reportWindowRows(db, cache),
    restores: restoreRows(db),
    updateLists: updateListRows(db),
    secrets: secretRows(db),
    sequences: sequenceRows(db, cache),
    stock: stockRows(db),
    templateScreens: templateScreenRows(db),
    turboLinks: turboLinkRows(db),
    settings: settingRows(db),
    runningTime: runningTimeRows(db),
    turboNames: turboNameRows(db),
  };
}
