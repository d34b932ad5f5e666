import type { z } from 'zod';
import type * as access from './access.ts';
import type * as alert from './alert.ts';
import type * as alias from './alias.ts';
import type * as board from './board.ts';
import type * as article from './article.ts';
import type * as backup from './backup.ts';
import type * as batch from './batch.ts';
import type * as carrier from './carrier.ts';
import type * as callback from './callback.ts';
import type * as callbackReceiver from './callbackReceiver.ts';
import type * as folders from './folders.ts';
import type * as mail from './mail.ts';
import type * as device from './device.ts';
import type * as diagnostics from './diagnostics.ts';
import type * as fleet from './fleet.ts';
import type * as find from './find.ts';
import type { RememberedColumns } from './importColumns.ts';
import type * as drafts from './importDrafts.ts';
import type * as imports from './imports.ts';
import type * as history from './history.ts';
import type * as historyReport from './historyReport.ts';
import type * as historySummary from './historySummary.ts';
import type * as kiosk from './kiosk.ts';
import type * as locate from './locate.ts';
import type * as locationImport from './locationImport.ts';
import type * as map from './map.ts';
import type * as mqtt from './mqtt.ts';
import type * as order from './order.ts';
import type * as picking from './picking.ts';
import type * as preview from './preview.ts';
import type * as requestLog from './requestLog.ts';
import type * as secrets from './secrets.ts';
import type * as sequence from './sequence.ts';
import type * as settings from './settings.ts';
import type * as setup from './setup.ts';
import type * as simulator from './simulator.ts';
import type * as stock from './stock.ts';
import type * as task from './task.ts';
import type * as station from './station.ts';
import type * as turbo from './turbo.ts';
import type * as updates from './updates.ts';
import type * as wallBoard from './wallBoard.ts';
import type { ShortReason } from '../lib/shortReasons.ts';

/** The types of what a call takes and answers. Without `answer` the station answers 204. */
type Types = { query?: object; body?: unknown; answer?: unknown };

/** One address of the REST API. `types` exists for the compiler only. */
export type Route<Path extends string = string, T extends Types = Types> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  path: Path;
  types?: T;
};

const to =
  (method: Route['method']) =>
  <const Path extends string>(path: Path) =>
  <T extends Types = object>(): Route<Path, T> => ({ method, path });

const get = to('GET');
const post = to('POST');
const put = to('PUT');
const patch = to('PATCH');
const del = to('DELETE');

/** `kind` is sent as text: one or several, with commas between them. */
type Kinds<Query> = Omit<Query, 'kind'> & { kind?: string };
/** The content type of a backup. */
export const BACKUP_TYPE = 'application/vnd.sqlite3';

/** Not JSON: the page links to the address, and no call reads it. */
type Download = never;
type Strict<Answer> = { query: z.output<typeof device.strictQuerySchema>; answer: Answer };
/** `page=1`: the page's cookies, which name the station. */
type OfThePage = { query: { page?: '0' | '1' } };
/** A change of a batch in the name of a person. */
type Acted = { body?: z.input<typeof batch.batchActorSchema>; answer: batch.Batch };
type Freed = { body?: z.input<typeof batch.slotFreeSchema>; answer: batch.Batch };
type Body<Schema extends z.ZodType, Answer> = { body: z.input<Schema>; answer: Answer };

/**
 * Every address of the REST API by its operationId. The server's endpoints and the page's calls take method, path and types from here.
 * It loads no schema, since zod evaluates code, which the page's policy refuses.
 */
export const ROUTES = {
  // Devices
  listDevices: get('/api/device/')<{ query: device.DeviceListQuery; answer: string[] }>(),
  getDevice: get('/api/device/{DeviceID}/')<{ answer: device.Device }>(),
  getDeviceScreen: get('/api/device/{DeviceID}/screen/')<{ query: { scale?: number }; answer: Download }>(),
  sendToDevice: post('/api/device/{DeviceID}/')<Body<typeof device.deviceRequestSchema, device.DeviceResult>>(),
  sendToDeviceByPut: put('/api/device/{DeviceID}/')<Body<typeof device.deviceRequestSchema, device.DeviceResult>>(),
  sendToDevices: post('/api/devices/')<{
    body: z.input<typeof device.deviceRequestSchema> | z.input<typeof device.deviceRequestSchema>[];
    answer: device.DeviceResult | device.BulkResult[];
  }>(),
  sendToDevicesByPut: put('/api/devices/')<{
    body: z.input<typeof device.deviceRequestSchema> | z.input<typeof device.deviceRequestSchema>[];
    answer: device.DeviceResult | device.BulkResult[];
  }>(),
  // The query-string interface
  sendByAddressCommand: get('/api/{DeviceID}/{command}/')<Strict<device.DeviceResult>>(),
  sendByAddressTexts: get('/api/{DeviceID}/{command}/{texts}/')<Strict<device.DeviceResult>>(),
  sendByAddressMoreTexts: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/')<Strict<device.DeviceResult>>(),
  sendByAddressTune: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/')<Strict<device.DeviceResult>>(),
  sendByAddressSecondsColor: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/')<
    Strict<device.DeviceResult>
  >(),
  sendByAddressNonce: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/{nonce}/')<
    Strict<device.DeviceResult>
  >(),
  // Preview
  preview: post('/api/preview/')<Body<typeof preview.previewRequestSchema, preview.PreviewAnswer>>(),
  // Care of devices
  listWaitingDevices: get('/api/devices/waiting/')<{ answer: device.WaitingDevice[] }>(),
  listRefusedDevices: get('/api/devices/refused/')<{ answer: device.RefusedDevice[] }>(),
  refuseDevice: post('/api/devices/refused/')<Body<typeof device.refusalSchema, device.RefusedDevice>>(),
  readmitDevice: del('/api/devices/refused/{DeviceID}/')(),
  registerDevice: post('/api/device/')<Body<typeof device.newDeviceSchema, device.Device>>(),
  removeDevice: del('/api/device/{DeviceID}/')(),
  replaceDevice: post('/api/device/{DeviceID}/replace/')<Body<typeof device.replacementSchema, device.Device>>(),
  acknowledgeCommand: post('/api/device/{DeviceID}/acknowledge/')<
    Body<typeof device.acknowledgeSchema, z.output<typeof device.acknowledgeResultSchema>>
  >(),
  removeCommand: del('/api/device/{DeviceID}/commands/{command_id}/')(),
  adjustCommand: post('/api/device/{DeviceID}/adjust/')<
    Body<typeof device.adjustSchema, z.output<typeof device.adjustResultSchema>>
  >(),
  useScreenTemplate: post('/api/device/{DeviceID}/use-template/')<{
    answer: z.output<typeof device.templateScreenSchema>;
  }>(),
  identifyDevice: post('/api/device/{DeviceID}/identify/')<{ answer: z.output<typeof device.commandResultSchema> }>(),
  // Import of location aliases
  importLocationAliases: post('/api/location-aliases/import/')<
    Body<typeof imports.locationImportRequestSchema, locationImport.LocationImport>
  >(),
  getLastLocationAliasImport: get('/api/location-aliases/import/')<{ answer: locationImport.LastImport }>(),
  undoLocationAliasImport: post('/api/location-aliases/import/undo/')<
    Body<typeof locationImport.importUndoRequestSchema, locationImport.ImportUndo>
  >(),
  exportLocationAliases: get('/api/location-aliases/export/')<{ answer: Download }>(),
  // Location aliases
  listLocationAliases: get('/api/location-aliases/')<{
    query: alias.LocationAliasQuery;
    answer: alias.LocationAlias[];
  }>(),
  addLocationAlias: post('/api/location-aliases/')<Body<typeof alias.newLocationAliasSchema, alias.LocationAlias>>(),
  getLocationAlias: get('/api/location-aliases/{id}/')<{ answer: alias.LocationAlias }>(),
  changeLocationAlias:
    put('/api/location-aliases/{id}/')<Body<typeof alias.newLocationAliasSchema, alias.LocationAlias>>(),
  removeLocationAlias: del('/api/location-aliases/{id}/')(),
  // Sequences
  listSequences: get('/api/sequence/')<{ query: sequence.SequenceQuery; answer: sequence.Sequence[] }>(),
  addSequence: post('/api/sequence/')<Body<typeof sequence.newSequenceSchema, sequence.SequenceResult>>(),
  getSequence: get('/api/sequence/{seqID}/')<{ answer: sequence.Sequence }>(),
  replaceSequence:
    put('/api/sequence/{seqID}/')<Body<typeof sequence.changedSequenceSchema, sequence.SequenceResult>>(),
  removeSequence: del('/api/sequence/{seqID}/')(),
  launchSequence: get('/api/launchsequence/{seqID}/')<{
    query: z.output<typeof sequence.launchSequenceQuerySchema>;
    answer: sequence.SequenceResult;
  }>(),
  listSequenceProgress: get('/api/sequence-progress/')<{
    query: sequence.SequenceQuery;
    answer: sequence.SequenceProgress[];
  }>(),
  // Station
  getHealth: get('/healthz')<{ answer: station.Health }>(),
  getStation: get('/api/station/')<{ answer: station.Station }>(),
  streamEvents: get('/api/events/')<{ answer: Download }>(),
  find: get('/api/find/')<{ query: find.FindQuery; answer: find.FoundThing[] }>(),
  locate: get('/api/locate/')<{ query: locate.LocateQuery; answer: locate.LocatedPlace[] }>(),
  lightLocated: post('/api/locate/')<Body<typeof locate.locateSchema, locate.LightedPlace[]>>(),
  // Orders
  listOrders: get('/api/orders/')<{ query: order.OrderQuery; answer: order.Order[] }>(),
  addOrder: post('/api/orders/')<Body<typeof order.newOrderSchema, order.OrderResult>>(),
  removeEndedOrders: del('/api/orders/')<{
    query: z.input<typeof order.endedOrdersQuerySchema>;
    answer: order.DeletedOrders;
  }>(),
  listOrderProgress: get('/api/order-progress/')<{ query: order.OrderQuery; answer: order.OrderProgress[] }>(),
  getOrder: get('/api/orders/{order_number}/')<{ answer: order.Order }>(),
  launchOrder: post('/api/orders/{order_number}/launch/')<{ body?: order.Launch; answer: order.Order }>(),
  abortOrder: post('/api/orders/{order_number}/abort/')<{ answer: order.Order }>(),
  removeOrder: del('/api/orders/{order_number}/')(),
  changeOrder: patch('/api/orders/{order_number}/')<{ body: order.OrderChange; answer: order.Order }>(),
  correctItem: patch('/api/orders/{order_number}/items/{id}/')<Body<typeof order.correctionSchema, order.Item>>(),
  closeItemShort: post('/api/orders/{order_number}/items/{id}/short/')<
    Body<typeof order.shortSchema, order.ShortResult>
  >(),
  confirmItem: post('/api/orders/{order_number}/items/{id}/confirm/')<{
    body?: order.Confirm;
    answer: order.Item;
  }>(),
  dismissItem: post('/api/orders/{order_number}/items/{id}/dismiss/')<{
    body?: order.Dismiss;
    answer: order.Item;
  }>(),
  verifyItem: post('/api/orders/{order_number}/items/{id}/verify/')<{
    body?: order.Verify;
    answer: order.Item;
  }>(),
  lightItem: post('/api/orders/{order_number}/items/{id}/light/')<{ answer: order.Item }>(),
  reopenItem: post('/api/orders/{order_number}/items/{id}/reopen/')<{ body?: order.Reopen; answer: order.Item }>(),
  joinOrder: post('/api/orders/{order_number}/join/')<{ body?: order.Launch; answer: order.Order }>(),
  leaveOrder: post('/api/orders/{order_number}/leave/')<{ body?: order.ActingPicker; answer: order.Order }>(),
  pauseOrder: post('/api/orders/{order_number}/pause/')<{ body?: order.ActingPicker; answer: order.Order }>(),
  handOverOrder: post('/api/orders/{order_number}/handover/')<Body<typeof order.handoverSchema, order.Order>>(),
  // Articles and stock
  listArticles: get('/api/articles/')<{ query: article.ArticleQuery; answer: article.Article[] }>(),
  addArticle: post('/api/articles/')<Body<typeof article.newArticleSchema, article.ArticleResult>>(),
  replaceArticles: put('/api/articles/')<{
    body: z.input<typeof article.newArticleSchema>[];
    answer: article.ArticleBulkResult[];
  }>(),
  changeArticles: patch('/api/articles/')<{
    body: (z.input<typeof article.articleChangeSchema> & { sku: string })[];
    answer: article.ArticleBulkResult[];
  }>(),
  getArticle: get('/api/articles/{sku}/')<{ answer: article.Article }>(),
  replaceArticle: put('/api/articles/{sku}/')<Body<typeof article.articleReplacementSchema, article.ArticleResult>>(),
  changeArticle: patch('/api/articles/{sku}/')<Body<typeof article.articleChangeSchema, article.ArticleResult>>(),
  getArticlePicture: get('/api/articles/{sku}/picture/')<{
    query: z.input<typeof article.pictureQuerySchema>;
    answer: Download;
  }>(),
  setArticlePicture: put('/api/articles/{sku}/picture/')<{ body: Blob; answer: article.ArticlePicture }>(),
  removeArticlePicture: del('/api/articles/{sku}/picture/')(),
  removeArticle: del('/api/articles/{sku}/')<{ query: z.input<typeof article.articleRemovalQuerySchema> }>(),
  listStock: get('/api/stock/')<{ query: stock.StockQuery; answer: stock.StockRow[] }>(),
  changeStock: post('/api/stock/')<Body<typeof stock.documentedStockChangeSchema, stock.MovementResult[]>>(),
  showStock: post('/api/stock/show/')<Body<typeof stock.stockShowSchema, stock.StockShown>>(),
  sayWhatIsLeft: post('/api/stock/left/')<Body<typeof stock.leftSchema, stock.StockRow>>(),
  listMovements: get('/api/movements/')<{ query: stock.MovementQuery; answer: stock.Movement[] }>(),
  listTasks: get('/api/tasks/')<{ query: task.TaskQuery; answer: task.Task[] }>(),
  finishTask: post('/api/tasks/{id}/done/')<Body<typeof task.taskDoneSchema, task.Task>>(),
  dismissTask: post('/api/tasks/{id}/dismiss/')<{ answer: task.Task }>(),
  // Picking
  listWork: get('/api/work/')<{ query: picking.WorkQuery; answer: picking.WorkLine[] }>(),
  getNextOrder: get('/api/work/next/')<{ answer: picking.NextOrder }>(),
  listPickers: get('/api/pickers/')<{ answer: picking.Picker[] }>(),
  listShortReasons: get('/api/short-reasons/')<{ answer: ShortReason[] }>(),
  getShortNumbers: get('/api/scan/short-numbers/')<{ answer: picking.ShortNumbers }>(),
  setOwnColor: patch('/api/user/')<Body<typeof picking.ownColorSchema, picking.OwnProfile>>(),
  setCurrentLine: put('/api/user/current/')<Body<typeof picking.currentLineSchema, picking.WorkLine | undefined>>(),
  scan: post('/api/scan/')<Body<typeof picking.scanSchema, picking.ScanResult>>(),
  // Carts and walls
  listCarts: get('/api/carts/')<{ answer: carrier.Carrier[] }>(),
  addCart: post('/api/carts/')<Body<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  getCart: get('/api/carts/{id}/')<{ answer: carrier.Carrier }>(),
  replaceCart: put('/api/carts/{id}/')<Body<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  removeCart: del('/api/carts/{id}/')(),
  listWalls: get('/api/walls/')<{ answer: carrier.Carrier[] }>(),
  addWall: post('/api/walls/')<Body<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  getWall: get('/api/walls/{id}/')<{ answer: carrier.Carrier }>(),
  replaceWall: put('/api/walls/{id}/')<Body<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  removeWall: del('/api/walls/{id}/')(),
  listBatches: get('/api/batches/')<{ query: batch.BatchQuery; answer: batch.BatchProgress[] }>(),
  addBatch: post('/api/batches/')<Body<typeof batch.newBatchSchema, batch.NewBatchResult>>(),
  getBatch: get('/api/batches/{id}/')<{ answer: batch.Batch }>(),
  removeBatch: del('/api/batches/{id}/')<{ query: batch.BatchAbortQuery }>(),
  launchBatch: post('/api/batches/{id}/launch/')<{ body?: batch.BatchLaunch; answer: batch.Batch }>(),
  pauseBatch: post('/api/batches/{id}/pause/')<Acted>(),
  joinBatch: post('/api/batches/{id}/join/')<Acted>(),
  leaveBatch: post('/api/batches/{id}/leave/')<Acted>(),
  handOverBatch: post('/api/batches/{id}/handover/')<Body<typeof batch.batchHandOverSchema, batch.Batch>>(),
  abortBatch: post('/api/batches/{id}/abort/')<Acted & { query: batch.BatchAbortQuery }>(),
  freeBatch: post('/api/batches/{id}/free/')<Acted>(),
  addToBatch: post('/api/batches/{id}/slots/')<Body<typeof batch.batchSlotAskSchema, batch.Batch>>(),
  removeFromBatch: del('/api/batches/{id}/slots/{slot}/')(),
  removeOrderFromBatch: del('/api/batches/{id}/orders/{order_number}/')(),
  moveSlot: post('/api/batches/{id}/slots/{slot}/move/')<Body<typeof batch.moveSchema, batch.Batch>>(),
  markSlotFull: post('/api/batches/{id}/slots/{slot}/full/')<Acted>(),
  freeSlot: post('/api/batches/{id}/slots/{slot}/free/')<Freed>(),
  undoFreeSlot: post('/api/batches/{id}/slots/{slot}/free/undo/')<Acted>(),
  putIntoSlot: post('/api/batches/{id}/put/')<Body<typeof batch.putSchema, batch.PutResult>>(),
  undoPut: post('/api/batches/{id}/put/undo/')<Body<typeof batch.putUndoSchema, batch.Batch>>(),
  reassignShares: post('/api/batches/{id}/shares/')<Body<typeof batch.reassignSchema, batch.Batch>>(),
  settleHand: post('/api/batches/{id}/hand/')<Body<typeof batch.handSchema, batch.Batch>>(),
  // Import and export of orders
  importOrders: post('/api/order-import/')<Body<typeof imports.importRequestSchema, imports.OrderImport>>(),
  getLastOrderImport: get('/api/order-import/')<{ answer: imports.LastOrderImport }>(),
  undoOrderImport: post('/api/order-import/undo/')<{
    body?: z.input<typeof imports.orderImportUndoRequestSchema>;
    answer: imports.OrderImportUndo;
  }>(),
  exportArticles: get('/api/article-export/')<{ query: { format?: 'csv' | 'xlsx' }; answer: Download }>(),
  exportOrders: get('/api/order-export/')<{
    query: order.OrderQuery & { format?: 'csv' | 'xlsx' };
    answer: Download;
  }>(),
  createImport: post('/api/imports/')<{
    body: z.input<typeof imports.fileImportRequestSchema> | FormData;
    answer: imports.AnyImport;
  }>(),
  listImports: get('/api/imports/')<{ answer: imports.ImportEntry[] }>(),
  getImport: get('/api/imports/{id}/')<{ query: imports.ImportRowsQuery; answer: imports.ImportWithRows }>(),
  correctImportRow: patch('/api/imports/{id}/rows/{line}/')<
    Body<typeof imports.importCorrectionSchema, imports.ImportCorrected>
  >(),
  runImport: post('/api/imports/{id}/run/')<{
    body?: z.input<typeof drafts.importRunSchema>;
    answer: imports.ImportWithRows;
  }>(),
  undoImport: post('/api/imports/{id}/undo/')<{ answer: imports.AnyImportUndo }>(),
  listImportDrafts: get('/api/import-drafts/')<{ query: drafts.DraftsQuery; answer: drafts.DraftEntry[] }>(),
  getImportDraft: get('/api/import-drafts/{id}/')<{ answer: drafts.Draft }>(),
  correctImportDraft: patch('/api/import-drafts/{id}/')<Body<typeof drafts.draftCorrectionSchema, drafts.Draft>>(),
  createOrderFromDraft: post('/api/import-drafts/{id}/create/')<{
    answer: z.infer<typeof drafts.draftCreatedSchema>;
  }>(),
  discardImportDraft: del('/api/import-drafts/{id}/')(),
  listImportColumns: get('/api/import-columns/')<{ answer: RememberedColumns[] }>(),
  forgetImportColumns: del('/api/import-columns/{id}/')(),
  // Alerts
  listAlerts: get('/api/alerts/')<{ query: alert.AlertQuery; answer: alert.Alert[] }>(),
  acknowledgeAlerts: post('/api/alerts/acknowledge/')<{ answer: z.output<typeof alert.seenResultSchema> }>(),
  acknowledgeAlert: post('/api/alerts/{id}/acknowledge/')<{ answer: alert.Alert }>(),
  endAlert: post('/api/alerts/{id}/end/')<{ answer: alert.Alert }>(),
  allowRefusedCaller: post('/api/alerts/{id}/allow/')<{ answer: alert.Alert }>(),
  neverAllowRefusedCaller: post('/api/alerts/{id}/never-allow/')<{ answer: alert.Alert }>(),
  // Turbos
  listTurbos: get('/api/turbo/')<{ answer: turbo.Turbo[] }>(),
  listSerialPorts: get('/api/turbo/ports/')<{ answer: turbo.SerialPortEntry[] }>(),
  listTurboLinks: get('/api/turbo/links/')<{ answer: turbo.TurboLink[] }>(),
  findControllers: get('/api/turbo/links/found/')<{ answer: turbo.FoundControllerEntry[] }>(),
  addTurboLink: post('/api/turbo/links/')<Body<typeof turbo.newTurboLinkSchema, turbo.TurboLink>>(),
  listBoards: get('/api/boards/')<{ answer: board.Board[] }>(),
  installBoard: post('/api/boards/')<{ body: board.NewBoard; answer: board.BoardJob }>(),
  listBoardUpdates: get('/api/boards/updates/')<{ answer: board.BoardUpdate[] }>(),
  updateBoards: post('/api/boards/updates/')<{ body: board.NewBoardUpdates; answer: board.BoardJob[] }>(),
  listBoardJobs: get('/api/boards/jobs/')<{ answer: board.BoardJob[] }>(),
  getBoardJob: get('/api/boards/jobs/{id}/')<{ answer: board.BoardJob }>(),
  cancelBoardJob: del('/api/boards/jobs/{id}/')(),
  changeTurboLink: patch('/api/turbo/links/{id}/')<{ body: turbo.TurboLinkChange; answer: turbo.TurboLink }>(),
  removeTurboLink: del('/api/turbo/links/{id}/')(),
  retryTurboLink: post('/api/turbo/links/{id}/retry/')<{ answer: turbo.TurboLink }>(),
  listTurboTraffic: get('/api/turbo/traffic/')<{ answer: turbo.TurboTrafficEntry[] }>(),
  getTurboNetwork: get('/api/turbo/network/')<{ answer: turbo.TurboNetwork }>(),
  getTurbo: get('/api/turbo/{SerialNo}/')<{ answer: turbo.Turbo }>(),
  renameTurbo: patch('/api/turbo/{SerialNo}/')<Body<typeof turbo.turboChangeSchema, turbo.Turbo>>(),
  forgetTurbo: del('/api/turbo/{SerialNo}/')(),
  listTurboFrames: get('/api/turbo/{SerialNo}/frames/')<{ query: { after?: number }; answer: turbo.TurboFrame[] }>(),
  exportTurboFrames: get('/api/turbo/{SerialNo}/frames/export/')<{ answer: Download }>(),
  // Sounds
  listSounds: get('/api/sounds/')<{ answer: { name: string; encoding: string; length_ms: number }[] }>(),
  getSound: get('/api/sounds/{name}/')<{ answer: Download }>(),
  // Map
  getMap: get('/api/map/')<{ answer: map.StationMap }>(),
  replaceMap: put('/api/map/')<Body<typeof map.mapReplacementSchema, map.StationMap>>(),
  addRack: post('/api/map/racks/')<Body<typeof map.newRackSchema, map.Rack>>(),
  getRack: get('/api/map/racks/{id}/')<{ answer: map.Rack }>(),
  changeRack: patch('/api/map/racks/{id}/')<Body<typeof map.rackChangeSchema, map.Rack>>(),
  removeRack: del('/api/map/racks/{id}/')(),
  addZone: post('/api/map/zones/')<Body<typeof map.newZoneSchema, map.Zone>>(),
  getZone: get('/api/map/zones/{id}/')<{ answer: map.Zone }>(),
  changeZone: patch('/api/map/zones/{id}/')<Body<typeof map.zoneChangeSchema, map.Zone>>(),
  removeZone: del('/api/map/zones/{id}/')(),
  placeDevice: put('/api/map/places/{DeviceID}/')<Body<typeof map.cellSchema, map.PlacedResult>>(),
  unplaceDevice: del('/api/map/places/{DeviceID}/')(),
  arrangeDevices: post('/api/map/arrange/')<{ answer: map.ArrangedMap }>(),
  // History
  listHistory: get('/api/history/')<{ query: Kinds<history.HistoryQuery>; answer: history.HistoryEntry[] }>(),
  summarizeHistory: get('/api/history/summary/')<{
    query: Kinds<history.HistoryFilterQuery>;
    answer: historySummary.HistorySummary;
  }>(),
  exportHistory: get('/api/history/export/')<{
    query: Kinds<history.HistoryFilterQuery> & { format?: 'csv' | 'xlsx' };
    answer: Download;
  }>(),
  getTimeline: get('/api/history/commands/{command_id}/')<{ answer: history.Timeline }>(),
  listPickerFigures: get('/api/history/people/')<{
    query: historySummary.PeopleQuery;
    answer: historySummary.PickerFigures[];
  }>(),
  getHistoryReport: get('/api/history/report/')<{
    query: historyReport.ReportQuery;
    answer: historyReport.HistoryReport;
  }>(),
  exportHistoryReport: get('/api/history/report/export/')<{
    query: z.input<typeof historyReport.reportFileQuerySchema>;
    answer: Download;
  }>(),
  getOrderTimeline: get('/api/history/orders/{order_number}/')<{ answer: history.OrderTimeline }>(),
  getDeliveryTimeline: get('/api/history/deliveries/{id}/')<{ answer: history.DeliveryTimeline }>(),
  // First start
  finishSetup: post('/api/setup/')<{ body: z.input<typeof setup.setupSchema> }>(),
  makeDemoShop: post('/api/setup/demo/')<{ answer: map.StationMap }>(),
  getFirstDay: get('/api/setup/steps/')<{ answer: setup.FirstDay }>(),
  changeFirstDay: patch('/api/setup/steps/')<Body<typeof setup.firstDayChangeSchema, setup.FirstDay>>(),
  getDemoShop: get('/api/setup/demo/')<{ answer: setup.DemoShop }>(),
  removeDemoShop: del('/api/setup/demo/')<{ answer: setup.DemoShop }>(),
  // Sign-in
  signIn: post('/api/user/login/')<
    Body<typeof access.loginSchema, z.output<typeof access.loginResultSchema>> & OfThePage
  >(),
  signInWithPin: post('/api/user/pin/')<
    Body<typeof kiosk.pinSignInSchema, z.output<typeof access.loginResultSchema>> & OfThePage
  >(),
  signOut: post('/api/user/logout/')(),
  changePassword: post('/api/user/password/')<{ body: z.input<typeof setup.passwordChangeSchema> }>(),
  // Users
  listUsers: get('/api/users/')<{ answer: access.User[] }>(),
  addUser: post('/api/users/')<Body<typeof access.newUserSchema, access.User>>(),
  changeUser: patch('/api/users/{username}/')<Body<typeof access.userChangeSchema, access.User>>(),
  removeUser: del('/api/users/{username}/')(),
  // Kiosks
  getKioskScreen: get('/api/kiosk/')<{ answer: kiosk.KioskScreen }>(),
  listKiosks: get('/api/kiosks/')<{ answer: kiosk.Kiosk[] }>(),
  addKiosk: post('/api/kiosks/')<Body<typeof kiosk.newKioskSchema, kiosk.Kiosk>>(),
  removeKiosk: del('/api/kiosks/{id}/')(),
  // Screens for a wall
  listScreens: get('/api/screens/')<{ answer: wallBoard.WallScreen[] }>(),
  addScreen: post('/api/screens/')<Body<typeof wallBoard.newWallScreenSchema, wallBoard.WallScreenLink>>(),
  openScreen: post('/api/screens/session/')<Body<typeof wallBoard.wallScreenSecretSchema, wallBoard.WallSession>>(),
  removeScreen: del('/api/screens/{id}/')(),
  getWallBoard: get('/api/wall-board/')<{ answer: wallBoard.WallBoard }>(),
  // API users
  listApiUsers: get('/api/api-users/')<{ answer: access.ApiUser[] }>(),
  addApiUser: post('/api/api-users/')<Body<typeof access.newApiUserSchema, access.ApiUserSecrets>>(),
  rotateApiUser: post('/api/api-users/{id}/rotate/')<{
    body?: z.input<typeof access.rotationSchema>;
    answer: access.ApiUserSecrets;
  }>(),
  removeApiUser: del('/api/api-users/{id}/')(),
  // OAuth2
  issueToken: post('/api/oauth/token/')<Body<typeof access.tokenRequestSchema, z.output<typeof access.tokenSchema>>>(),
  // Activity
  listAudit: get('/api/audit/')<{ query: access.AuditQuery; answer: access.AuditEntry[] }>(),
  // Request log
  listRequests: get('/api/requests/')<{ query: requestLog.RequestLogQuery; answer: requestLog.LoggedRequest[] }>(),
  getRequest: get('/api/requests/{id}/')<{ answer: requestLog.LoggedExchange }>(),
  // Settings
  getSettings: get('/api/settings/')<{ answer: settings.SettingsAnswer }>(),
  changeSettings: patch('/api/settings/')<Body<typeof settings.settingsChangeSchema, settings.SettingsAnswer>>(),
  // Folders
  getFolders: get('/api/folders/')<{ answer: folders.FoldersStatus }>(),

  // E-mails
  getMail: get('/api/mail/')<{ answer: mail.MailStatus }>(),
  testMail: post('/api/mail/test/')<{ answer: mail.TestMail }>(),
  getMqtt: get('/api/mqtt/')<{ answer: mqtt.MqttStatus }>(),
  testMqtt: post('/api/mqtt/test/')<{ answer: mqtt.TestMqtt }>(),
  getFleet: get('/api/fleet/')<{ answer: fleet.FleetAnswer }>(),
  sendFleetOrder: post('/api/fleet/{station}/orders/')<
    Body<typeof order.newOrderSchema, fleet.FleetOrder> & { query: z.input<typeof fleet.fleetOrderQuerySchema> }
  >(),
  findInFleet: get('/api/fleet/find/')<{ query: z.input<typeof fleet.fleetQuerySchema>; answer: fleet.FleetFound[] }>(),
  // Callbacks
  listCallbackReceivers: get('/api/callback-receivers/')<{ answer: callbackReceiver.CallbackReceiverEntry[] }>(),
  addCallbackReceiver:
    post('/api/callback-receivers/')<
      Body<typeof callbackReceiver.newCallbackReceiverSchema, callbackReceiver.CallbackReceiverEntry>
    >(),
  getCallbackReceiver: get('/api/callback-receivers/{id}/')<{ answer: callbackReceiver.CallbackReceiverEntry }>(),
  changeCallbackReceiver: patch('/api/callback-receivers/{id}/')<{
    body: callbackReceiver.CallbackReceiverChange;
    answer: callbackReceiver.CallbackReceiverEntry;
  }>(),
  removeCallbackReceiver: del('/api/callback-receivers/{id}/')(),
  listCallbacks: get('/api/callbacks/')<{ query: callback.DeliveryQuery; answer: callback.Delivery[] }>(),
  countCallbacks: get('/api/callbacks/counts/')<{ answer: callback.DeliveryCounts }>(),
  listReceivedCallbacks: get('/api/callbacks/received/')<{ answer: callback.ReceivedCallback[] }>(),
  forgetReceivedCallbacks: del('/api/callbacks/received/')(),
  replayDeadCallbacks:
    post('/api/callbacks/replay/')<Body<typeof callback.replaySchema, z.output<typeof callback.replayResultSchema>>>(),
  sendWaitingCallbacks: post('/api/callbacks/send/')<{ answer: z.output<typeof callback.sentNowSchema> }>(),
  testCallback: post('/api/callbacks/test/')<Body<typeof callback.callbackTestSchema, callback.TestDelivery>>(),
  replayCallback: post('/api/callbacks/{id}/replay/')<{ answer: callback.Delivery }>(),
  getCallback: get('/api/callbacks/{id}/')<{ answer: callback.DeliveryExchange }>(),
  // Backups
  makeBackup: post('/api/backups/')<{ answer: backup.Backup }>(),
  listBackups: get('/api/backups/')<{ answer: backup.Backup[] }>(),
  getBackupStatus: get('/api/backups/status/')<{ answer: backup.BackupStatus }>(),
  cancelBackup: post('/api/backups/cancel/')(),
  uploadBackup: post('/api/backups/upload/')<{ body: Blob; answer: backup.Backup }>(),
  downloadBackup: get('/api/backups/{name}/')<{ answer: Download }>(),
  getBackupContents: get('/api/backups/{name}/contents/')<{ answer: backup.BackupContents }>(),
  restoreBackup: post('/api/backups/{name}/restore/')<{ answer: z.output<typeof backup.restoreOrderedSchema> }>(),
  removeBackup: del('/api/backups/{name}/')(),
  setBackupPassphrase: put('/api/secrets/passphrase/')<{
    body: z.input<typeof secrets.backupPassphraseSchema>;
  }>(),
  getUpdates: get('/api/updates/')<{ answer: updates.UpdateStatus }>(),
  checkForUpdate: post('/api/updates/check/')<{ answer: updates.UpdateStatus }>(),
  installUpdate: post('/api/updates/install/')<Body<typeof updates.installUpdateSchema, updates.UpdateStatus>>(),
  openSecrets: post('/api/secrets/open/')<Body<typeof secrets.openSecretsSchema, secrets.OpenedSecrets>>(),
  // Diagnostics
  reportPageError: post('/api/page-errors/')<{ body: z.input<typeof diagnostics.pageErrorSchema> }>(),
  getDiagnostics: get('/api/diagnostics/')<{ query: diagnostics.DiagnosticsQuery; answer: diagnostics.Diagnostics }>(),
  // Simulated devices
  addSimulatedDevices: post('/api/simulator/devices/')<{
    body?: z.input<typeof simulator.simulatedDevicesRequestSchema>;
    answer: simulator.SimulatedDeviceEntry[];
  }>(),
  pressSimulatedDevice: post('/api/simulator/devices/{DeviceID}/press/')<
    Body<typeof simulator.simulatedPressSchema, { deviceid: string }>
  >(),
  getSimulatedDevice: get('/api/simulator/devices/{DeviceID}/')<{ answer: simulator.SimulatedDeviceEntry }>(),
  changeSimulatedDevice: patch('/api/simulator/devices/{DeviceID}/')<
    Body<typeof simulator.simulatedDeviceChangeSchema, simulator.SimulatedDeviceEntry>
  >(),
  changeSimulatedTurbo: patch('/api/simulator/turbos/{SerialNo}/')<
    Body<typeof simulator.simulatedTurboChangeSchema, { serial_number: string }>
  >(),
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

export type RouteName = keyof typeof ROUTES;

type TypesOf<Name extends RouteName> = NonNullable<(typeof ROUTES)[Name]['types']>;

/** What a call answers. */
export type AnswerOf<Name extends RouteName> = TypesOf<Name> extends { answer: infer Answer } ? Answer : void;

/** What a call takes: parameters of its path, query and body, as far as the route has them. */
export type InputOf<Name extends RouteName> = PathInput<(typeof ROUTES)[Name]['path']> &
  Omit<TypesOf<Name>, 'answer' | 'query'> &
  QueryInput<TypesOf<Name>>;

type PathInput<Path extends string> =
  ParameterOf<Path> extends never ? object : { path: Record<ParameterOf<Path>, string | number> };

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

type QueryInput<T> = T extends { query: infer Query } ? { query?: Partial<Query> } : object;
