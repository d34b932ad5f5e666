import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startUserManager, whyNoManager } from '../shells/privileged/userManager.ts';
import { folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { ROOT } from './desktop.ts';

const UNIT = join(ROOT, 'resources', 'packaging', 'linux', 'pickstation.service');
const PROGRAM = join(ROOT, 'dist', 'packages', 'linux-unpacked', 'pickstation');
const NOBODY = 65_534;

const without = whyNoManager();

test.skipIf(without !== undefined)(
  'the packaged systemd unit restarts the program after a crash, until it quits',
  async () => {
    const home = folderOnDisk('unit');
    onTestFinished(() => rmSync(home, { recursive: true, maxRetries: 5 }));
    chmodSync(home, 0o755);
    const manager = await startUserManager(home);
    onTestFinished(manager.stop);
    const data = join(home, 'data');
    const unit = join(home, '.config', 'systemd', 'user', 'pickstation.service');
    mkdirSync(dirname(unit), { recursive: true });
    const text = readFileSync(UNIT, 'utf8');
    const command = 'ExecStart=/usr/bin/pickstation --hidden';
    expect(text).toContain(`${command}\n`);
    // The session, which normally provides the display, is missing here.
    const authority = join(home, 'authority');
    copyFileSync(process.env['XAUTHORITY'] ?? '/dev/null', authority);
    chownSync(authority, NOBODY, NOBODY);
    const session = `Environment=DISPLAY=${process.env['DISPLAY']} XAUTHORITY=${authority}`;
    writeFileSync(unit, text.replace(command, `ExecStart=${PROGRAM} --hidden --port 0 --data ${data}\n${session}`));
    const systemctl = (...args: string[]): string => {
      const { out, err } = manager.run(['systemctl', '--user', ...args]);
      expect(err).toBe('');
      return out.trim();
    };
    const mainPid = (): number => Number(systemctl('show', '-P', 'MainPID', 'pickstation'));
    const isServing = async (): Promise<boolean> => {
      try {
        const { url } = JSON.parse(readFileSync(join(data, 'address.json'), 'utf8')) as { url: string };
        return (await fetch(new URL('/healthz', url))).ok;
      } catch {
        return false;
      }
    };
    systemctl('daemon-reload');
    systemctl('start', 'pickstation');
    await until('the station to serve', isServing);
    const first = mainPid();
    process.kill(first, 'SIGSEGV');
    await until('another process', () => ![0, first].includes(mainPid()));
    await until('the station to serve again', isServing);
    expect(systemctl('show', '-P', 'NRestarts', 'pickstation')).toBe('1');
    // Like Quit: an intended end is not a failure.
    process.kill(mainPid(), 'SIGTERM');
    await until('the end of the unit', () => systemctl('show', '-P', 'ActiveState', 'pickstation') === 'inactive');
    expect(systemctl('show', '-P', 'Result', 'pickstation')).toBe('success');
  },
);
