import { spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readlinkSync, rmSync } from 'node:fs';
import { until } from './until.ts';

export type Cable = {
  /** The terminals that the links point to. */
  ends: [string, string];
  /** Pulls the cable out: both ends disappear immediately. */
  pull(): Promise<void>;
};

/** Creates two connected pseudo-terminals with these links to them. The terminals stay open, so that either side can reconnect. */
export async function plugCable(links: readonly [string, string]): Promise<Cable> {
  for (const link of links) rmSync(link, { force: true });
  const socat = spawn(
    'socat',
    links.map((link) => `pty,raw,echo=0,link=${link}`),
    { stdio: 'ignore' },
  );
  let broken = '';
  socat.once('error', (error) => (broken = `There is no socat on this machine: ${error.message}`));
  const gone = new Promise<void>((resolve) => socat.once('close', () => resolve()));
  await until('the cable', () => broken !== '' || links.every((link) => existsSync(link)));
  if (broken !== '') throw new Error(broken);
  const ends: [string, string] = [readlinkSync(links[0]), readlinkSync(links[1])];
  const open = ends.map((end) => openSync(end, constants.O_RDWR | constants.O_NOCTTY));
  let isPulled = false;
  return {
    ends,
    async pull() {
      if (isPulled) return;
      isPulled = true;
      for (const file of open) closeSync(file);
      socat.kill('SIGKILL');
      await gone;
      for (const link of links) rmSync(link, { force: true });
    },
  };
}
