import { describe, expect, test } from 'vitest';
import type { DeviceResult } from '#shared/api/device.ts';
import { queryStringPath } from '#shared/api/queryString.ts';
import { ICONS } from '#shared/screen/icons.ts';
import { BASE, DEVICE, useAddresses } from './queryStringRig.ts';

const shop = useAddresses();
const { open, lit, only, refused } = shop;

const FULL = `${BASE}/message/line1~line2/line3/300,a5,1,g5s,1/20rb/tx1/`;

test('a complete path creates the same command as a POST', async () => {
  const command = await lit(FULL);
  const own = ['command_id', 'created_at', 'sent_at', 'shown_at', 'expires_at', 'state'];
  const said = Object.fromEntries(Object.entries(command).filter(([field]) => !own.includes(field)));
  expect(said).toMatchObject({
    command: 'flash',
    line1: 'line1',
    line2: 'line2',
    line3: 'line3',
    sound: '300,a5,1,g5s,1',
    seconds: 20,
    color: 'rb',
    nonce: 'tx1',
    sender: 'API key',
  });
  await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
  await shop.station.post(`/api/device/${DEVICE}/`, {
    command: 'message',
    line1: 'line1',
    line2: 'line2',
    line3: 'line3',
    sound: '300,a5,1,g5s,1',
    seconds: 20,
    color: 'rb',
    nonce: 'tx1',
  });
  expect(await only()).toMatchObject(said);
});

test('lights the device, and a press ends the command', async () => {
  await lit(FULL);
  await shop.station.clock.advance(5_000);
  expect(await shop.station.device(DEVICE)).toMatchObject({
    displayed: { screen: { lines: ['line1', 'line2', 'line3'] }, led: { mode: 'blink', hex: '#ff00ff', letter: 'M' } },
  });
  await shop.station.press(DEVICE);
  expect((await shop.station.device(DEVICE)).commands).toEqual([]);
});

test('only the command and the first texts are required, with or without a trailing slash', async () => {
  const sections = ['line1~line2', 'l3~l4~l5', 'Ta-Da', '20rb', 'tx1'];
  for (const count of [1, 2, 3, 4, 5]) {
    for (const end of ['/', '']) {
      const command = await lit(`${BASE}/pick/${sections.slice(0, count).join('/')}${end}`);
      expect(command).toMatchObject({
        command: 'pick',
        line1: 'line1',
        line2: 'line2',
        line5: count >= 2 ? 'l5' : '',
        sound: count >= 3 ? '140,e5,1,e5,3,g5,1,g5,3,c5,1,c5,3' : '',
        seconds: count >= 4 ? 20 : 60,
        color: count >= 4 ? 'rb' : 'red',
        nonce: count >= 5 ? 'tx1' : '',
      });
      await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
    }
  }
});

test('the command names of a POST are accepted in any case', async () => {
  for (const [word, command] of [
    ['flash', 'flash'],
    ['message', 'flash'],
    ['pick', 'pick'],
    ['Display', 'pick'],
  ] as const) {
    expect(await lit(`${BASE}/${word}/x/`)).toMatchObject({ command, line1: 'x' });
    await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
  }
  expect(await refused(`${BASE}/blink/x/`, 400)).toMatchObject({ code: 'invalid', errors: [{ path: '/command' }] });
  await refused(`${BASE}/constructor/x/`, 400);
  await refused(`${BASE}//x/`, 400);
});

test('leading digits are the seconds, and the rest is the color', async () => {
  for (const [section, seconds, color] of [
    ['20rb', 20, 'rb'],
    ['60', 60, 'red'],
    ['blue', 60, 'blue'],
    ['0', 0, 'red'],
    ['0g', 0, 'g'],
    ['5%23ff0000', 5, '#ff0000'],
    ['5%23123', 5, '#123'],
    ['%23001122', 60, '#001122'],
    ['007Green', 7, 'Green'],
    ['2592000r', 2_592_000, 'r'],
    ['', 60, 'red'],
    ['~', 60, 'red'],
  ] as const) {
    expect(await lit(`${BASE}/message/x/y/none/${section}/n/`), section).toMatchObject({ seconds, color, nonce: 'n' });
  }
  await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
  for (const [section, path] of [
    ['20xx', '/color'],
    ['2592001r', '/seconds'],
    ['99999999999999999999999', '/seconds'],
    ['-5', '/color'],
    ['1.5', '/color'],
  ] as const) {
    const { errors } = await refused(`${BASE}/message/x/y/none/${section}/`, 400);
    expect(errors?.[0], section).toMatchObject({ path });
  }
});

test('a tune can be a name, an encoding or absent', async () => {
  for (const [tune, sound] of [
    ['none', ''],
    ['', ''],
    ['beep', '15,c5,4'],
    ['Skip%20Along', '140,f5,2,f5,2,d5,2,f5,2,e5,2,d5,2,c5,2'],
    ['15,c5,400', '15,c5,400'],
    ['15%2cc5%2c400', '15,c5,400'],
  ] as const) {
    expect(await lit(`${BASE}/message/x/y/${tune}/60/n/`), tune).toMatchObject({ sound });
  }
  await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
  expect(await refused(`${BASE}/message/x/y/polka/?strict=1`, 400)).toMatchObject({ errors: [{ path: '/sound' }] });
});

describe('texts', () => {
  test('are percent-decoded as UTF-8', async () => {
    for (const [section, line1, line2] of [
      ['M8%20x%2020~Box', 'M8 x 20', 'Box'],
      ['a%2fb~c%3fd', 'a/b', 'c?d'],
      ['50%25~%23%26%2b', '50%', '#&+'],
      ['a+b~c', 'a+b', 'c'],
      ['a,b:c~;=@', 'a,b:c', ';=@'],
      ['%c3%84pfel~%e2%82%ac%205', 'Äpfel', '€ 5'],
      ['a%7eb', 'a', 'b'],
      ['%252e~%5c', '%2e', '\\'],
      ['~two', '', 'two'],
      ['one~', 'one', ''],
      ['.~..', '.', '..'],
      ['.', '.', ''],
    ] as const) {
      expect(await lit(`${BASE}/message/${section}/`), section).toMatchObject({ line1, line2 });
      await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
    }
  });

  test('can be a code, an icon or an arrow', async () => {
    expect(await lit(`${BASE}/message/%5cbc4006381333931~x/%5Cicleft~%5cichazard!/`)).toMatchObject({
      line1: '',
      line2: 'x',
      barcode: '4006381333931',
      arrow: 'left',
      icon: 'hazard!',
    });
  });

  test.each(ICONS)('can be the icon $name, as in a POST', async ({ char }) => {
    const icon = `hazard${char}`;
    expect(await lit(`${BASE}/message/${encodeURIComponent(`\\ic${icon}`)}/`)).toMatchObject({ icon, line1: '' });
    await shop.station.post(`/api/device/${DEVICE}/`, { command: 'message', line1: `\\ic${icon}` });
    expect(await only()).toMatchObject({ icon, line1: '' });
  });

  test('show an empty triangle with a warning if the character of an icon is missing or unknown', async () => {
    for (const icon of ['hazard', 'hazard?', 'hazardW']) {
      const { status, body } = await open(`${BASE}/message/${encodeURIComponent(`\\ic${icon}`)}/`);
      expect({ status, body }).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining(icon)] } });
      expect(await only()).toMatchObject({ icon: 'hazard4' });
    }
  });

  test('have control characters replaced with spaces, as in a POST', async () => {
    const { body } = await open(`${BASE}/message/a%00b~c%0a%09d/`);
    expect(await only()).toMatchObject({ line1: 'a b', line2: 'c  d' });
    const posted = await shop.station.post(`/api/device/${DEVICE}/`, {
      command: 'message',
      line1: 'a\0b',
      line2: 'c\n\td',
    });
    expect((body as DeviceResult).warnings).toEqual(posted['warnings']);
  });

  test('that are too long are truncated with a warning', async () => {
    const { status, body } = await open(`${BASE}/message/${'x'.repeat(2_000)}/`);
    expect({ status, body }).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('line1')] } });
    expect(await only()).toMatchObject({ line1: 'x'.repeat(26) });
    expect(await open(`${BASE}/message/${'x'.repeat(20_000)}/`)).toMatchObject({ status: 413 });
  });

  test('are separated by tildes, and too many texts are refused', async () => {
    expect((await refused(`${BASE}/message/a~b~c/`, 400)).detail).toContain('"~"');
    await refused(`${BASE}/message/a/1~2~3~4/`, 400);
    expect(await lit(`${BASE}/message/a~b~/1~2~3~~/`)).toMatchObject({ line2: 'b', line5: '3' });
  });

  test('that are not UTF-8 are refused', async () => {
    for (const section of ['%ff', '%e4', '%', '%zz', '%ed%a0%80']) await refused(`${BASE}/message/${section}/`, 400);
  });

  test('are empty lines if their section is empty', async () => {
    expect(await lit(`${BASE}/message//l3/none//n/`)).toMatchObject({
      line1: '',
      line3: 'l3',
      seconds: 60,
      nonce: 'n',
    });
    expect(await lit(`${BASE}/message/~/~/none/~/n/`)).toMatchObject({ line1: '', line3: '', nonce: 'n' });
  });
});

test('refuses additional sections, and explains how to encode a slash', async () => {
  expect((await refused(`${FULL}more/`, 400)).detail).toContain('%2F');
  expect((await refused(`${FULL}/more`, 400)).detail).toContain('%2F');
  expect((await lit(`${FULL}/`)).nonce).toBe('tx1');
});

test('ignores everything after a question mark, with a warning', async () => {
  const { body } = await open(`${BASE}/message/Really?/`);
  expect(body).toMatchObject({ warnings: [expect.stringContaining('%3F')] });
  expect(await only()).toMatchObject({ line1: 'Really' });
});

test('kill removes all commands, or those with a nonce', async () => {
  await open(`${BASE}/message/a/b/none/60/one/`);
  await open(`${BASE}/message/a/b/none/60/two/`);
  expect((await open(`${BASE}/kill///none//one/`)).body).toEqual({ deviceid: DEVICE, killed: 1, warnings: [] });
  expect(await only()).toMatchObject({ nonce: 'two' });
  expect((await open(`${BASE}/kill/`)).body).toEqual({ deviceid: DEVICE, killed: 1, warnings: [] });
  expect((await open(`${BASE}/kill`)).body).toEqual({
    deviceid: DEVICE,
    killed: 0,
    warnings: [`No command is open at ${DEVICE}. Nothing was removed.`],
  });
});

describe('statics and labels', () => {
  test('static sets the five statics: an empty text clears one, and a missing text does not change it', async () => {
    expect((await open(`${BASE}/static/a~b/c~d~e/`)).body).toEqual({
      deviceid: DEVICE,
      updated: ['statica', 'staticb', 'staticc', 'staticd', 'statice'],
      warnings: [],
    });
    expect(await shop.station.device(DEVICE)).toMatchObject({ statica: 'a', staticb: 'b', statice: 'e', commands: [] });
    expect((await open(`${BASE}/static/A~`)).body).toMatchObject({ updated: ['statica', 'staticb'] });
    expect(await shop.station.device(DEVICE)).toMatchObject({ statica: 'A', staticb: '', staticc: 'c' });
    await open(`${BASE}/static//C/`);
    expect(await shop.station.device(DEVICE)).toMatchObject({ statica: '', staticc: 'C', staticd: 'd' });
  });

  test('static2 sets the third and fourth static', async () => {
    expect((await open(`${BASE}/static2/on~hand/`)).body).toMatchObject({
      updated: ['staticc', 'staticd'],
      warnings: [],
    });
    expect(await shop.station.device(DEVICE)).toMatchObject({ statica: '', staticc: 'on', staticd: 'hand' });
  });

  test('location sets the label', async () => {
    expect((await open(`${BASE}/location/A-3-2/`)).body).toMatchObject({ updated: ['locationoverride'], warnings: [] });
    expect(await shop.station.device(DEVICE)).toMatchObject({ locationoverride: 'A-3-2' });
  });

  test('require a text, and warn about ignored sections', async () => {
    for (const word of ['static', 'static2', 'location']) await refused(`${BASE}/${word}/`, 400);
    for (const path of ['static/a/b/none/20rb/n/', 'static2/c~d/e/', 'location/A~B/']) {
      const { status, body } = await open(`${BASE}/${path}`);
      expect({ path, status, body }).toMatchObject({
        status: 200,
        body: { warnings: { 0: expect.stringContaining('is ignored') } },
      });
    }
  });
});

test('a generated path creates the same command as its request', async () => {
  const request = {
    command: 'pick',
    line1: 'Äpfel/Birnen?',
    barcode: '40063 81',
    arrow: 'up',
    color: '#00ff00',
    seconds: 300,
    sound: 'Ta-Da',
    nonce: 'a/b #1~',
  };
  await shop.station.post(`/api/device/${DEVICE}/`, request);
  const posted = await only();
  await shop.station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
  const { path, left_out } = queryStringPath(DEVICE, { ...request, quantity: 3 });
  expect(left_out).toEqual(['quantity']);
  const { command_id, created_at } = await lit(path);
  expect(await only()).toEqual({ ...posted, command_id, created_at });
});
