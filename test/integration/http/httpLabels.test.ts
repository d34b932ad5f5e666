import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
});

afterEach(() => station.stop());

const label = (deviceid: string, locationoverride: unknown) =>
  station.post(`/api/device/${deviceid}/`, { locationoverride });
const sendTo = (location: unknown, more: object = {}) =>
  station.post('/api/devices/', { location, line1: 'x', ...more });

test('a label finds its device in any case and Unicode form, even beyond ASCII', async () => {
  await label(ONE, 'Größe É-1');
  for (const location of ['Größe É-1', 'GRÖßE é-1', 'größe é-1'.normalize('NFD')]) {
    expect(await sendTo(location)).toMatchObject({ deviceid: ONE, warnings: [] });
  }
});

test('a label must match in full', async () => {
  await label(ONE, 'A-10');
  for (const location of ['A-1', 'A', '-10', '%', 'A_10']) {
    expect(await station.request('POST', '/api/devices/', { location, line1: 'x' })).toMatchObject({ status: 404 });
  }
});

test('a numeric label can be given as a number', async () => {
  await label(ONE, 12);
  expect(await sendTo(12)).toMatchObject({ deviceid: ONE });
  expect(await sendTo('12')).toMatchObject({ deviceid: ONE });
});

test('a DeviceID can be used as the location, and no other device can have it as its label', async () => {
  expect(await sendTo(TWO.toLowerCase())).toMatchObject({ deviceid: TWO });
  expect(await station.request('POST', `/api/device/${ONE}/`, { locationoverride: TWO })).toMatchObject({
    status: 409,
  });
  expect(await sendTo(TWO)).toMatchObject({ deviceid: TWO });
  expect(await station.post('/api/devices/', { deviceid: TWO, line1: 'x' })).toMatchObject({ deviceid: TWO });
});

test('deviceid takes precedence over location', async () => {
  await label(ONE, 'A-1');
  expect(await sendTo('A-1', { deviceid: TWO })).toMatchObject({ deviceid: TWO });
});

test('a label shared by two devices selects the one that had it first, with a warning', async () => {
  await label(TWO, 'A-1');
  await label(ONE, 'a-1');
  const answer = await sendTo('A-1');
  expect(answer).toMatchObject({ deviceid: TWO });
  expect(answer['warnings']).toEqual([expect.stringMatching(/2 devices.*A-1.*51D000:000002/)]);
  await label(TWO, '');
  expect(await sendTo('A-1')).toMatchObject({ deviceid: ONE, warnings: [] });
});

test('a cleared label is no longer found', async () => {
  await label(ONE, 'A-1');
  await label(ONE, '');
  expect(await station.request('POST', '/api/devices/', { location: 'A-1', line1: 'x' })).toMatchObject({
    status: 404,
  });
  expect(await station.request('POST', '/api/devices/', { location: '', line1: 'x' })).toMatchObject({ status: 400 });
});

test('a kill by label removes all commands from the device, even those sent to its DeviceID', async () => {
  await label(ONE, 'A-1');
  await sendTo('A-1', { nonce: 'by-label' });
  await station.post(`/api/device/${ONE}/`, { line1: 'x', nonce: 'by-id' });
  expect(await station.post('/api/devices/', { location: 'a-1', command: 'kill' })).toMatchObject({ killed: 2 });
});

test('the same nonce by label and by DeviceID is one command', async () => {
  await label(ONE, 'A-1');
  await sendTo('A-1', { nonce: 'n' });
  await station.post(`/api/device/${ONE}/`, { line1: 'by id', nonce: 'n' });
  expect((await station.device(ONE)).commands.map(({ line1 }) => line1)).toEqual(['by id']);
  await sendTo(ONE, { nonce: 'n' });
  await sendTo('a-1', { nonce: 'n', line1: 'by label' });
  expect((await station.device(ONE)).commands.map(({ line1 }) => line1)).toEqual(['by label']);
  await sendTo('a-1');
  await station.post(`/api/device/${ONE}/`, { line1: 'x' });
  expect((await station.device(ONE)).commands.map(({ line1 }) => line1)).toEqual(['by label', 'x']);
});

test('statics can be sent to a label', async () => {
  await label(ONE, 'A-1');
  expect(await station.post('/api/devices/', { location: 'A-1', statica: 'on hand' })).toEqual({
    deviceid: ONE,
    updated: ['statica'],
    warnings: [],
  });
  expect(await station.device(ONE)).toMatchObject({ statica: 'on hand', location: 'A-1', locationoverride: 'A-1' });
});

test('a second device can have the same label, with a warning that names the first', async () => {
  await label(ONE, 'A-1');
  expect(await label(TWO, 'a-1')).toMatchObject({
    warnings: [expect.stringContaining(`${ONE} has the label "a-1" too`)],
  });
  // Setting the label that the device already has causes no warning.
  expect(await label(TWO, 'a-1')).toMatchObject({ warnings: [] });
});
