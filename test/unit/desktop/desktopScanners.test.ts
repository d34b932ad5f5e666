import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HIDDevice, SerialPort, Session } from 'electron';
import { expect, onTestFinished, test } from 'vitest';
import { guardSession } from '../../../electron/main/guards.ts';
import {
  chooseScannersInPage,
  CHOOSE,
  CHOSEN,
  rememberedPorts,
  scannerPermissions,
} from '../../../electron/main/scanners.ts';

const OURS = 'http://127.0.0.1:8000';
const PORT: SerialPort = {
  portId: 'p1',
  portName: 'ttyACM0',
  displayName: 'Scanner',
  vendorId: '3118',
  productId: '1',
};
const OTHER: SerialPort = { portId: 'p2', portName: 'ttyS0' };

const collection = (usagePage: number, usage: number) => ({ usagePage, usage }) as HIDDevice['collections'][number];
const hid = (deviceId: string, usagePage: number, usage: number) =>
  ({ deviceId, name: deviceId, collections: [collection(usagePage, usage)] }) as HIDDevice;
const SCANNER = hid('scanner', 0x8c, 2);
const GAMEPAD = hid('gamepad', 1, 5);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'scanners-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A session that records its handlers. */
class FakeSession extends EventEmitter {
  request: Parameters<Session['setPermissionRequestHandler']>[0] = null;
  check: Parameters<Session['setPermissionCheckHandler']>[0] = null;
  device: Parameters<Session['setDevicePermissionHandler']>[0] = null;
  webRequest = { onBeforeRequest: () => undefined };
  setPermissionRequestHandler = (handler: typeof this.request) => void (this.request = handler);
  setPermissionCheckHandler = (handler: typeof this.check) => void (this.check = handler);
  setDevicePermissionHandler = (handler: typeof this.device) => void (this.device = handler);
  setProxy = () => Promise.resolve();
}

async function guarded(data = folder()) {
  const session = new FakeSession();
  const ports = rememberedPorts(data);
  const ipc = new EventEmitter();
  chooseScannersInPage(session as never, ipc as never, OURS, ports);
  await guardSession(session as never, OURS, scannerPermissions(ports));
  const asks = (permission: string, details: object, url = `${OURS}/scanner`): boolean => {
    let answer = false;
    const rest = { requestingUrl: url, isMainFrame: true, ...details } as never;
    session.request?.(undefined as never, permission as never, (given) => void (answer = given), rest);
    return answer;
  };
  const checks = (permission: string, details: object, from = OURS) =>
    session.check?.(null, permission as never, from, { isMainFrame: true, ...details });
  const uses = (deviceType: 'hid' | 'serial' | 'usb', device: unknown, origin = OURS) =>
    session.device?.({ deviceType, device: device as HIDDevice, origin });
  const says = (id: unknown, origin = OURS) => ipc.emit(CHOSEN, { senderFrame: { origin } }, id);
  return { session, asks, checks, uses, says };
}

test('the page gets the camera, scanners, notifications and clipboard writes, but no microphone', async () => {
  const { asks, checks } = await guarded();
  expect(asks('media', { mediaTypes: ['video'] })).toBe(true);
  expect(checks('media', { mediaType: 'video' })).toBe(true);
  for (const mediaTypes of [['audio'], ['video', 'audio'], [], undefined])
    expect(asks('media', { mediaTypes })).toBe(false);
  for (const mediaType of ['audio', 'unknown', undefined]) expect(checks('media', { mediaType })).toBe(false);
  for (const permission of ['geolocation', 'push', 'usb', 'midi', 'display-capture', 'clipboard-read']) {
    expect([asks(permission, { mediaTypes: ['video'] }), checks(permission, { mediaType: 'video' })]).toEqual([
      false,
      false,
    ]);
  }
  expect([asks('clipboard-sanitized-write', {}), checks('serial', {}), checks('hid', {})]).toEqual([true, true, true]);
  expect([asks('notifications', {}), checks('notifications', {})]).toEqual([true, true]);
});

test('denies every permission to a page of a different origin', async () => {
  const { asks, checks, uses } = await guarded();
  expect(asks('media', { mediaTypes: ['video'] }, 'http://127.0.0.1:8001/')).toBe(false);
  for (const permission of ['media', 'serial', 'hid']) {
    expect(checks(permission, { mediaType: 'video' }, 'http://127.0.0.1:8001')).toBe(false);
  }
  expect(uses('hid', SCANNER, 'http://127.0.0.1:8001')).toBe(false);
});

test('allows only scanners among HID devices, and only chosen serial ports', async () => {
  const { session, uses, says } = await guarded();
  expect([uses('hid', SCANNER), uses('hid', GAMEPAD), uses('usb', SCANNER), uses('serial', PORT)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  session.emit('select-serial-port', new Event('x'), [PORT, OTHER], { send: () => undefined }, () => undefined);
  says('p1');
  expect([uses('serial', PORT), uses('serial', { ...PORT, portName: 'COM4' }), uses('serial', OTHER)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('lists the devices in the page, and uses only the first choice', async () => {
  const { session, says } = await guarded();
  const sent: unknown[] = [];
  const page = { send: (...message: unknown[]) => void sent.push(message) };
  const answers: unknown[] = [];
  const answer = (id: unknown) => void answers.push(id);
  const event = new Event('x', { cancelable: true });
  session.emit('select-serial-port', event, [PORT, OTHER], page, answer);
  expect(event.defaultPrevented).toBe(true);
  expect(sent).toEqual([
    [
      CHOOSE,
      [
        { id: 'p1', name: 'Scanner (ttyACM0)' },
        { id: 'p2', name: 'ttyS0' },
      ],
    ],
  ]);
  says('p2', 'http://elsewhere.example');
  expect(answers).toEqual([]);
  says('p2');
  says('p1');
  expect(answers).toEqual(['p2']);
  session.emit('select-hid-device', new Event('x'), { deviceList: [GAMEPAD, SCANNER], frame: page }, answer);
  expect(sent.at(-1)).toEqual([CHOOSE, [{ id: 'scanner', name: 'scanner' }]]);
  says('gamepad');
  expect(answers.at(-1)).toBeNull();
});

test('canceling, an invalid answer or a second request ends the first request without a device', async () => {
  const { session, uses, says } = await guarded();
  const answers: unknown[] = [];
  const answer = (id: unknown) => void answers.push(id);
  for (const id of ['', 'p9', 7]) {
    session.emit('select-serial-port', new Event('x'), [PORT], { send: () => undefined }, answer);
    says(id);
  }
  session.emit('select-serial-port', new Event('x'), [PORT], { send: () => undefined }, answer);
  session.emit('select-hid-device', new Event('x'), { deviceList: [SCANNER], frame: null }, answer);
  expect(answers).toEqual(['', '', '', '', null]);
  expect(uses('serial', PORT)).toBe(false);
});

test('remembers a chosen port after a restart, and treats an unreadable file as empty', async () => {
  const data = folder();
  const first = await guarded(data);
  first.session.emit('select-serial-port', new Event('x'), [PORT], { send: () => undefined }, () => undefined);
  first.says('p1');
  expect((await guarded(data)).uses('serial', { ...PORT, portId: 'another' })).toBe(true);
  expect(readFileSync(join(data, 'scanners.json'), 'utf8')).toBe('["usb 3118:1:"]\n');
  writeFileSync(join(data, 'scanners.json'), '{broken');
  expect((await guarded(data)).uses('serial', PORT)).toBe(false);
});
