import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { findAppImage, readArguments } from '../../../electron/main/arguments.ts';

const APP = '/opt/pickstation';

test.each<[string, string[], string[], boolean]>([
  ['of a packaged program', ['/usr/bin/pickstation', '--port', '0'], ['--port', '0'], false],
  ['of a packaged program as root', ['/usr/bin/pickstation', '--no-sandbox', '--data', '/x'], ['--data', '/x'], false],
  [
    'after the folder',
    ['/e/electron', '-r', '/x.mjs', '--no-sandbox', APP, '--simulate', '6'],
    ['--simulate', '6'],
    false,
  ],
  ['after a relative folder', ['/e/electron', `${APP}/.`, '--host', '::1'], ['--host', '::1'], false],
  ['with developer tools', ['/e/electron', APP, '--devtools', '--port', '1'], ['--port', '1'], true],
  ['at a start at sign-in', ['/e/electron', APP, '--port', '1', '--hidden'], ['--port', '1'], false],
  [
    'with debugger switches',
    ['/e/electron', '--inspect=0', '--remote-debugging-port=0', APP, '--port=0'],
    ['--port=0'],
    false,
  ],
  [
    'with a switch added by Windows',
    ['pickstation.exe', '--allow-file-access-from-files', '--port', '0'],
    ['--port', '0'],
    false,
  ],
  ['that are unknown', ['/usr/bin/pickstation', '--prot', '0'], ['--prot', '0'], false],
  ['when there are none', ['/usr/bin/pickstation'], [], false],
])('reads arguments %s', (_what, argv, station, devtools) => {
  expect(readArguments(argv, APP)).toEqual({
    station,
    devtools,
    hidden: argv.includes('--hidden'),
    inBrowser: undefined,
    guardUpdate: false,
  });
});

test('does not pass --guard-update to the station', () => {
  const argv = ['/data/update/pickstation.AppImage', '--no-sandbox', '--guard-update', '--data', '/data'];
  expect(readArguments(argv, APP)).toMatchObject({ station: ['--data', '/data'], guardUpdate: true });
});

test.each([
  ['--in-browser', ''],
  ['--in-browser=apparmor', 'apparmor'],
])('does not pass %s to the station', (argument, inBrowser) => {
  const argv = ['/usr/bin/pickstation', '--no-sandbox', argument, '--port', '0'];
  expect(readArguments(argv, APP)).toMatchObject({ station: ['--port', '0'], inBrowser });
});

test('finds the AppImage that contains the program, not one that only started it, such as a terminal', () => {
  const program = process.execPath;
  const of = (APPDIR: string | undefined): string | undefined =>
    findAppImage({ APPIMAGE: '/home/u/Other.AppImage', APPDIR }, program);
  expect(of(dirname(program))).toBe('/home/u/Other.AppImage');
  for (const folder of [import.meta.dirname, '/tmp/.mount_gone', '', undefined]) expect(of(folder)).toBeUndefined();
  expect(findAppImage({ APPDIR: dirname(program) }, program)).toBeUndefined();
});
