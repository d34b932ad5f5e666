import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { START_MS } from '../../helpers/screens/template.ts';
import { turnsOfTheLoop } from '../model/moments.ts';
import { createRandom, type Random } from '../model/random.ts';
import { createBoard } from './board.ts';
import { createFloor, type Floor } from './floor.ts';
import { judge, type Accepted, type Verdict } from './judge.ts';
import { startLife, type StationLife } from './life.ts';
import { createReceiver } from './receiver.ts';
import { createStrip } from './strip.ts';
import { createTags } from './tags.ts';
import { createWires } from './wires.ts';

export type Soak = {
  seed: number;
  minutes: number;
  devices: number;
  /** Number of commands per minute. */
  commands: number;
  /** Number of kills of the station. Turbos are killed just as often. */
  kills: number;
  /** Real milliseconds after which no further minute starts. Everything done until then is still checked. */
  capMs: number;
  /** Minutes of shop time to reach even if they take longer than `capMs`. */
  leastMinutes: number;
};

export type SoakReport = Verdict & {
  minutes: number;
  stationKills: number;
  turboKills: number;
  refused: number;
  commands: number;
};

const MINUTE = 60_000;
/** Folder of a file system in memory. The test is not about disks, because a kill keeps everything that was passed to the system. */
const IN_MEMORY = '/dev/shm';
/**
 * Maximum number of minutes until everything has ended: enough for the longest pause between two callback attempts and for the longest
 * command.
 */
const MAX_MINUTES_TO_REST = 120;
const MAX_MINUTES_TO_JOIN = 10;
/** Maximum length of the description of remaining work in an error message. */
const MAX_TOLD = 2_000;

/** Runs a day, or part of one, and checks it. Throws with the options if a press is lost or duplicated. */
export async function soak(options: Soak): Promise<SoakReport> {
  const base = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'pickstation-soak-'));
  const workday = await createWorkday(options, base);
  try {
    return await workday.run();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} (${JSON.stringify(options)})`, {
      cause: error,
    });
  } finally {
    await workday.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

async function createWorkday(options: Soak, base: string) {
  const { seed, minutes, kills, capMs, leastMinutes } = options;
  const random = createRandom(seed);
  const clock = createFakeClock(START_MS);
  const wires = createWires(clock, seededFraction(seed + 1));
  const receiver = createReceiver(createRandom(seed + 2));
  const floor = createFloor({ clock, random: createRandom(seed + 4), seed, wires, devices: options.devices });
  const strip = await createStrip({ clock, random: createRandom(seed + 5), life: () => life });
  const tags = await createTags({ clock, random: createRandom(seed + 6) });
  const board = await createBoard({ clock, random: createRandom(seed + 7) });
  const hardware = [strip, tags, board] as const;
  const accepted: Accepted[] = [];
  const told = { minutes: 0, stationKills: 0, turboKills: 0, commands: 0 };
  /** Commands with an unknown outcome. The caller got no answer and sends them again. */
  let unsure: object[] = [];
  const homes = new Map(hardware.flatMap((each) => each.deviceIds.map((id) => [id, each] as const)));
  let lives = 0;
  let nonces = 0;
  let life: StationLife | undefined;
  let isIdle = () => true;
  clock.whenIdle(() => wires.idle() && isIdle(), 'the soak');
  for (const { name, idle } of hardware) clock.whenIdle(idle, name);

  const folder = (number: number): string => join(base, String(number));

  async function start(): Promise<StationLife> {
    lives += 1;
    isIdle = () => true;
    return await startLife({
      clock,
      seed: seed * 1_000 + lives,
      dataFolder: folder(lives),
      nextFolder: folder(lives + 1),
      wires,
      receiver,
      hardware,
      serial: board.serial,
      http: (others) => strip.client(others),
      whileBusy: (idle) => (isIdle = idle),
    });
  }

  /** Releases the killed station, lets some time pass, and starts the next one. */
  async function rise(): Promise<void> {
    const [error] = life?.errors() ?? [];
    if (error !== undefined) throw new Error(`The station logged an error: ${error}`);
    await life?.bury();
    isIdle = () => true;
    life = undefined;
    rmSync(folder(lives), { recursive: true });
    told.stationKills += 1;
    await clock.advance(random.one([0, 100, 2_000, 10_000, 30_000, 90_000, 400_000]));
    life = await start();
  }

  function sendWorker(deviceId: string, delayMs: number): void {
    (homes.get(deviceId) ?? floor).sendWorker(deviceId, delayMs);
  }

  /** Chooses devices for commands: `count` from the floor, and from other hardware as many as it can serve in a minute. */
  function chooseDevices(count: number): string[] {
    if (count === 0) return [];
    const ofFloor = Array.from({ length: count }, () => random.one(floor.deviceIds));
    const bought = hardware.flatMap(({ deviceIds, perMinute }) =>
      Array.from({ length: Math.floor(perMinute + random.below(100) / 100) }, () => random.one(deviceIds)),
    );
    return [...ofFloor, ...bought];
  }

  async function sendCommands(count: number): Promise<void> {
    const fresh = chooseDevices(count).map((deviceId) => newCommand(random, deviceId, (nonces += 1)));
    for (const { deviceid } of fresh) if (random.chance(0.97)) sendWorker(deviceid, 5_000 + random.below(50_000));
    const asked = [...unsure, ...fresh];
    unsure = asked;
    const answered = life?.request('POST', '/api/devices/', asked);
    const answer = await answered;
    if (answer === undefined) return;
    unsure = [];
    if (answer.status !== 200)
      throw new Error(`The commands were answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const results = answer.body as { command_id: string; deviceid: string }[];
    for (const [index, { command_id, deviceid }] of results.entries()) {
      const { nonce = '' } = asked[index] as { nonce?: string };
      accepted.push({ commandId: Number(command_id), deviceId: deviceid, nonce });
    }
    told.commands += fresh.length;
  }

  /** Creates reports that are in progress when a station or turbo is killed. */
  function pressSome(): void {
    for (let calls = 5 + random.below(15); calls > 0; calls -= 1) {
      floor.press(random.one(floor.deviceIds), random.one(['front', 'plus', 'minus']), 'long');
    }
  }

  /**
   * Kills the station during a request, between a report and its commit, between a commit and its answer, or at any
   * other time.
   */
  async function killStation(): Promise<void> {
    const how = random.below(4);
    pressSome();
    if (how === 0) {
      const sending = sendCommands(20);
      await turnsOfTheLoop(random.below(12));
      life?.kill();
      await sending;
    } else if (how === 1) life?.meet({ when: 'heard', pieces: 1 + random.below(8) });
    else if (how === 2) life?.meet({ when: 'says', pieces: 1 + random.below(8) });
    else life?.kill();
  }

  /** Reboots a turbo or cuts its power for a while, with reports in progress. */
  async function killTurbo(): Promise<void> {
    const { serial, sim } = random.one(floor.turbos as [Floor['turbos'][number], ...Floor['turbos']]);
    pressSome();
    await clock.advance(random.below(100));
    told.turboKills += 1;
    if (random.chance(0.5)) {
      sim.restartTurbo(serial);
      return;
    }
    sim.setTurbo(serial, { connected: false });
    clock.setTimer(random.one([100, 3_000, 20_000, 100_000]), () => void sim.setTurbo(serial, { connected: true }));
  }

  /** Makes the receiver fail for a time short enough that no callback has to wait for hours. */
  function breakReceiver(): void {
    receiver.set(false);
    clock.setTimer((1 + random.below(8)) * MINUTE, () => receiver.set(true));
  }

  async function minute(isKilling: boolean): Promise<void> {
    await sendCommands(options.commands);
    floor.press(random.one(floor.deviceIds), 'front', random.one(['short', 'long']));
    const moments = [random.below(MINUTE), random.below(MINUTE)].toSorted((one, other) => one - other);
    const [first = 0, second = 0] = moments;
    await clock.advance(first);
    if (isKilling) await killTurbo();
    await clock.advance(second - first);
    if (isKilling) await killStation();
    // A kill at a chunk on the wire happens within these seconds.
    await clock.advance(MINUTE - second);
    if (isKilling) life?.kill();
    if (life?.isDead() === true) await rise();
  }

  /** Lists devices that the station does not know yet. */
  async function unknown(): Promise<string[]> {
    const known = (await life?.request('GET', '/api/device/', undefined))?.body as string[];
    return [...floor.deviceIds, ...homes.keys()].filter((id) => !known.includes(id));
  }

  /** Waits until no device is lit, no report is held, and nothing is pending. */
  async function rest(): Promise<void> {
    for (const each of [floor, ...hardware]) each.setLoss(false);
    await clock.advance(10 * MINUTE);
    if (unsure.length > 0) await sendCommands(0);
    let left = '';
    for (let waited = 0; waited < MAX_MINUTES_TO_REST; waited += 1) {
      await clock.advance(MINUTE);
      const snapshot = await life?.request('GET', '/api/station/', undefined);
      const { devices } = (snapshot?.body ?? { devices: [] }) as {
        devices: { deviceid: string; commands: unknown[] }[];
      };
      const open = devices.filter(({ commands }) => commands.length > 0);
      // Some commands never end by themselves, so send workers to their devices.
      for (const { deviceid } of open) sendWorker(deviceid, 1_000);
      const restless = [floor, ...hardware].flatMap((each) => each.restless());
      const pending = await life?.request('GET', '/api/callbacks/?state=pending&limit=3', undefined);
      const unsent = (pending?.body ?? []) as unknown[];
      if (devices.length > 0 && open.length + restless.length + unsent.length === 0) return;
      const lit = open.map(({ deviceid, commands: [first] }) => ({
        deviceid,
        first,
        pressed: floor.presses.get(deviceid),
      }));
      left = JSON.stringify({ restless, unsent, lit }).slice(0, MAX_TOLD);
    }
    throw new Error(`It does not come to rest: ${left}`);
  }

  return {
    async run(): Promise<SoakReport> {
      cpSync(inject('template'), folder(1), { recursive: true });
      life = await start();
      await clock.advance(10_000);
      const answer = await life.request('PATCH', '/api/settings/', { callback_url: 'http://receiver.example/' });
      if (answer?.status !== 200) throw new Error('The settings were not taken');
      for (const { name, link } of hardware) {
        const linked = await life.request('POST', '/api/turbo/links/', link);
        if (linked?.status !== 201) throw new Error(`${name} was not taken: ${JSON.stringify(linked)}`);
      }
      for (let waited = 0; (await unknown()).length > 0; waited += 1) {
        if (waited === MAX_MINUTES_TO_JOIN) throw new Error(`They do not join: ${(await unknown()).join(', ')}`);
        await clock.advance(MINUTE);
      }
      for (const each of [floor, ...hardware]) each.setLoss(true);
      const endMs = performance.now() + capMs;
      for (let at = 0; at < minutes && (at < leastMinutes || performance.now() < endMs); at += 1) {
        if (random.chance(0.02)) breakReceiver();
        for (const each of hardware) if (random.chance(0.05)) await each.haveAccident();
        await minute(Math.floor((at * kills) / minutes) !== Math.floor(((at + 1) * kills) / minutes));
        told.minutes += 1;
      }
      await rest();
      const verdict = judge({
        dataFolder: folder(lives),
        fingers: {
          presses: new Map([...floor.presses, ...board.presses]),
          tags: tags.presses,
          confirmed: strip.confirmed,
        },
        labels: strip.labels,
        receiver,
        accepted,
      });
      return { ...verdict, ...told, refused: floor.refused() };
    },
    async stop() {
      await life?.bury();
      floor.stop();
      for (const each of hardware) await each.stop();
    },
  };
}

function newCommand(random: Random, deviceid: string, number: number) {
  return {
    deviceid,
    command: random.one(['flash', 'pick'] as const),
    line1: `Part ${number % 997}`,
    nonce: `n${number}`,
    seconds: random.one([60, 120, 300, 600, 0]),
    ...(random.chance(0.4) ? { quantity: random.below(100) } : {}),
  };
}
