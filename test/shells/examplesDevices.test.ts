import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { API_KEY, spawnStation } from './stationProcess.ts';
import {
  EXAMPLES,
  LIMIT,
  LONG,
  NODE,
  ONE,
  PATH,
  PYTHON,
  SHELL,
  THREE,
  TWO,
  ask,
  device,
  useExamples,
} from './exampleRig.ts';

const examples = useExamples();

describe.each([SHELL, PYTHON, NODE])('light.$ending', (language) => {
  test('lights a place, and ends when its button is pressed', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const example = examples.run(language, 'light', ['a-1-2', 'Cable "tie" \\ 200', '5'], {
      SECONDS_LIT: '0',
      COLOR: 'g',
    });
    await examples.lit(example, TWO);
    const [command] = (await device(examples.url, TWO)).commands;
    expect(command).toMatchObject({
      command: 'flash',
      line1: 'Cable "tie" \\ 200',
      quantity: 5,
      color: 'g',
      seconds: 0,
    });
    await ask(examples.url, 'POST', `/api/simulator/devices/${TWO}/press/`);
    const ended = await example.ended;
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toBe(`${TWO} is lit for a-1-2.\nPressed, quantity 5.\n`);
    expect(ended.code).toBe(0);
  });

  test("prints the station's warnings, and exits with 2 if nobody presses", LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const { code, stderr } = await examples.run(language, 'light', ['A-1-1', LONG], { SECONDS_LIT: '1' }).ended;
    expect(stderr).toMatch(/^Warning: .*26.*\n.*Nobody pressed in time\.\n$/);
    expect(code).toBe(2);
  });

  test("prints the station's reason when it refuses", LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const nowhere = await examples.run(language, 'light', ['no "where"', 'x']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 404: No alias, label or DeviceID is "no "where"".');
    const stranger = await examples.run(language, 'light', ['A-1-1', 'x'], { API_KEY: 'of nobody' }).ended;
    expect(stranger).toMatchObject({ code: 1, stdout: '' });
    expect(stranger.stderr).toMatch(/^The station answered 401: [A-Z].*\.\n$/);
    const alone = await examples.run(language, 'light', ['A-1-1', 'x'], { STATION_URL: 'http://127.0.0.1:1/' }).ended;
    expect(alone).toMatchObject({ code: 1, stdout: '' });
    expect(alone.stderr).toContain('cannot be reached');
  });
});

test.each([PYTHON, NODE])('light.$ending does not touch the callbacks of another program', LIMIT, async (language) => {
  await ask(examples.url, 'PATCH', '/api/settings/', { callback_url: 'http://127.0.0.1:1/erp/' });
  const { code, stderr } = await examples.run(language, 'light', ['A-1-1', 'x']).ended;
  expect(stderr).toContain('Callbacks go to http://127.0.0.1:1/erp/ already.');
  expect(code).toBe(1);
  expect(await ask(examples.url, 'GET', '/api/settings/')).toMatchObject({ callback_url: 'http://127.0.0.1:1/erp/' });
  expect((await device(examples.url, ONE)).commands).toEqual([]);
});

describe.each([SHELL, PYTHON, NODE])('stock.$ending', (language) => {
  function csv(text: string): string {
    const file = join(examples.folder, `stock-${language.ending}.csv`);
    writeFileSync(file, text);
    return file;
  }

  test('writes the example file to the devices', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const { code, stderr } = await examples.run(language, 'stock', [join(EXAMPLES, 'stock.csv')]).ended;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(await device(examples.url, ONE)).toMatchObject({ statica: 'Cable tie 200', quantity: 40, commands: [] });
    expect(await device(examples.url, TWO)).toMatchObject({ statica: 'Screw M8 x 20, zinc', quantity: 35 });
    expect(await device(examples.url, THREE)).toMatchObject({ statica: 'Washer 8', quantity: 0 });
  });

  test('names refused and truncated rows, and writes all other rows of a long file', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const rows = Array.from({ length: 1_200 }, (_, index) => `A-1-1,"No ""${index}"" \\ of many",${index % 90}`);
    rows[499] = 'A-2-1,the last of five hundred,';
    rows[700] = 'nowhere,"x, y",1';
    rows[1_100] = `A-1-2,${LONG},`;
    await ask(examples.url, 'POST', `/api/device/${TWO}/`, { quantity: 7 });
    const file = csv(`\uFEFFlocation,statica,quantity\r\n${rows.join('\r\n')}\r\n`);
    const { code, stderr } = await examples.run(language, 'stock', [file]).ended;
    const told = stderr.split('\n');
    expect(told[0]).toMatch(/^Line 702 was refused: No alias, label or DeviceID is "nowhere"\. .*\.$/);
    expect(told[1]).toMatch(/^Line 1102: warning: .*26/);
    expect(code).toBe(1);
    expect(await device(examples.url, ONE)).toMatchObject({ statica: 'No "1199" \\ of many', quantity: 29 });
    expect(await device(examples.url, TWO)).toMatchObject({ statica: LONG.slice(0, 26), quantity: 7 });
    expect((await device(examples.url, THREE)).statica).toBe('the last of five hundred');
  });

  test('reports a problem with the file or the key', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const away = await examples.run(language, 'stock', [join(examples.folder, 'not-there.csv')]).ended;
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toContain('not-there.csv cannot be read');
    const ragged = await examples.run(language, 'stock', [csv('location,statica\nA-1-1,x\nA-1-2,y,z\n')]).ended;
    expect(ragged).toMatchObject({ code: 1, stdout: '' });
    expect(ragged.stderr).toMatch(/^Line 3 has .*Nothing was sent\.\n$/);
    expect((await device(examples.url, ONE)).statica).toBe('');
    const stranger = await examples.run(language, 'stock', [csv('location,statica\nA-1-1,x\n')], {
      API_KEY: 'of nobody',
    }).ended;
    expect(stranger).toMatchObject({ code: 1, stdout: '' });
    expect(stranger.stderr).toMatch(/^The station answered 401: [A-Z]/);
  });
});

test.each(['light', 'stock'])('%s.sh keeps the key out of its command lines', LIMIT, async (name) => {
  const watched = join(examples.folder, 'curl');
  const log = join(examples.folder, 'arguments');
  writeFileSync(watched, `#!/bin/sh\necho "$@" >>'${log}'\nPATH='${PATH}' exec curl "$@"\n`);
  chmodSync(watched, 0o755);
  const env = { PATH: `${examples.folder}${delimiter}${PATH}`, SECONDS_LIT: '1' };
  const args = { light: ['A-1-1', 'x'], stock: [join(EXAMPLES, 'stock.csv')] };
  await examples.run(SHELL, name, args[name as keyof typeof args], env).ended;
  rmSync(watched);
  expect(readFileSync(log, 'utf8')).toContain('/api/devices/');
  expect(readFileSync(log, 'utf8')).not.toContain(API_KEY);
});

describe.each([PYTHON, NODE])('movein.$ending', (language) => {
  const MOVED = [
    { deviceid: ONE, locationoverride: 'A-1-1', statica: 'Größe 8', quantity: 12, icon: 'hazardd', brightness: 60 },
    { deviceid: TWO, locationoverride: 'A-1-2', statica: 'as before', arrow: '', unsolicitedNonce: 'bell' },
    { deviceid: THREE, locationoverride: 'A-2-1', barcode: '4006381333931' },
  ];
  const ALIASES = [
    { name: 'Top shelf', deviceid: ONE, deviceIs: 'Below' },
    { name: 'Left bin', deviceid: THREE, deviceIs: 'to the Right of' },
  ];

  beforeEach(async () => {
    for (const { id } of await ask<{ id: number }[]>(examples.url, 'GET', '/api/location-aliases/')) {
      const headers = { 'api-key': API_KEY };
      await fetch(new URL(`/api/location-aliases/${id}/`, examples.url), { method: 'DELETE', headers });
    }
    await ask(examples.url, 'POST', '/api/devices/', MOVED);
    for (const alias of ALIASES) await ask(examples.url, 'POST', '/api/location-aliases/', alias);
  });

  test('moves everything once, and changes nothing in a dry run', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const there = spawnStation({ dataFolder: join(examples.folder, `new-${language.ending}`), simulate: 2, port: 0 });
    onTestFinished(() => there.kill());
    const base = await there.ready;
    await ask(base, 'POST', '/api/devices/', { deviceid: TWO, statica: 'as before', arrow: 'left' });
    await ask(base, 'POST', '/api/location-aliases/', { name: 'TOP SHELF', deviceid: TWO, deviceIs: 'Above' });
    const settings = async () => {
      const { devices, aliases } = await ask<{ devices: Device[]; aliases: unknown[] }>(base, 'GET', '/api/station/');
      return {
        aliases,
        devices: devices.map((each) => [each.deviceid, each.statica, each.locationoverride, each.arrow]),
      };
    };
    const env = { OLD_URL: examples.url, OLD_API_KEY: API_KEY, STATION_URL: base };

    const before = await settings();
    const look = await examples.run(language, 'movein', ['--dry-run'], env).ended;
    expect(look.stderr).toBe('');
    expect(look.stdout).toMatch(
      /Dry run, nothing was written\. It would be: .*2 aliases written\nBefore you launch orders: .*whole/,
    );
    expect(look.code).toBe(0);
    expect(await settings()).toEqual(before);

    const first = await examples.run(language, 'movein', [], env).ended;
    expect(first.stderr).toBe('');
    expect(first.stdout).toMatch(/2 devices registered.*2 aliases written\n$/);
    expect(first.code).toBe(0);
    for (const { deviceid, arrow: _, ...fields } of MOVED) expect(await device(base, deviceid)).toMatchObject(fields);
    expect((await device(base, TWO)).arrow).toBeNull();
    const aliases = await ask<object[]>(base, 'GET', '/api/location-aliases/');
    expect(aliases).toMatchObject(ALIASES);
    expect(aliases).toHaveLength(2);

    const after = await settings();
    const again = await examples.run(language, 'movein', [], env).ended;
    expect(again.stdout).toBe('4 devices unchanged, 2 aliases unchanged\n');
    expect(again.code).toBe(0);
    expect(await settings()).toEqual(after);

    const stranger = await examples.run(language, 'movein', [], { ...env, OLD_API_KEY: 'of nobody' }).ended;
    expect(stranger.stderr).toMatch(/answered 401: [A-Z]/);
    expect(stranger.code).toBe(1);
  });

  test('names the devices that it could not move, and moves the rest', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const there = spawnStation({ dataFolder: join(examples.folder, `other-${language.ending}`), simulate: 1, port: 0 });
    onTestFinished(() => there.kill());
    const base = await there.ready;
    // The key may change displays, but not register devices.
    const user = { name: 'mover', scope: 'control' };
    const { api_key: key } = await ask<{ api_key: string }>(base, 'POST', '/api/api-users/', user);
    await ask(examples.url, 'POST', `/api/device/${ONE}/`, { statica: LONG });
    const env = { OLD_URL: examples.url, OLD_API_KEY: API_KEY, STATION_URL: base, API_KEY: key };
    const look = await examples.run(language, 'movein', ['--dry-run'], env).ended;
    expect(look.stderr).toContain(`failed: ${TWO}: API_KEY may not register devices here. Use a key of scope admin.`);
    expect(look.code).toBe(1);
    const { code, stdout, stderr } = await examples.run(language, 'movein', [], env).ended;
    expect(stderr).toMatch(
      new RegExp(
        `failed: ${TWO}: .* answered 403: mover is control and is not allowed to .* the right .manage_devices.\\.`,
      ),
    );
    expect(stderr).toMatch(/failed: Left bin: .* answered 400: There is no device 51D000:000003\./);
    expect(stdout).toMatch(/4 failed, 1 device written, 1 alias written\n$/);
    expect(code).toBe(1);
    expect(await device(base, ONE)).toMatchObject({ statica: LONG.slice(0, 26), locationoverride: 'A-1-1' });
    expect(await ask(base, 'GET', '/api/location-aliases/')).toMatchObject([{ name: 'Top shelf', deviceid: ONE }]);
  });
});

test('runs exactly the examples that RUN_BY lists for this file', () =>
  examples.expectAllTried('examplesDevices.test.ts'));
