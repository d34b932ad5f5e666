import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFleet } from '../../bench/fleetRun.ts';
import { openWorkplace } from '../../bench/processes.ts';
import { ROOT } from '../helpers/snippets.ts';
import { send, startMosquitto } from './mosquitto.ts';

const STATIONS = 50;

test('after a broker restart and kills of half of fifty stations, no callback is lost or has two ids, and the fleet shows who is away', async () => {
  const place = openWorkplace();
  try {
    const seen: number[] = [];
    const figures = await runFleet(
      place,
      { stations: STATIONS, seconds: 2, everyMs: 1_000, isHarsh: false },
      async () => ({
        seesAway: (count) => Promise.resolve(void seen.push(count)),
      }),
    );
    expect(figures.verdict).toEqual({ booked: expect.any(Number), lost: 0, doubled: 0, invented: 0 });
    expect(figures.verdict.booked).toBeGreaterThan(STATIONS);
    expect(figures.wrong).toBe(0);
    expect(seen).toEqual([STATIONS / 2, 0]);
  } finally {
    place.remove();
  }
}, 900_000);

test('the ACL rule in docs/scaling.md lets each user write only its own topics, in any group', async () => {
  const [, rule = ''] =
    /mosquitto +\| `(pattern [^`]+)`/.exec(readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')) ?? [];
  await using broker = await startMosquitto();
  const [acl, passwords] = ['acl', 'passwords'].map((name) => join(broker.folder, name)) as [string, string];
  writeFileSync(acl, `${rule}\n`);
  writeFileSync(passwords, '');
  chmodSync(passwords, 0o600);
  execFileSync('mosquitto_passwd', ['-b', passwords, 'counter', 'secret']);
  await broker.stop();
  await broker.start(['allow_anonymous false', `acl_file ${acl}`, `password_file ${passwords}`]);
  const publish = (topic: string): string =>
    send('mosquitto_pub', broker.port, ['-d', '-u', 'counter', '-P', 'secret', '-t', topic, '-m', 'online']);
  expect(publish('acme/north/counter/availability')).toContain('(Mid: 1, RC:16)');
  expect(publish('acme/north/other/availability')).toContain('(Mid: 1, RC:135)');
});
