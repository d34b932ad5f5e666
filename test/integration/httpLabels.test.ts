import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

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

test('a label finds its device in any case, also beyond ASCII and however its accents are written', async () => {
  await label(ONE, 'Größe É-1');
  for (const location of ['Größe É-1', 'GRÖßE é-1', 'größe é-1'.normalize('NFD')]) {
    expect(await sendTo(location)).toMatchObject({ deviceid: ONE, warnings: [] });
  }
});

test('a label matches as a whole, not in part', async () => {
  await label(ONE, 'A-10');
  for (const location of ['A-1', 'A', '-10', '%', 'A_10']) {
    expect(await station.request('POST', '/api/devices/', { location, line1: 'x' })).toMatchObject({ status: 404 });
  }
});

test('a label that is a number may be sent as one', async () => {
  await label(ONE, 12);
  expect(await sendTo(12)).toMatchObject({ deviceid: ONE });
  expect(await sendTo('12')).toMatchObject({ deviceid: ONE });
});

test('a DeviceID is a location too, after the labels', async () => {
  expect(await sendTo(TWO.toLowerCase())).toMatchObject({ deviceid: TWO });
  await label(ONE, TWO);
  expect(await sendTo(TWO)).toMatchObject({ deviceid: ONE });
  expect(await station.post('/api/devices/', { deviceid: TWO, line1: 'x' })).toMatchObject({ deviceid: TWO });
});

test('deviceid wins where both are given', async () => {
  await label(ONE, 'A-1');
  expect(await sendTo('A-1', { deviceid: TWO })).toMatchObject({ deviceid: TWO });
});

test('the same label on two devices means the first, with a warning', async () => {
  await label(TWO, 'A-1');
  await label(ONE, 'a-1');
  const answer = await sendTo('A-1');
  expect(answer).toMatchObject({ deviceid: ONE });
  expect(answer['warnings']).toEqual([expect.stringMatching(/2 devices.*a-1.*51D000:000001/)]);
  await label(TWO, '');
  expect(await sendTo('A-1')).toMatchObject({ deviceid: ONE, warnings: [] });
});

test('a label that was cleared or moved is no longer found', async () => {
  await label(ONE, 'A-1');
  await label(ONE, '');
  expect(await station.request('POST', '/api/devices/', { location: 'A-1', line1: 'x' })).toMatchObject({
    status: 404,
  });
  expect(await station.request('POST', '/api/devices/', { location: '', line1: 'x' })).toMatchObject({ status: 400 });
});

test('kill by label takes everything of the device, whatever it was addressed by', async () => {
  await label(ONE, 'A-1');
  await sendTo('A-1', { nonce: 'by-label' });
  await station.post(`/api/device/${ONE}/`, { line1: 'x', nonce: 'by-id' });
  expect(await station.post('/api/devices/', { location: 'a-1', command: 'kill' })).toMatchObject({ killed: 2 });
});

test('a label is a name of the device itself: one nonce by label and by DeviceID is one command', async () => {
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

test('statics reach a device by its label', async () => {
  await label(ONE, 'A-1');
  expect(await station.post('/api/devices/', { location: 'A-1', statica: 'on hand' })).toEqual({
    deviceid: ONE,
    updated: ['statica'],
    warnings: [],
  });
  expect(await station.device(ONE)).toMatchObject({ statica: 'on hand', location: 'A-1', locationoverride: 'A-1' });
});
