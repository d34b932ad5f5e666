import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { LINE_FIELDS, STATIC_FIELDS } from '#shared/lib/requests/deviceFields.ts';
import { parseQueryString, queryStringPath } from '#shared/api/queryString.ts';
import { parseDeviceRequest } from '#shared/lib/requests/deviceRequest.ts';

const DEVICE = '51D000:000001';
const DEFAULTS = { seconds: 60, color: 'red' };

/** Reads an address like a server: parses the URL, splits the path at slashes, and percent-decodes the parts. */
function read(path: string): DeviceRequest {
  const { pathname, search, hash } = new URL(path, 'http://127.0.0.1:4680');
  expect({ search, hash }).toEqual({ search: '', hash: '' });
  const [, api, device, ...sections] = pathname.replace(/\/$/, '').split('/');
  expect({ api, device }).toEqual({ api: 'api', device: DEVICE });
  const parsed = parseQueryString(sections.map(decodeURIComponent));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.message}`);
  return parsed.request;
}

function without(request: DeviceRequest, fields: readonly string[]): DeviceRequest {
  return Object.fromEntries(Object.entries(request).filter(([field]) => !fields.includes(field)));
}

const trouble = fc.constantFrom(
  '.',
  '..',
  '~',
  '/',
  '\\',
  '?',
  '#',
  '%',
  '%2f',
  '%7e',
  ' ',
  '+',
  '\0',
  '\n',
  'ä',
  '€',
  '😀',
  'e\u0301',
  ':',
  ',',
  ';',
  '&',
  '=',
  "'",
  '"',
  '<',
  '{',
  '|',
  '[',
  '\ud800',
  '\\bc',
  '\\ic',
);
const text = fc.oneof(
  fc.constantFrom('', '.', '..', '...', '~', 'M8 x 20', 'none', '20rb', '-', '\\bc12', '\\icleft', 'a~b', '%2e'),
  fc
    .array(fc.oneof(trouble, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 6 })
    .map((parts) => parts.join('').toWellFormed()),
);
const code = fc.oneof(
  fc.constantFrom('', 'A 1', ' x ', '12~3', '4006381333931', '.', '..'),
  fc.string({ maxLength: 20 }),
);
const fields = {
  barcode: code,
  qrcode: code,
  icon: fc.constantFrom('', 'left', 'Up', ' left ', 'hazard!', 'fragile', 'nothing'),
  arrow: fc.constantFrom('', 'up', 'down', 'left', 'topleft', 'nowhere'),
  quantity: fc.nat(120),
};
const command = fc.record(
  {
    command: fc.constantFrom('flash', 'message', 'pick', 'display', 'PICK', 'kill'),
    line1: text,
    line2: text,
    line3: text,
    line4: text,
    line5: text,
    color: fc.constantFrom('red', 'rb', 'B', '#ff0000', '#0f0', '#123456', '.', '~', '', 'no color'),
    seconds: fc.constantFrom(0, 1, 20, 60, 300, 2_592_000),
    sound: fc.constantFrom('none', 'beep', 'Ta-Da', 'Skip Along', '300,a5,1,g5s,1', '.', '~', '', 'no tune'),
    nonce: text,
    location: fc.constantFrom('A-1', ''),
    ...fields,
  },
  { requiredKeys: [] },
);
const statics = fc.record(
  {
    statica: text,
    staticb: text,
    staticc: text,
    staticd: text,
    statice: text,
    locationoverride: text,
    brightness: fc.nat(100),
    ...fields,
  },
  { requiredKeys: [] },
);
const oldStatics = fc.record(
  {
    command: fc.constantFrom('static', 'static2', 'location'),
    line1: text,
    line2: text,
    line3: text,
    line4: text,
    line5: text,
    ...fields,
  },
  { requiredKeys: ['command'] },
);

test('a path with any texts is read as the same request', () => {
  fc.assert(
    fc.property(fc.oneof(command, statics, oldStatics), (request: DeviceRequest) => {
      const { path, left_out } = queryStringPath(DEVICE, request);
      if (path === '') return;
      // Lines imply a command, even if the address cannot contain any of them.
      const implied = LINE_FIELDS.some((field) => (request[field] ?? '') !== '') ? { command: 'flash' } : {};
      const asked = parseDeviceRequest({ ...implied, ...without(request, left_out) }, DEFAULTS);
      const got = parseDeviceRequest(read(path), DEFAULTS);
      expect(got.ok, `${path} ${JSON.stringify(got)} ${JSON.stringify(asked)}`).toBe(asked.ok);
      if (got.ok && asked.ok) expect(got.instruction, path).toEqual(asked.instruction);
    }),
    { numRuns: 1_000 },
  );
});

test('a path is plain ASCII that a URL parser leaves unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(command, statics, oldStatics), (request) => {
      const { path } = queryStringPath(DEVICE, request);
      if (path === '') return;
      expect(path).toMatch(/^\/[\x21-\x7e]+\/$/);
      expect(new URL(path, 'http://127.0.0.1').pathname).toBe(path);
    }),
    { numRuns: 1_000 },
  );
});

test('omits only fields that were given and that the address cannot contain', () => {
  fc.assert(
    fc.property(command, (given) => {
      const request = { command: 'pick', ...given };
      const { left_out } = queryStringPath(DEVICE, request);
      expect(Object.keys(request)).toEqual(expect.arrayContaining(left_out));
      if (request.command === 'kill') return;
      for (const field of LINE_FIELDS) expect(left_out.includes(field)).toBe(request[field]?.includes('~') === true);
      expect(left_out.includes('quantity')).toBe(request.quantity !== undefined);
      expect(left_out.includes('nonce')).toBe(request.nonce === '.' || request.nonce === '..');
      expect(left_out.includes('seconds')).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test('passes five statics unchanged, including empty ones, which clear the field', () => {
  const plain = fc.constantFrom('', 'x', 'M8 x 20', '\\');
  fc.assert(
    fc.property(fc.tuple(plain, plain, plain, plain, plain), (texts) => {
      const request = Object.fromEntries(STATIC_FIELDS.map((field, index) => [field, texts[index]]));
      const { path, left_out } = queryStringPath(DEVICE, request);
      expect(left_out).toEqual([]);
      expect(parseDeviceRequest(read(path), DEFAULTS)).toMatchObject({ ok: true, instruction: { changes: request } });
    }),
  );
});
