import { expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { parseQueryString, queryStringPath } from '#shared/api/queryString.ts';

const DEVICE = '51D000:000001';

/** Returns the path after the DeviceID, followed by the fields that the path leaves out. */
function built(request: DeviceRequest): [path: string, ...leftOut: string[]] {
  const { path, left_out } = queryStringPath(DEVICE, request);
  const start = `/api/${DEVICE}/`;
  expect(path === '' || path.startsWith(start)).toBe(true);
  return [path.slice(start.length), ...left_out];
}

test('builds the shortest address for a command', () => {
  for (const [request, ...expected] of [
    [{ line1: 'M8' }, 'flash/M8/'],
    [{ command: 'message', line1: 'line1', line2: 'line2' }, 'message/line1~line2/'],
    [{ command: 'pick', line2: 'two', line5: 'five' }, 'pick/~two/~~five/'],
    [{ command: 'pick', line3: 'three' }, 'pick/~/three/'],
    [{ line1: 'x', sound: '300,a5,1,g5s,1' }, 'flash/x/~/300,a5,1,g5s,1/'],
    [{ line1: 'x', sound: 'Skip Along' }, 'flash/x/~/Skip%20Along/'],
    [{ line1: 'x', seconds: 20, color: 'rb' }, 'flash/x/~/none/20rb/'],
    [{ line1: 'x', seconds: 0 }, 'flash/x/~/none/0/'],
    [{ line1: 'x', color: '#ff0000' }, 'flash/x/~/none/%23ff0000/'],
    [{ line1: 'x', seconds: 5, color: '00ff00' }, 'flash/x/~/none/5%2300ff00/'],
    [{ line1: 'x', nonce: 'order 7/b' }, 'flash/x/~/none/~/order%207%2Fb/'],
    [{ command: 'flash' }, 'flash/'],
    [{ command: 'kill' }, 'kill/'],
    [{ command: 'kill', nonce: 'n' }, 'kill/~/~/none/~/n/'],
    [{ line1: 'x', sound: 'none', nonce: '', quantity: null }, 'flash/x/'],
  ] as const satisfies [DeviceRequest, string][]) {
    expect(built(request)).toEqual(expected);
  }
});

test('percent-encodes only what an address needs', () => {
  expect(built({ line1: 'a,b:c;d@e&f=g$h!(i)*', line2: "it's" })).toEqual(["flash/a,b:c;d@e&f=g$h!(i)*~it's/"]);
  expect(built({ line1: 'a/b?c#d%e\\f"g<h' })).toEqual(['flash/a%2Fb%3Fc%23d%25e%5Cf%22g%3Ch/']);
  expect(built({ line1: 'Ä €' })).toEqual(['flash/%C3%84%20%E2%82%AC/']);
  expect(built({ line1: '\ud800' })).toEqual(['flash/%EF%BF%BD/']);
});

test('puts codes, icons and arrows into unused lines', () => {
  expect(built({ line1: 'x', barcode: 'A 1' })).toEqual(['flash/x~%5CbcA%201/']);
  expect(built({ command: 'pick', qrcode: 'q', arrow: 'up' })).toEqual(['pick/%5Cqrq~%5Cictop/']);
  expect(built({ line1: 'a', line2: 'b', icon: 'hazard!', arrow: 'left' })).toEqual([
    'flash/a~b/%5Cicleft~%5Cichazard!/',
  ]);
});

test('names the fields that the address cannot contain', () => {
  expect(built({ line1: 'x', quantity: 3 })).toEqual(['flash/x/', 'quantity']);
  expect(built({ line1: 'x', line2: 'a~b' })).toEqual(['flash/x/', 'line2']);
  expect(built({ line1: 'x', barcode: 'a~b', nonce: '..' })).toEqual(['flash/x/', 'barcode', 'nonce']);
  expect(built({ line1: 'x', location: 'A-1', statica: 'y' })).toEqual(['flash/x/', 'location', 'statica']);
  const full = { line1: 'a', line2: 'b', line3: 'c', line4: 'd', line5: 'e' };
  expect(built({ ...full, barcode: '1' })).toEqual(['flash/a~b/c~d~e/', 'barcode']);
  expect(built({ command: 'kill', nonce: 'n', line1: 'x' })).toEqual(['kill/~/~/none/~/n/', 'line1']);
});

test('sets statics with the command word that reaches them', () => {
  expect(built({ statica: 'a' })).toEqual(['static/a/']);
  expect(built({ statica: 'a', staticb: '', staticc: 'c' })).toEqual(['static/a~/c/']);
  expect(built({ statica: '', staticb: '\\bc1' })).toEqual(['static/~%5Cbc1/']);
  expect(built({ statica: '', staticb: 'b', barcode: '1' })).toEqual(['static/~b/', 'barcode']);
  expect(built({ staticc: 'c', staticd: null })).toEqual(['static2/c~/']);
  expect(built({ locationoverride: 'A-3/2' })).toEqual(['location/A-3%2F2/']);
  expect(built({ statica: 'a', locationoverride: 'A', brightness: 5 })).toEqual([
    'static/a/',
    'locationoverride',
    'brightness',
  ]);
  expect(built({ statica: 'a', staticc: 'c', statice: 'e', arrow: '' })).toEqual(['static/a/c/', 'statice', 'arrow']);
  expect(built({ command: 'static2', line1: 'x', line2: 'y' })).toEqual(['static2/x~y/']);
});

test('returns no address if the address could not contain any of the fields', () => {
  for (const request of [
    { staticb: 'b' },
    { brightness: 50 },
    { statica: 'a~b' },
    { statica: '..' },
    { arrow: 'left' },
  ]) {
    expect(built(request)).toEqual(['', ...Object.keys(request)]);
  }
  expect(built({})).toEqual(['']);
});

test('a tilde stands for an empty section, even for a sound', () => {
  expect(parseQueryString(['message', 'a', '~', '~', '~', 'tx1'])).toEqual({
    ok: true,
    request: { command: 'message', line1: 'a', nonce: 'tx1' },
  });
});

test('refuses a tilde in a text, and suggests POST', () => {
  expect(parseQueryString(['message', 'a~b~c'])).toMatchObject({
    ok: false,
    message: expect.stringContaining('POST') as string,
  });
  expect(parseQueryString(['message', 'a', '1~2~3~4'])).toMatchObject({ ok: false });
});
