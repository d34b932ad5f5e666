// Moves in from another server of the same API: devices, labels, statics and location aliases.
//
//   OLD_URL=https://old.example OLD_API_KEY=old-key API_KEY=my-key node movein.mjs [--dry-run]
//
// --dry-run prints what would be written, and writes nothing. To continue after an interruption, run the program again: it
// skips what is done. It removes nothing at the station and writes nothing to the other server. It registers devices that the
// station does not know, which needs an admin's key. Optional: STATION_URL.
const { OLD_URL, OLD_API_KEY, API_KEY, STATION_URL = 'http://127.0.0.1:4680/' } = process.env;
const OLD = { url: OLD_URL, key: OLD_API_KEY };
const NEW = { url: STATION_URL, key: API_KEY };
const isDryRun = process.argv.includes('--dry-run');
const AT_ONCE = 500;
// The fields to copy. The condition of a device and its open commands are not copied.
const FIELDS =
  'locationoverride statica staticb staticc staticd statice arrow barcode qrcode quantity icon unsolicitedNonce brightness'.split(
    ' ',
  );

const BEFORE_ORDERS =
  'Before you launch orders: give every place its label or alias, send whole quantities, and let programs sign in again on 401 (docs/moving-in.md).';

class Refused extends Error {}

const counts = {};

function count(what, detail = '') {
  counts[what] = (counts[what] ?? 0) + 1;
  const stream = what === 'failed' ? process.stderr : process.stdout;
  if (detail !== '') stream.write(`${what}: ${detail}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function call({ url, key }, method, path, body) {
  const headers = { 'API-KEY': key, 'content-type': 'application/json' };
  const init = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(new URL(path, url), init).catch((error) =>
    fail(`${url} cannot be reached: ${error.cause?.message ?? error.message}`),
  );
  const received = await answer.text();
  let value;
  try {
    value = JSON.parse(received);
  } catch {
    fail(`${url} answered ${answer.status} and no JSON: ${received.slice(0, 200)}`);
  }
  if (answer.ok) return value;
  throw new Refused(`${url} answered ${answer.status}: ${value?.detail ?? received}`);
}

/** Runs `work`. Counts a refusal, for which the result is undefined. */
async function counted(name, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    count('failed', `${name}: ${error.message}`);
    return undefined;
  }
}

/** The fields above of an answer, with one form of empty values. */
function kept(device) {
  return FIELDS.filter((field) => device[field] !== undefined).map((field) => [field, device[field] ?? '']);
}

async function readDevice(deviceid, { isHere, mayRegister }) {
  const old = await call(OLD, 'GET', `/api/device/${deviceid}/`);
  if (isHere) return { old, before: Object.fromEntries(kept(await call(NEW, 'GET', `/api/device/${deviceid}/`))) };
  if (!isDryRun) await call(NEW, 'POST', '/api/device/', { deviceid, buttons: old.buttons === 3 ? 3 : 1 });
  else if (!mayRegister) throw new Refused('API_KEY may not register devices here. Use a key of scope admin.');
  count('device registered', deviceid);
  return { old, before: {} };
}

async function moveDevices() {
  const { user, devices } = await call(NEW, 'GET', '/api/station/');
  const here = new Set(devices.map(({ deviceid }) => deviceid));
  const mayRegister = user.rights.includes('manage_devices');
  const changes = [];
  for (const deviceid of (await call(OLD, 'GET', '/api/device/')).map((id) => id.toUpperCase())) {
    const read = await counted(deviceid, () => readDevice(deviceid, { isHere: here.has(deviceid), mayRegister }));
    if (read === undefined) continue;
    const change = kept(read.old).filter(([field, value]) => String(read.before[field] ?? '') !== String(value));
    if (change.length === 0) count('device unchanged');
    else changes.push({ deviceid, ...Object.fromEntries(change) });
  }
  for (let start = 0; start < changes.length; start += AT_ONCE) {
    const part = changes.slice(start, start + AT_ONCE);
    const results = isDryRun ? part.map(() => ({ status: 200 })) : await call(NEW, 'POST', '/api/devices/', part);
    for (const [index, change] of part.entries()) {
      const { status, detail, warnings = [] } = results[index];
      if (status === 200) count('device written', JSON.stringify(change));
      else count('failed', `${change.deviceid}: ${detail}`);
      for (const warning of warnings) process.stderr.write(`Warning for ${change.deviceid}: ${warning}\n`);
    }
  }
}

const comparable = (text) => String(text).trim().replace(/\s+/g, ' ').toUpperCase();

async function moveAliases() {
  const here = new Map();
  for (const alias of await call(NEW, 'GET', '/api/location-aliases/')) here.set(comparable(alias.name), alias);
  for (const { name, deviceid, deviceIs } of await call(OLD, 'GET', '/api/location-aliases/')) {
    const wanted = { name: name.trim(), deviceid: deviceid.toUpperCase(), deviceIs };
    const there = here.get(comparable(name));
    if (there && Object.entries(wanted).every(([field, value]) => comparable(there[field]) === comparable(value))) {
      count('alias unchanged');
      continue;
    }
    const path = there ? `/api/location-aliases/${there.id}/` : '/api/location-aliases/';
    await counted(wanted.name, async () => {
      if (!isDryRun) await call(NEW, there ? 'PUT' : 'POST', path, wanted);
      count('alias written', JSON.stringify(wanted));
    });
  }
}

for (const name of ['OLD_URL', 'OLD_API_KEY', 'API_KEY']) {
  if (!process.env[name]) fail(`Set ${name}. Usage: node movein.mjs [--dry-run]`);
}
try {
  // Devices first: an alias needs its device.
  await moveDevices();
  await moveAliases();
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  fail(error.message);
}
const named = (what, number) =>
  number === 1 ? what : what.replace('device ', 'devices ').replace('alias ', 'aliases ');
const summary = Object.entries(counts).map(([what, number]) => `${number} ${named(what, number)}`);
process.stdout.write(`${isDryRun ? 'Dry run, nothing was written. It would be: ' : ''}${summary.join(', ')}\n`);
if (isDryRun) process.stdout.write(`${BEFORE_ORDERS}\n`);
if (counts.failed) process.exitCode = 1;
