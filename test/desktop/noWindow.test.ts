import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../shells/until.ts';
import { openDesktop, ownFolder, ROOT, ROOT_SWITCHES, runtimeFolder } from './desktop.ts';

const PACKED = join(ROOT, 'dist', 'packages', 'linux-unpacked');

/** Returns the address after `Pickstation ready at`. */
const urlIn = (said: string): string => /ready at (\S+)/.exec(said)?.[1] ?? '';

test('if no window is possible, the station runs, explains why, and offers its page in the browser', async () => {
  const dataFolder = ownFolder();
  const args = ['--port', '0', '--in-browser=apparmor'];
  const desktop = await openDesktop({ dataFolder, args, env: { PICKSTATION_ADMIN_PASSWORD: '' } });
  await until('a dialog', async () => (await desktop.dialogs()).length === 1);
  const [dialog] = await desktop.dialogs();
  // Read the address from the dialog, because Playwright can lose the program's output.
  const url = /Its page is at (http\S+\/)/.exec(dialog?.text ?? '')?.[1] ?? '';
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  expect(dialog?.buttons).toEqual(['Open the page in the browser', 'Close', 'Quit Pickstation']);
  expect(dialog?.text).toMatch(/profile pickstation "\/.*" flags=\(unconfined\) \{ userns, \}/);
  const [, password] = /as admin with the password (\S+)/.exec(dialog?.text ?? '') ?? [];
  const signIn = await fetch(new URL('/api/user/login/', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  expect(signIn.status).toBe(200);
  await desktop.answer('Open the page in the browser');
  await until('the browser', async () => (await desktop.opened()).includes(url));
  expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);

  // Launching the program again shows the dialog again; closing the dialog changes nothing.
  for (const answer of ['Close', 'Quit Pickstation']) {
    const before = (await desktop.dialogs()).length;
    expect(
      spawnSync(join(runtimeFolder(), 'electron'), [...ROOT_SWITCHES, ROOT, '--data', dataFolder, ...args]).status,
    ).toBe(0);
    await until('the dialog again', async () => (await desktop.dialogs()).length > before);
    await desktop.answer(answer).catch(() => undefined);
  }
  expect(await desktop.ended).toBe(0);
});

/** Shell command that runs a program as an ordinary user who may not create user namespaces. */
const FORBID = `echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --inh-caps=-all --ambient-caps=-all "$0" "$@"`;
const AS_ANYBODY = ['--user', '--map-user=1000', '--map-group=1000', '--keep-caps'];

function startForbidden(program: string, args: string[], env: Record<string, string> = {}) {
  const command = [...AS_ANYBODY, 'sh', '-c', FORBID, join(PACKED, program), ...args];
  const child = spawn('unshare', command, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { said: () => said, ended, stop: () => void child.kill('SIGTERM') };
}

test('the packaged program starts without user namespaces, and a key press opens its page in the browser', async () => {
  const folder = ownFolder();
  const [data, programs, opened] = ['data', 'programs', 'opened'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(programs);
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 });
  // This is why the launcher exists: the program itself ends before any of our code runs.
  const bare = startForbidden('pickstation.bin', ['--port', '0', '--data', data]);
  expect(await bare.ended).not.toBe(0);
  expect(bare.said()).toContain('SUID sandbox helper binary was found, but is not configured correctly');

  const program = startForbidden('pickstation', ['--port', '0', '--data', data], {
    PATH: `${programs}${delimiter}${process.env['PATH']}`,
  });
  await until('the station', () => urlIn(program.said()) !== '');
  const url = urlIn(program.said());
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  await until('the page in the browser', () => {
    const { stdout } = spawnSync('xdotool', ['search', '--onlyvisible', '--name', '^Pickstation$'], {
      encoding: 'utf8',
    });
    for (const window of stdout.split('\n').filter(Boolean))
      spawnSync('xdotool', ['windowfocus', window, 'key', 'Return']);
    return existsSync(opened);
  });
  expect(readFileSync(opened, 'utf8')).toBe(`${url}\n`);
  program.stop();
  expect(await program.ended).toBe(0);
});

test('the launcher passes --help to the program', () => {
  const { stdout, status } = spawnSync(join(PACKED, 'pickstation'), [...ROOT_SWITCHES, '--help'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^Usage: pickstation \[options\]/);
  expect(stdout).toContain('--in-browser');
  expect(status).toBe(0);
});
