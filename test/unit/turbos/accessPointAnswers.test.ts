import { expect, test } from 'vitest';
import {
  deviceIdOf,
  parseInfo,
  parsePage,
  parseRecords,
  parseTagType,
} from '../../../electron/server/turbo/openEPaper/accessPointAnswers.ts';

const answer = (body: string, type = 'application/json', status = 200) => ({ status, type, body: Buffer.from(body) });

test('recognizes an access point by the fields in its system information', () => {
  expect(parseInfo('http://ap/', answer('{"alias":"Shop","buildversion":"2.91","ap_version":31}'))).toEqual({
    alias: 'Shop',
    version: 31,
  });
  for (const body of ['{"name":"printer"}', '[]', 'null', '', '{"buildversion":']) {
    expect(() => parseInfo('http://ap/', answer(body))).toThrow('not an OpenEPaperLink access point');
  }
  expect(() => parseInfo('http://ap/', answer('{"buildversion":"1"}', 'application/json', 500))).toThrow();
  expect(() => parseInfo('http://ap/', answer(' <html>', 'text/plain'))).toThrow('web page');
});

test('ignores names that are not UTF-8', () => {
  const latin = Buffer.from('{"alias":"B\xfcro","buildversion":"2.91","ap_version":31}', 'latin1');
  expect(parseInfo('http://ap/', { ...answer(''), body: latin })).toEqual({ alias: '', version: 31 });
});

test('skips anything that is not a record, and reads out-of-range numbers as 0', () => {
  expect(parseRecords([null, 7, [], {}, { mac: 'x' }, { mac: '0000A0B1C20000012' }])).toEqual([]);
  const [record] = parseRecords([
    { mac: 'a0b1c2000001', lastseen: -1, pending: '2', RSSI: 400, batteryMv: 1e9, hwType: 3.7, hash: '<script>' },
  ]);
  expect(record).toEqual({
    mac: '0000A0B1C2000001',
    hash: '',
    lastseen: 0,
    pending: 2,
    rssi: 0,
    batteryMv: 0,
    hwType: 3,
    wakeupReason: 0,
    isExternal: false,
    updateCount: 0,
  });
});

test('reads the last page, which has no next page, and rejects anything that is not a page', () => {
  expect(parsePage('{"tags":[],"continu":13}')?.next).toBe(13);
  expect(parsePage('{"tags":[]}')).toEqual({ records: [], next: undefined });
  expect(parsePage('{"tags":{}}')).toBeUndefined();
  expect(parsePage('<html>')).toBeUndefined();
});

test('rejects a tag type without a usable screen size', () => {
  expect(parseTagType('{"name":"M3","width":384,"height":168,"options":["button"]}')).toEqual({
    name: 'M3',
    width: 384,
    height: 168,
    hasButton: true,
    hasLed: false,
  });
  for (const text of ['{"width":0,"height":10}', '{"width":99999,"height":10}', '{"name":"x"}', 'no'])
    expect(parseTagType(text)).toBeUndefined();
});

test('a DeviceID is the last twelve digits of the MAC', () => {
  expect(deviceIdOf('0000A0B1C2D3E4F5')).toBe('A0B1C2:D3E4F5');
});
