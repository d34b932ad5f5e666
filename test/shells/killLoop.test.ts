import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFailed, test } from 'vitest';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { createLedger, type KillLedger } from './killLoop/ledger.ts';
import { BY_HAND, call, employ, runTraffic, WORKED } from './killLoop/traffic.ts';
import { DATABASE, deliveryId, judgeCrash, judgeEnd, RECEIVERS } from './killLoop/verdict.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

/** `KILL_ROUNDS=40 KILL_MINUTES=4 KILL_SEED=7` makes the test long, limited and repeatable. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1);
const LIMIT_MS = Number(process.env['KILL_MINUTES'] ?? 1) * 60_000;
const SEED = Number(process.env['KILL_SEED'] ?? 1);

/** Maximum duration of a round. Most rounds are short, but a long one leaves time for e-paper and deadlines. */
const LONGEST_ROUND_MS = 4_000;
const LONGEST_START_MS = 500;
/** One start in this number is killed before the station serves. */
const KILLED_STARTS = 6;
/** Fraction of callbacks that are received but not answered before the kill. */
const HANGING_PART = 0.05;
/** Maximum seconds of commands that nobody presses. In a long loop, such deadlines span many kills. */
const LONGEST_SECONDS = Math.min(ROUNDS, 12);

let receiver: Receiver;
/** An additional receiver, which leaves as many callbacks unanswered. */
let further: Receiver;
let dataFolder: string;
let station: StationProcess | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
  further = await startReceiver();
  dataFolder = folderOnDisk('kill');
});

afterEach(async ({ task }) => {
  await station?.kill();
  await receiver.stop();
  await further.stop();
  if (task.result?.state === 'fail') process.stdout.write(`kill loop: its files are kept in ${dataFolder}\n`);
  else rmSync(dataFolder, { recursive: true });
});

test(
  'a kill at any moment does not lose answered commands, published events or callbacks, or give a command two outcomes',
  { timeout: LIMIT_MS + 300_000 },
  async () => {
    onTestFailed(() => void process.stdout.write(`kill loop: the station said ${station?.stderr() || 'nothing'}\n`));
    process.stdout.write(`kill loop: up to ${ROUNDS} rounds, KILL_SEED=${SEED}\n`);
    const fraction = seededFraction(SEED);
    const ledger = createLedger();
    const start = (): StationProcess => spawnStation({ dataFolder, simulate: 12 + ROUNDS + 1, port: 0 });
    const giveUpAt = performance.now() + LIMIT_MS;
    const taken = new Map(RECEIVERS.map((number) => [number as number, new Set<number>()]));
    let hangs = true;
    for (const [index, number] of RECEIVERS.entries()) {
      [receiver, further][index]?.reply((request) => {
        if (hangs && fraction() < HANGING_PART) return 'hang';
        taken.get(number)?.add(deliveryId(request));
        return 200;
      });
    }
    const received = () => [...receiver.requests, ...further.requests];

    station = start();
    const url = await station.ready;
    await (await call(url, 'PATCH', '/api/settings/', { callback_url: receiver.url })).arrayBuffer();
    await (await call(url, 'POST', '/api/callback-receivers/', { name: 'Further', url: further.url })).arrayBuffer();
    await station.kill();

    let rounds = 0;
    for (; rounds < ROUNDS && performance.now() < giveUpAt; rounds++) {
      station = start();
      if (rounds > 0 && fraction() < 1 / KILLED_STARTS) {
        await pause(fraction() * LONGEST_START_MS);
        await station.kill();
      } else {
        await oneRound(station, rounds, fraction, ledger);
      }
      judgeCrash(dataFolder, ledger, received());
    }

    hangs = false;
    station = start();
    const lastUrl = await station.ready;
    const servesSince = Date.now();
    await settle(lastUrl);
    const db = new Database(join(dataFolder, DATABASE), { readonly: true });
    judgeEnd(db, ledger, { received: received(), taken, servesSince });
    db.close();
    const repeated = [receiver, further].reduce(
      (count, { requests }) => count + requests.length - new Set(requests.map(deliveryId)).size,
      0,
    );
    const { answered, timed, told } = ledger;
    process.stdout.write(
      `kill loop: ${rounds} rounds, ${answered.size} commands, ${timed.size} deadlines, ${told.size} revisions, ` +
        `${received().length} callbacks to two receivers, ${repeated} of them repeated\n`,
    );
  },
);

/** Creates traffic for a random time, then kills the station. */
async function oneRound(
  process: StationProcess,
  round: number,
  fraction: () => number,
  ledger: KillLedger,
): Promise<void> {
  const url = await process.ready;
  const health = (await (await fetch(new URL('/healthz', url), { headers: { 'api-key': API_KEY } })).json()) as {
    revision: number;
  };
  expect(health.revision, 'revision after a restart').toBeGreaterThanOrEqual(ledger.newestRevision);
  let killed = false;
  const traffic = runTraffic({
    url,
    round,
    fraction,
    ledger,
    longestSeconds: LONGEST_SECONDS,
    open: () => ledger.answered.size - receiver.requests.length,
    killed: () => killed,
  });
  const work = async (): Promise<void> => {
    // Wait for some traffic in the first round, because a loop without traffic would prove nothing.
    await until('work to begin', () => ledger.answered.size > 20 && receiver.requests.length > 0);
    await pause(fraction() ** 3 * LONGEST_ROUND_MS);
  };
  // If the traffic fails, end the round immediately.
  await Promise.race([work(), traffic]);
  killed = true;
  await process.kill();
  expect(process.stderr(), 'errors in the log').not.toContain('"level":50');
  await traffic;
}

/** Waits until everything has ended: workers press, deadlines pass, callbacks are delivered. */
async function settle(url: string): Promise<void> {
  await employ(url, [...WORKED, ...BY_HAND], () => 0);
  const db = new Database(join(dataFolder, DATABASE), { readonly: true });
  const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
  try {
    await until('every command to end', () => count('SELECT count(*) FROM commands') === 0);
    await until(
      'every callback to be delivered',
      () => count("SELECT count(*) FROM outbox WHERE state <> 'delivered'") === 0,
    );
  } finally {
    db.close();
  }
}
