import { ADMIN_PASSWORD } from '../../helpers/startTestStation.ts';
import { HOSTS, ORIGINS } from './hostile.ts';
import type { Pools } from './values.ts';

const DEVICES = ['51D000:000001', '51d000:000002', '51D000:000003', '51D0FF:00000A'];
const PASSWORDS = [ADMIN_PASSWORD, ADMIN_PASSWORD, 'another password'];

/** Values known to a station with three simulated devices and one rack, together with some unknown values. */
export const POOLS: Pools = {
  DeviceID: DEVICES,
  deviceid: DEVICES,
  SerialNo: ['SIM-1', 'SIM-2'],
  device: DEVICES,
  seqID: ['round-1', 'round 2', 'a/b', 'nobody'],
  sequenceid: ['round-1', 'round 2', 'a/b'],
  restart: ['0', '1'],
  order: [0, 1, 1, 2],
  steps: [
    [{ order: 1, device: '51D000:000001', line1: 'a' }],
    [
      { order: 1, device: '51D000:000001', quantity: 2, seconds: 5 },
      { order: 1, location: '51d000:000002', command: 'pick', color: 'g' },
      { order: 7, location: 'A-1', stepnonce: 'n' },
    ],
  ],
  location: ['A-1-1', 'a-2', '51D000:000001', 'nowhere'],
  locationoverride: ['A-1-1', 'A-1-2', ''],
  name: ['A-1', 'A-2', 'a-3', 'A-4', 'beep', 'ERP'],
  id: ['1', '2', 'rack-a', 'shelf-a', 'zone-a', 1, 2],
  shelf: ['shelf-a', 'shelf-b'],
  slot: ['A1', 'A1', 'A2', 'b9'],
  command_id: ['1', '2', '9999'],
  command: ['flash', 'pick', 'kill', 'static', 'location', 'blink'],
  color: ['r', 'rg', '#00ff00', 'no color'],
  arrow: ['left', 'up', 'bottomright', ''],
  sound: ['beep', '140,c5,2', 'none', 'no tune'],
  tune: ['beep', '140,c5,2', 'none', 'no tune'],
  seconds_color: ['20rb', '5', 'g', 'no color'],
  icon: ['hazardd', 'no-smoking', 'nothing'],
  deviceIs: ['Below', 'Above', 'to the Left of', 'below and to the right of', 'inside'],
  username: ['admin', 'Paula', 'nobody'],
  column: [0, 1, 1, 7],
  role: ['admin', 'picker'],
  scope: ['read', 'control', 'admin'],
  after: ['1', '20', '0'],
  kind: ['acknowledged', 'killed,timedOut', 'call', 'pressed'],
  from: ['2026-11-19T00:00:00Z', '2026-11-20T08:00:00+01:00', 'programs', 'yesterday', 'A-1-1', 'a-2'],
  to: ['2036-11-20T08:00:00Z', '2026-11-21T00:00:00+05:30', 'today', 'Z-1', 'Z-2'],
  quantity: [1, 5, 12],
  order_number: ['SO-1001', 'SO-1002', 'SO/3', 'SO 4'],
  ordered_quantity: [0, 1, 2, 5],
  quantity_fulfilled: [0, 1, 2],
  picker: ['admin', 'admin', 'Paula', 'nobody'],
  reason: ['missing', 'damaged', 'no such reason'],
  warehouse_location: ['A-1-1', 'a-2', 'nowhere'],
  SKU: ['CT-200', '51D000:000002'],
  sku: ['CT-200', 'CT-700', 'K-10'],
  csv: [
    'deviceid,label\n51D000:000002,C-1-3',
    'name;device;where\nC-1-1;51D000:000001;Above',
    'order,sku,qty\nSO-1001,CT-200,2\nSO-9,CT-300,0',
  ],
};

/** An address where nothing listens. */
export const NOBODY = 'http://127.0.0.1:1/';

/** The origins of hostile requests, as alerts name them. */
export const UNWANTED = [...HOSTS.map((host) => `http://${host}/`), ...ORIGINS];

export const ONLY: Pools = {
  // Another test covers a hundred thousand devices.
  count: [1, 2],
  callback_url: ['', NOBODY],
  mqtt_url: ['', 'mqtt://127.0.0.1:1'],
  callback_verify: [true],
  public_urls: [[]],
  unwanted_callers: [UNWANTED],
  // With TLS, none of these callers could connect to the station after the next start.
  tls: ['off'],
  trusted_proxies: [[], ['192.0.2.1']],
  cors_origins: [[], ['https://shop.example']],
  password: PASSWORDS,
  old_password: PASSWORDS,
  new_password: PASSWORDS,
};

/** Preferred callers of operations that need a session in addition to a scope. */
export const PREFERS: Readonly<Record<string, string>> = { changePassword: 'session', signOut: 'session' };

/** Operations that are slow, for example because they hash a password or create a document, and some that never end. */
const SELDOM = new Set([
  'makeBackup',
  'countCallbacks',
  'getFolders',
  'getMqtt',
  'listReceivedCallbacks',
  'forgetReceivedCallbacks',
  'signIn',
  'addUser',
  'changeUser',
  'changePassword',
  'makeDemoShop',
  'signOut',
]);
/**
 * Slow operations that every seed needs: without a backup, other operations have nothing to inspect, send or delete, and most sign-ins use
 * a wrong name or password.
 */
const DUE_ANYWAY = new Set(['makeBackup', 'signIn']);
// Most adjustments are refused, because few commands have a quantity and are still open. Valid orders, items and secrets
// are also rare.
const OFTEN = new Set([
  'sendToDevice',
  'sendToDevices',
  'sendByAddressNonce',
  'adjustCommand',
  'acknowledgeCommand',
  'addOrder',
  'launchOrder',
  'correctItem',
  'closeItemShort',
  'reopenItem',
  'confirmItem',
  'dismissItem',
  'recordReturned',
  'renamePlaces',
  'verifyItem',
  'importOrders',
  'importLocationAliases',
  'createImport',
  'pauseOrder',
  'issueToken',
  'addToBatch',
  'finishTask',
  'freeSlot',
  'putIntoSlot',
  'sayWhatIsLeft',
]);
// A restore replaces everything, and an upload is a file rather than JSON.
export const NEVER = new Set([
  'streamEvents',
  'finishSetup',
  'restoreBackup',
  'uploadBackup',
  'setArticlePicture',
  'setLogo',
]);
/**
 * Operations that are sent but mostly refused, because they need a turbo that has been offline for a minute, a mail server, a broker, an
 * empty map, a release to install, a kiosk with the right PIN, the secret of a screen, a station without its key, a picture, a batch slot
 * in the right state, or a state and a time together.
 */
export const RARELY_TAKEN = new Set([
  'endAlert',
  'testMail',
  'testMqtt',
  'findInFleet',
  'sendFleetOrder',
  'makeDemoShop',
  'checkForUpdate',
  'installUpdate',
  'signInWithPin',
  'openSecrets',
  'removeEndedOrders',
  'getArticlePicture',
  'getLogo',
  'openScreen',
  'addToBatch',
  'freeSlot',
  'removeArticlePicture',
  'removeLogo',
  'removeFromBatch',
  'removeOrderFromBatch',
  'leaveBatch',
  'moveSlot',
  'undoPut',
  'reassignShares',
  'settleHand',
  'closeBatchItemsShort',
  'undoFreeSlot',
]);

/** Returns whether this seed's station must get the operation at least once. Slow operations are spread over the seeds. */
export function isDue(operationId: string, seed: number): boolean {
  if (NEVER.has(operationId)) return false;
  if (isDocument(operationId)) return operationId.length % 10 === seed % 10;
  return !SELDOM.has(operationId) || seed % 3 === 0 || DUE_ANYWAY.has(operationId);
}

/** Returns the relative frequency of an operation. */
export function weightOf(operationId: string): number {
  if (NEVER.has(operationId) || isDocument(operationId)) return 0;
  if (SELDOM.has(operationId)) return 5;
  // Deletions are rare, so that objects exist.
  if (/^(?:remove|replaceMap|abortBatch|freeBatch)/.test(operationId)) return 8;
  return OFTEN.has(operationId) ? 60 : 18;
}

function isDocument(operationId: string): boolean {
  return operationId.includes('OpenApi');
}
