import { expect } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Draft } from '#shared/api/importDrafts.ts';
import { devicePath, type Api } from '../../renderer/src/station/api.ts';
import { backupPath, diagnosticsPath } from '../../renderer/src/station/accessApi.ts';

const DEVICE = '51D000:000001';
const GIVEN_UP = new AbortController().signal;
/** Contains characters that must be encoded in a path. */
const ODD = 'A/1 ä?';
const ODD_PATH = 'A%2F1%20%C3%A4%3F';
const RACK = { name: 'A', note: '', columns: 4, shelves: [{ name: 'A-1' }] };
const CART = { name: 'Cart 1', rows: 2, columns: 3 };
const STEPS = [{ order: 1, device: DEVICE }];
const ALIAS = { name: 'P-1', deviceid: DEVICE, deviceIs: 'Below' } as const;

const DRAFT: Draft = {
  id: 7,
  import_id: 5,
  name: 'monday.csv',
  by: 'Ann',
  at: '2026-11-20T08:00:00.000Z',
  expires_time: '2026-12-20T08:00:00.000Z',
  order_number: 'B',
  message: '',
  exists: false,
  fields: ['SKU'],
  rows: [],
};

const ARTICLE: Article = {
  id: 7,
  sku: ODD,
  name: 'Cable tie',
  description: null,
  barcodes: [],
  unit: null,
  note: null,
  picture: null,
  active: true,
  places: [],
  updated: '2026-11-20T08:00:00.000Z',
};

export type PageCall<Name extends keyof Api> = {
  given: Parameters<Api[Name]>;
  /** Body of the answer, by default an empty list. */
  answer?: string;
  /** The read before it, for the entity tag of what it changes. */
  reads?: string;
  /** Method and URL as they reach the transport. */
  sent: string;
  body?: unknown;
};

/** Every call of the page, some in several forms, with what it sends. A missing name does not compile. */
export const CALLS: { [Name in keyof Api]: PageCall<Name> | PageCall<Name>[] } = {
  loadArticles: {
    given: [{ q: 'tie', limit: 200, after: ODD }],
    sent: 'GET /api/articles/?q=tie&limit=200&after=A%2F1+%C3%A4%3F',
  },
  loadArticle: { given: [ODD], sent: `GET /api/articles/${ODD_PATH}/` },
  addArticle: { given: [{ sku: ODD }], sent: 'POST /api/articles/', body: { sku: ODD } },
  changeArticle: {
    given: [ODD, { unit: 'pcs' }, ARTICLE],
    answer: JSON.stringify(ARTICLE),
    reads: `GET /api/articles/${ODD_PATH}/`,
    sent: `PATCH /api/articles/${ODD_PATH}/`,
    body: { unit: 'pcs' },
  },
  removeArticle: [
    { given: [ODD, false], sent: `DELETE /api/articles/${ODD_PATH}/` },
    { given: [ODD, true], sent: `DELETE /api/articles/${ODD_PATH}/?force=1` },
  ],
  loadCarriers: [
    { given: ['cart'], sent: 'GET /api/carts/' },
    { given: ['wall'], sent: 'GET /api/walls/' },
  ],
  loadCarrier: [
    { given: ['cart', 3], sent: 'GET /api/carts/3/' },
    { given: ['wall', 3], sent: 'GET /api/walls/3/' },
  ],
  addCarrier: [
    { given: ['cart', CART], sent: 'POST /api/carts/', body: CART },
    { given: ['wall', CART], sent: 'POST /api/walls/', body: CART },
  ],
  replaceCarrier: [
    { given: ['cart', 3, CART], sent: 'PUT /api/carts/3/', body: CART },
    { given: ['wall', 3, CART], sent: 'PUT /api/walls/3/', body: CART },
  ],
  removeCarrier: [
    { given: ['cart', 3], sent: 'DELETE /api/carts/3/' },
    { given: ['wall', 3], sent: 'DELETE /api/walls/3/' },
  ],
  loadBatches: { given: [], sent: 'GET /api/batches/' },
  loadBatch: { given: [7], sent: 'GET /api/batches/7/' },
  addBatch: {
    given: [{ mode: 'cart', cart: 3, slots: [{ order_number: ODD }] }],
    sent: 'POST /api/batches/',
    body: { mode: 'cart', cart: 3, slots: [{ order_number: ODD }] },
  },
  launchBatch: { given: [7], sent: 'POST /api/batches/7/launch/', body: {} },
  pauseBatch: { given: [7], sent: 'POST /api/batches/7/pause/', body: {} },
  abortBatch: { given: [7], sent: 'POST /api/batches/7/abort/', body: {} },
  freeBatch: { given: [7], sent: 'POST /api/batches/7/free/', body: {} },
  freeSlot: { given: [7, 'A1'], sent: 'POST /api/batches/7/slots/A1/free/', body: {} },
  loadBatchesIn: { given: ['loading'], sent: 'GET /api/batches/?state=loading' },
  undoPut: {
    given: [7, { slot: 'A1', item_id: 3 }],
    sent: 'POST /api/batches/7/put/undo/',
    body: { slot: 'A1', item_id: 3 },
  },
  reassignShares: {
    given: [7, { shares: [{ item_id: 3, quantity: 1 }], reason: 'missing' }],
    sent: 'POST /api/batches/7/shares/',
    body: { shares: [{ item_id: 3, quantity: 1 }], reason: 'missing' },
  },
  loadBatchWork: { given: [7], sent: 'GET /api/work/?batch=7' },
  addToBatch: { given: [7, { order_number: ODD }], sent: 'POST /api/batches/7/slots/', body: { order_number: ODD } },
  removeFromBatch: { given: [7, 'A1'], sent: 'DELETE /api/batches/7/slots/A1/' },
  moveSlot: { given: [7, 'A1', 'B2'], sent: 'POST /api/batches/7/slots/A1/move/', body: { to: 'B2' } },
  markSlotFull: { given: [7, 'A1'], sent: 'POST /api/batches/7/slots/A1/full/', body: {} },
  settleHand: {
    given: [7, 'Paula', 'put_back'],
    sent: 'POST /api/batches/7/hand/',
    body: { by: 'Paula', do: 'put_back' },
  },
  put: { given: [7, { slot: 'A1' }], sent: 'POST /api/batches/7/put/', body: { slot: 'A1' } },
  setArticlePicture: {
    given: [ODD, new Blob(['x'])],
    answer: '{"picture":null}',
    sent: `PUT /api/articles/${ODD_PATH}/picture/`,
    body: expect.any(Blob),
  },
  removeArticlePicture: { given: [ODD], sent: `DELETE /api/articles/${ODD_PATH}/picture/` },
  sayWhatIsLeft: {
    given: [{ sku: ODD, location: 'A-1', count: 0, movement_id: 3 }],
    sent: 'POST /api/stock/left/',
    body: { sku: ODD, location: 'A-1', count: 0, movement_id: 3 },
  },
  loadTasks: { given: [{ state: 'open' }], sent: 'GET /api/tasks/?state=open' },
  finishTask: { given: [7, { quantity: 2 }], sent: 'POST /api/tasks/7/done/', body: { quantity: 2 } },
  dismissTask: { given: [7], sent: 'POST /api/tasks/7/dismiss/' },
  loadLatestMovements: { given: [{ kind: 'pick' }], sent: 'GET /api/movements/?kind=pick&limit=1000' },
  loadStock: { given: [{ below_minimum: '1' }], sent: 'GET /api/stock/?below_minimum=1' },
  move: {
    given: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }],
    sent: 'POST /api/stock/',
    body: { movements: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }] },
  },
  showStock: { given: [], sent: 'POST /api/stock/show/', body: {} },
  loadMovements: {
    given: [ODD, '2026-11-20T08:00:00.000Z'],
    sent: 'GET /api/movements/?sku=A%2F1+%C3%A4%3F&from=2026-11-20T08%3A00%3A00.000Z&limit=1000',
  },
  loadWork: { given: [ODD, 'Anna'], sent: 'GET /api/work/?order=A%2F1+%C3%A4%3F&picker=Anna' },
  loadNextOrder: { given: [], sent: 'GET /api/work/next/' },
  loadPickers: { given: [], sent: 'GET /api/pickers/' },
  loadHistoryReport: {
    given: ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z', GIVEN_UP],
    sent: 'GET /api/history/report/?from=2026-11-20T08%3A00%3A00.000Z&to=2026-11-20T09%3A00%3A00.000Z',
  },
  loadShortNumbers: { given: [], sent: 'GET /api/scan/short-numbers/' },
  loadShortReasons: { given: [], sent: 'GET /api/short-reasons/' },
  setOwnColor: { given: ['cyan'], sent: 'PATCH /api/user/', body: { color: 'cyan' } },
  setCurrent: { given: [7], sent: 'PUT /api/user/current/', body: { item_id: 7 } },
  scan: { given: [{ code: 'A-1', act: true }], sent: 'POST /api/scan/', body: { code: 'A-1', act: true } },
  joinOrder: { given: [ODD, 'Anna'], sent: `POST /api/orders/${ODD_PATH}/join/`, body: { picker: 'Anna' } },
  leaveOrder: { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/leave/`, body: {} },
  pauseOrder: { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/pause/`, body: {} },
  handOverOrder: { given: [ODD, 'Ben'], sent: `POST /api/orders/${ODD_PATH}/handover/`, body: { picker: 'Ben' } },
  closeShort: {
    given: [ODD, 7, { reason: 'missing', key: 'k' }],
    sent: `POST /api/orders/${ODD_PATH}/items/7/short/`,
    body: { reason: 'missing', key: 'k' },
  },
  verifyItem: {
    given: [ODD, 7, { key: 'k' }],
    sent: `POST /api/orders/${ODD_PATH}/items/7/verify/`,
    body: { key: 'k' },
  },
  confirmItem: {
    given: [ODD, 7, { quantity: 1, key: 'k' }],
    sent: `POST /api/orders/${ODD_PATH}/items/7/confirm/`,
    body: { quantity: 1, key: 'k' },
  },
  lightItem: { given: [ODD, 7], sent: `POST /api/orders/${ODD_PATH}/items/7/light/` },
  reopen: {
    given: [ODD, 7, { quantity_fulfilled: 1 }],
    sent: `POST /api/orders/${ODD_PATH}/items/7/reopen/`,
    body: { quantity_fulfilled: 1 },
  },
  loadUsers: { given: [], sent: 'GET /api/users/' },
  addUser: {
    given: [{ username: 'Ann', password: 'long enough', role: 'picker' }],
    sent: 'POST /api/users/',
    body: { username: 'Ann', password: 'long enough', role: 'picker' },
  },
  changeUser: { given: [ODD, { role: 'admin' }], sent: `PATCH /api/users/${ODD_PATH}/`, body: { role: 'admin' } },
  removeUser: { given: [ODD], sent: `DELETE /api/users/${ODD_PATH}/` },
  loadKiosks: { given: [], sent: 'GET /api/kiosks/' },
  addKiosk: { given: ['Bench 1'], sent: 'POST /api/kiosks/', body: { name: 'Bench 1' } },
  removeKiosk: { given: ['7'], sent: 'DELETE /api/kiosks/7/' },
  loadScreens: { given: [], sent: 'GET /api/screens/' },
  addScreen: { given: ['Packing bench'], sent: 'POST /api/screens/', body: { name: 'Packing bench' } },
  removeScreen: { given: ['7'], sent: 'DELETE /api/screens/7/' },
  loadKioskScreen: { given: [], sent: 'GET /api/kiosk/' },
  signInWithPin: {
    given: ['Paula', '4711'],
    sent: 'POST /api/user/pin/?page=1',
    body: { username: 'Paula', pin: '4711' },
  },
  setOwnPin: {
    given: [null, 'long enough'],
    sent: 'PATCH /api/user/',
    body: { pin: null, password: 'long enough' },
  },
  loadApiUsers: { given: [], sent: 'GET /api/api-users/' },
  addApiUser: {
    given: [{ name: 'ERP', scope: 'control' }],
    sent: 'POST /api/api-users/',
    body: { name: 'ERP', scope: 'control' },
  },
  rotateApiUser: { given: ['7', 60], sent: 'POST /api/api-users/7/rotate/', body: { grace_seconds: 60 } },
  removeApiUser: { given: ['7'], sent: 'DELETE /api/api-users/7/' },
  loadAudit: { given: [{ limit: 50, after: '7' }], sent: 'GET /api/audit/?limit=50&after=7' },
  loadRequests: {
    given: [{ limit: 50, after: '7', status: '4xx', by: ODD, path: ODD, from: 'programs' }],
    sent: 'GET /api/requests/?status=4xx&by=A%2F1+%C3%A4%3F&path=A%2F1+%C3%A4%3F&from=programs&limit=50&after=7',
  },
  loadRequest: { given: ['7'], sent: 'GET /api/requests/7/' },
  loadBackups: { given: [], sent: 'GET /api/backups/' },
  loadBackupStatus: { given: [], sent: 'GET /api/backups/status/' },
  makeBackup: { given: [], sent: 'POST /api/backups/' },
  cancelBackup: { given: [], sent: 'POST /api/backups/cancel/' },
  uploadBackup: {
    given: [new Blob(['x'])],
    sent: 'POST /api/backups/upload/',
    body: expect.any(Blob),
  },
  loadBackupContents: { given: ['b.sqlite'], sent: 'GET /api/backups/b.sqlite/contents/' },
  restoreBackup: { given: ['b.sqlite'], sent: 'POST /api/backups/b.sqlite/restore/' },
  setBackupPassphrase: {
    given: ['four words of your own'],
    sent: 'PUT /api/secrets/passphrase/',
    body: { passphrase: 'four words of your own' },
  },
  loadUpdates: { given: [], sent: 'GET /api/updates/' },
  checkForUpdate: { given: [], sent: 'POST /api/updates/check/' },
  installUpdate: { given: [true], sent: 'POST /api/updates/install/', body: { insist: true } },
  openSecrets: {
    given: ['four words of your own'],
    sent: 'POST /api/secrets/open/',
    body: { passphrase: 'four words of your own' },
  },
  removeBackup: { given: ['b.sqlite'], sent: 'DELETE /api/backups/b.sqlite/' },
  reportPageError: {
    given: [{ message: 'x is undefined', path: '/orders' }],
    sent: 'POST /api/page-errors/',
    body: { message: 'x is undefined', path: '/orders' },
  },
  loadDiagnostics: { given: [], sent: 'GET /api/diagnostics/' },
  loadDeliveries: [
    { given: [{ limit: 50 }], sent: 'GET /api/callbacks/?limit=50' },
    {
      given: [{ state: 'dead', family: 'order', limit: 50, after: 'msg_1' }],
      sent: 'GET /api/callbacks/?state=dead&family=order&limit=50&after=msg_1',
    },
  ],
  loadDelivery: { given: ['msg_1'], sent: 'GET /api/callbacks/msg_1/' },
  countDeliveries: { given: [], sent: 'GET /api/callbacks/counts/' },
  replayDelivery: { given: ['msg_1'], sent: 'POST /api/callbacks/msg_1/replay/' },
  loadMail: { given: [], sent: 'GET /api/mail/' },
  loadFolders: { given: [], sent: 'GET /api/folders/' },
  testMail: { given: [], sent: 'POST /api/mail/test/' },
  loadMqtt: { given: [], sent: 'GET /api/mqtt/' },
  loadFleet: { given: [], sent: 'GET /api/fleet/' },
  findInFleet: { given: ['SO-1', GIVEN_UP], sent: 'GET /api/fleet/find/?q=SO-1' },
  sendFleetOrder: {
    given: ['berlin', { order_number: 'SO-1', items: [] }, true],
    sent: 'POST /api/fleet/berlin/orders/?launch=1',
    body: { order_number: 'SO-1', items: [] },
  },
  testMqtt: { given: [], sent: 'POST /api/mqtt/test/' },
  sendWaiting: { given: [], sent: 'POST /api/callbacks/send/' },
  replayDead: { given: [], sent: 'POST /api/callbacks/replay/', body: { state: 'dead' } },
  testCallback: { given: ['2'], sent: 'POST /api/callbacks/test/', body: { receiver: '2' } },
  loadCallbackReceivers: { given: [], sent: 'GET /api/callback-receivers/' },
  addCallbackReceiver: {
    given: [{ name: 'Printer', url: 'http://127.0.0.1:1/', paused: false }],
    sent: 'POST /api/callback-receivers/',
    body: { name: 'Printer', url: 'http://127.0.0.1:1/', paused: false },
  },
  changeCallbackReceiver: {
    given: ['2', { paused: true }],
    sent: 'PATCH /api/callback-receivers/2/',
    body: { paused: true },
  },
  removeCallbackReceiver: { given: ['2'], sent: 'DELETE /api/callback-receivers/2/' },
  loadReceived: { given: [], sent: 'GET /api/callbacks/received/' },
  forgetReceived: { given: [], sent: 'DELETE /api/callbacks/received/' },
  loadWaiting: { given: [], sent: 'GET /api/devices/waiting/' },
  loadRefused: { given: [], sent: 'GET /api/devices/refused/' },
  refuseDevice: { given: [DEVICE], sent: 'POST /api/devices/refused/', body: { deviceid: DEVICE } },
  readmitDevice: { given: [DEVICE], sent: `DELETE /api/devices/refused/${DEVICE}/` },
  loadTurbos: { given: [], sent: 'GET /api/turbo/' },
  loadTurboTraffic: { given: [], sent: 'GET /api/turbo/traffic/' },
  loadTurboFrames: [
    { given: ['T-1', undefined], sent: 'GET /api/turbo/T-1/frames/' },
    { given: ['T-1', 0], sent: 'GET /api/turbo/T-1/frames/?after=0' },
    { given: ['T-1', 42], sent: 'GET /api/turbo/T-1/frames/?after=42' },
  ],
  renameTurbo: [
    { given: ['T-1', 'Hall'], sent: 'PATCH /api/turbo/T-1/', body: { name: 'Hall' } },
    { given: ['T-1', ''], sent: 'PATCH /api/turbo/T-1/', body: { name: '' } },
  ],
  forgetTurbo: { given: ['T-1'], sent: 'DELETE /api/turbo/T-1/' },
  switchSimulatedTurbo: {
    given: ['T-1', false],
    sent: 'PATCH /api/simulator/turbos/T-1/',
    body: { connected: false },
  },
  loadSerialPorts: { given: [], sent: 'GET /api/turbo/ports/' },
  findControllers: { given: [], sent: 'GET /api/turbo/links/found/' },
  addTurboLink: {
    given: [{ path: '/dev/ttyUSB0', baud_rate: 115_200, flow_control: true }],
    sent: 'POST /api/turbo/links/',
    body: { path: '/dev/ttyUSB0', baud_rate: 115_200, flow_control: true },
  },
  loadBoards: { given: [], sent: 'GET /api/boards/' },
  installBoard: {
    given: [{ port: '/dev/ttyACM0', profile: 'generic' }],
    sent: 'POST /api/boards/',
    body: { port: '/dev/ttyACM0', profile: 'generic' },
  },
  loadBoardUpdates: { given: [], sent: 'GET /api/boards/updates/' },
  updateBoards: {
    given: [{ turbos: ['board-1'] }],
    sent: 'POST /api/boards/updates/',
    body: { turbos: ['board-1'] },
  },
  loadBoardJobs: { given: [], sent: 'GET /api/boards/jobs/' },
  loadBoardJob: { given: ['7'], sent: 'GET /api/boards/jobs/7/' },
  cancelBoardJob: { given: ['7'], sent: 'DELETE /api/boards/jobs/7/' },
  changeTurboLink: {
    given: ['7', { name: 'Rack 3' }],
    sent: 'PATCH /api/turbo/links/7/',
    body: { name: 'Rack 3' },
  },
  removeTurboLink: { given: ['7'], sent: 'DELETE /api/turbo/links/7/' },
  retryTurboLink: { given: ['7'], sent: 'POST /api/turbo/links/7/retry/' },
  loadTurboNetwork: { given: [], sent: 'GET /api/turbo/network/' },
  find: { given: ['50 % & tie', GIVEN_UP], sent: 'GET /api/find/?q=50+%25+%26+tie' },
  locate: { given: ['CT-200', GIVEN_UP], sent: 'GET /api/locate/?q=CT-200' },
  lightLocated: { given: ['CT-200'], sent: 'POST /api/locate/', body: { q: 'CT-200' } },
  loadOrders: { given: [], sent: 'GET /api/order-progress/?limit=10000' },
  loadOrdersIn: { given: ['open'], sent: 'GET /api/order-progress/?limit=10000&state=open' },
  loadOrder: { given: [ODD], sent: `GET /api/orders/${ODD_PATH}/` },
  addOrder: {
    given: [{ order_number: '7001', items: [] }, GIVEN_UP],
    sent: 'POST /api/orders/',
    body: { order_number: '7001', items: [] },
  },
  previewImport: [
    {
      given: ['locations', { file: new Blob(['a,b']), name: 'a.csv' }, { decimal: ',' }, GIVEN_UP],
      sent: 'POST /api/imports/',
      body: expect.any(FormData),
    },
    {
      given: ['orders', { url: 'https://sheets.example/o', name: 'sheets.example' }, { decimal: ',' }, GIVEN_UP],
      sent: 'POST /api/imports/',
      body: { kind: 'orders', url: 'https://sheets.example/o', decimal: ',', dry_run: true },
    },
  ],
  correctImportRow: {
    given: [7, 3, { SKU: '00123' }],
    sent: 'PATCH /api/imports/7/rows/3/',
    body: { cells: { SKU: '00123' } },
  },
  forgetImportColumns: { given: [4], sent: 'DELETE /api/import-columns/4/' },
  runImport: { given: [7, [3], GIVEN_UP], sent: 'POST /api/imports/7/run/', body: { set_aside: [3] } },
  loadDrafts: { given: [], sent: 'GET /api/import-drafts/?limit=1000' },
  loadDraft: { given: [7], sent: 'GET /api/import-drafts/7/' },
  correctDraft: {
    given: [DRAFT, 3, { SKU: '00123' }],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'PATCH /api/import-drafts/7/',
    body: { rows: [{ line: 3, cells: { SKU: '00123' } }] },
  },
  createFromDraft: {
    given: [DRAFT],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'POST /api/import-drafts/7/create/',
  },
  discardDraft: {
    given: [DRAFT],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'DELETE /api/import-drafts/7/',
  },
  loadImport: { given: [7], sent: 'GET /api/imports/7/?limit=1' },
  undoImport: { given: [7], answer: '{"undone":1,"kept":[]}', sent: 'POST /api/imports/7/undo/' },
  loadLastArticleImport: { given: [], sent: 'GET /api/imports/' },
  loadLastOrderImport: { given: ['Ann'], sent: 'GET /api/imports/' },
  changeOrder: {
    given: [ODD, { priority: 5, note: null }, { priority: 0, due_time: null }],
    answer: '{"priority":0,"due_time":null}',
    reads: `GET /api/orders/${ODD_PATH}/`,
    sent: `PATCH /api/orders/${ODD_PATH}/`,
    body: { priority: 5, note: null },
  },
  removeEndedOrders: {
    given: ['fulfilled', '2026-11-01T00:00:00.000Z'],
    answer: '{"deleted":2}',
    sent: 'DELETE /api/orders/?state=fulfilled&ended_before=2026-11-01T00%3A00%3A00.000Z',
  },
  removeOrder: { given: [ODD], sent: `DELETE /api/orders/${ODD_PATH}/` },
  launchOrder: [
    { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/launch/`, body: {} },
    {
      given: [ODD, { picker: 'Paula', color: 'blue' }],
      sent: `POST /api/orders/${ODD_PATH}/launch/`,
      body: { picker: 'Paula', color: 'blue' },
    },
  ],
  abortOrder: { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/abort/` },
  correctItem: {
    given: [ODD, 7, { quantity_fulfilled: 2, reason: 'short' }],
    sent: `PATCH /api/orders/${ODD_PATH}/items/7/`,
    body: { quantity_fulfilled: 2, reason: 'short' },
  },
  loadSequences: { given: [], sent: 'GET /api/sequence-progress/?limit=10000' },
  loadSequence: { given: [ODD], sent: `GET /api/sequence/${ODD_PATH}/` },
  addSequence: {
    given: [{ sequenceid: 's', steps: STEPS }],
    sent: 'POST /api/sequence/',
    body: { sequenceid: 's', steps: STEPS },
  },
  replaceSequence: { given: [ODD, { steps: STEPS }], sent: `PUT /api/sequence/${ODD_PATH}/`, body: { steps: STEPS } },
  removeSequence: { given: [ODD], sent: `DELETE /api/sequence/${ODD_PATH}/` },
  launchSequence: [
    { given: [ODD, { restart: false }], sent: `GET /api/launchsequence/${ODD_PATH}/` },
    { given: [ODD, { restart: true }], sent: `GET /api/launchsequence/${ODD_PATH}/?restart=1` },
  ],
  signIn: {
    given: ['Ann', 'secret'],
    sent: 'POST /api/user/login/?page=1',
    body: { username: 'Ann', password: 'secret' },
  },
  signOut: { given: [], sent: 'POST /api/user/logout/' },
  loadStation: { given: [], sent: 'GET /api/station/' },
  loadVersion: { given: [], sent: 'GET /healthz' },
  send: {
    given: [DEVICE, { command: 'flash', line1: 'x' }],
    sent: `POST /api/device/${DEVICE}/`,
    body: { command: 'flash', line1: 'x' },
  },
  sendMany: {
    given: [[{ deviceid: DEVICE, line1: 'x' }]],
    sent: 'POST /api/devices/',
    body: [{ deviceid: DEVICE, line1: 'x' }],
  },
  press: {
    given: [DEVICE, 'plus', 'long'],
    sent: `POST /api/simulator/devices/${DEVICE}/press/`,
    body: { button: 'plus', hold: 'long' },
  },
  acknowledge: [
    {
      given: [DEVICE, '7', 2],
      sent: `POST /api/device/${DEVICE}/acknowledge/`,
      body: { command_id: '7', qty: 2 },
    },
    { given: [DEVICE, '7'], sent: `POST /api/device/${DEVICE}/acknowledge/`, body: { command_id: '7' } },
  ],
  takeAway: { given: [DEVICE, '7'], sent: `DELETE /api/device/${DEVICE}/commands/7/` },
  adjust: {
    given: [DEVICE, '7', 3],
    sent: `POST /api/device/${DEVICE}/adjust/`,
    body: { command_id: '7', quantity: 3 },
  },
  fillScreen: { given: [DEVICE], sent: `POST /api/device/${DEVICE}/use-template/` },
  identify: { given: [DEVICE], sent: `POST /api/device/${DEVICE}/identify/` },
  removeDevice: { given: [DEVICE], sent: `DELETE /api/device/${DEVICE}/` },
  loadHistory: {
    given: [{ deviceid: DEVICE, kind: 'call,late', order_number: '7', sequenceid: 's', limit: 50, after: '9' }],
    sent: 'GET /api/history/?deviceid=51D000%3A000001&kind=call%2Clate&order_number=7&sequenceid=s&limit=50&after=9',
  },
  loadHistorySummary: {
    given: [{ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }, GIVEN_UP],
    sent: 'GET /api/history/summary/?from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z',
  },
  loadTimeline: { given: ['7'], sent: 'GET /api/history/commands/7/' },
  loadOrderTimeline: { given: ['A/7'], sent: 'GET /api/history/orders/A%2F7/' },
  loadDeliveryTimeline: { given: ['msg_1'], sent: 'GET /api/history/deliveries/msg_1/' },
  loadEndedAlerts: { given: [{ limit: 50, after: '7' }], sent: 'GET /api/alerts/?state=ended&limit=50&after=7' },
  acknowledgeAlert: { given: ['7'], sent: 'POST /api/alerts/7/acknowledge/' },
  acknowledgeAlerts: { given: [], sent: 'POST /api/alerts/acknowledge/' },
  endAlert: { given: ['7'], sent: 'POST /api/alerts/7/end/' },
  allowRefusedCaller: { given: ['7'], sent: 'POST /api/alerts/7/allow/' },
  neverAllowRefusedCaller: { given: ['7'], sent: 'POST /api/alerts/7/never-allow/' },
  loadSimulatedDevice: { given: [DEVICE], sent: `GET /api/simulator/devices/${DEVICE}/` },
  changeSimulatedDevice: {
    given: [DEVICE, { reachable: false }],
    sent: `PATCH /api/simulator/devices/${DEVICE}/`,
    body: { reachable: false },
  },
  addSimulatedDevices: { given: [3], sent: 'POST /api/simulator/devices/', body: { count: 3 } },
  loadMap: { given: [], sent: 'GET /api/map/' },
  replaceMap: {
    given: [{ racks: [RACK], places: [], zones: [] }],
    sent: 'PUT /api/map/',
    body: { racks: [RACK], places: [], zones: [] },
  },
  addRack: { given: [{ name: 'A' }], sent: 'POST /api/map/racks/', body: { name: 'A' } },
  changeRack: { given: ['r', { name: 'B' }], sent: 'PATCH /api/map/racks/r/', body: { name: 'B' } },
  removeRack: { given: ['r'], sent: 'DELETE /api/map/racks/r/' },
  addZone: { given: [{ name: 'Z', racks: ['r'] }], sent: 'POST /api/map/zones/', body: { name: 'Z', racks: ['r'] } },
  changeZone: { given: ['z', { name: 'Y' }], sent: 'PATCH /api/map/zones/z/', body: { name: 'Y' } },
  removeZone: { given: ['z'], sent: 'DELETE /api/map/zones/z/' },
  placeDevice: {
    given: [DEVICE, { shelf: 's', column: 2 }],
    sent: `PUT /api/map/places/${DEVICE}/`,
    body: { shelf: 's', column: 2 },
  },
  unplaceDevice: { given: [DEVICE], sent: `DELETE /api/map/places/${DEVICE}/` },
  arrangeMap: { given: [], sent: 'POST /api/map/arrange/' },
  registerDevice: {
    given: [{ deviceid: DEVICE, buttons: 3, label: 'A-1' }],
    sent: 'POST /api/device/',
    body: { deviceid: DEVICE, buttons: 3, label: 'A-1' },
  },
  addAlias: { given: [ALIAS], sent: 'POST /api/location-aliases/', body: ALIAS },
  changeAlias: { given: [7, ALIAS], sent: 'PUT /api/location-aliases/7/', body: ALIAS },
  removeAlias: { given: [7], sent: 'DELETE /api/location-aliases/7/' },
  replaceDevice: {
    given: [DEVICE, '51D000:000002'],
    sent: `POST /api/device/${DEVICE}/replace/`,
    body: { deviceid: '51D000:000002' },
  },
  loadSettings: { given: [], sent: 'GET /api/settings/' },
  changeSettings: { given: [{ default_seconds: 30 }], sent: 'PATCH /api/settings/', body: { default_seconds: 30 } },
  changePassword: {
    given: ['old', 'long enough'],
    sent: 'POST /api/user/password/',
    body: { old_password: 'old', new_password: 'long enough' },
  },
  setUp: { given: ['long enough'], sent: 'POST /api/setup/', body: { password: 'long enough' } },
  setUpDemo: { given: [], sent: 'POST /api/setup/demo/' },
  loadDemoShop: { given: [], sent: 'GET /api/setup/demo/' },
  removeDemoShop: { given: [], sent: 'DELETE /api/setup/demo/' },
  loadFirstDay: { given: [], sent: 'GET /api/setup/steps/' },
  dismissFirstDay: { given: [], sent: 'PATCH /api/setup/steps/', body: { dismissed: true } },
};

/** URLs that the page opens or shows. These functions send nothing. */
export const PATHS: Record<string, [made: string, sent: string]> = {
  backupPath: [backupPath('b.sqlite'), 'GET /api/backups/b.sqlite/'],
  diagnosticsPath: [diagnosticsPath(), 'GET /api/diagnostics/?logs=1'],
  devicePath: [devicePath(DEVICE), `POST /api/device/${DEVICE}/`],
};
