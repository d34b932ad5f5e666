import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Turbo, TurboFrame } from '#shared/api/turbo.ts';
import type { TurboShop } from './turboShop.ts';
import { until } from './until.ts';

/** What a worker does at a device. `hold` is a long press of the front button. */
export type Hand = 'press' | 'hold' | 'plus' | 'minus';

/** A turbo, or one board per device, over any kind of wire. The test operates the devices. */
export type TurboUnderTest = {
  /** Serial number of the turbo for each device. */
  serialNumbers: readonly [string, string];
  transport: Turbo['transport'];
  /** Two devices, each with three buttons. */
  devices: readonly [string, string];
  /** Performs an action at the device. Resolves when the device has accepted the press or visibly refused it. */
  use(hand: Hand, device: string): Promise<'taken' | 'refused'>;
  /** Moves the device out of radio range, or back. */
  move(device: string, isReachable: boolean): Promise<void>;
  /** Switches the turbo off and on. It loses its state, but its devices do not. */
  reboot(): Promise<void>;
  stop(): Promise<void>;
  /** Whether the turbo runs in the station's process and ends with it. */
  isWithinStation?: boolean;
};

/** Number of rounds, each of which interrupts the exchange of messages at a different point. */
const ROUNDS = 3;
const HELD = 64;
const LIMIT = { timeout: 600_000 };

/**
 * Tests what the protocol requires of a turbo, as seen at the devices and in the station's API. `open` starts a turbo that connects to a
 * station to which it is unknown.
 */
export function runTest({
  name,
  open,
}: {
  name: string;
  open: () => Promise<{ shop: TurboShop; turbo: TurboUnderTest }>;
}) {
  describe(name, () => {
    let shop: TurboShop;
    let turbo: TurboUnderTest;
    let one: string;
    let two: string;

    const get = <T>(path: string) => shop.ask<T>('GET', path);
    const send = (device: string, body: object) => shop.ask('POST', `/api/device/${device}/`, body);
    const read = (device: string) => get<Device>(`/api/device/${device}/`);
    const history = (kind: string) => get<HistoryEntry[]>(`/api/history/?kind=${kind}&limit=1000`);
    const turboOf = (device: string) => turbo.serialNumbers[device === two ? 1 : 0];
    const frames = (device = one) => get<TurboFrame[]>(`/api/turbo/${turboOf(device)}/frames/`);

    beforeAll(async () => {
      ({ shop, turbo } = await open());
      [one, two] = turbo.devices;
      await until('both devices', async () => {
        const known = await get<string[]>('/api/device/');
        return known.includes(one) && known.includes(two) && (await read(two)).online;
      });
    }, LIMIT.timeout);

    afterAll(async () => {
      await turbo.stop();
      await shop.close();
    }, LIMIT.timeout);

    afterEach(async () => {
      const nonces = (await history('acknowledged')).map(({ nonce }) => nonce);
      expect(new Set(nonces).size).toBe(nonces.length);
    });

    /** Lights the device. Resolves when the device shows the command. */
    async function light(device: string, nonce: string, more: object = {}): Promise<void> {
      await send(device, { line1: nonce, quantity: 3, nonce, seconds: 0, ...more });
      await shown(device, nonce);
    }

    const shown = (device: string, nonce: string) =>
      until(`${nonce} to be shown`, async () =>
        (await read(device)).commands.some((command) => command.nonce === nonce && command.state === 'shown'),
      );

    /** Returns the acknowledged nonces with this prefix and their counts. */
    async function acknowledged(prefix: string, count: number): Promise<(readonly [string, number])[]> {
      const mine = async () => (await history('acknowledged')).filter(({ nonce }) => nonce.startsWith(prefix));
      await until(`the ${count} presses of ${prefix}`, async () => (await mine()).length >= count);
      return (await mine()).map(({ nonce, qty }) => [nonce, qty] as const).toSorted(([a], [b]) => a.localeCompare(b));
    }

    /** Lists the messages of this kind between the station and the device, without answers and repetitions. */
    const passed = async (device: string, message: string) =>
      (await frames(device)).filter(
        (frame) => frame.message === message && frame.device === device && frame.answers === null && !frame.repeated,
      );

    /** Lists the checksums that the device reported as shown, oldest first. */
    const seen = async (device: string) => (await passed(device, 'shown')).map(({ fields }) => fields['checksum']);

    /** Sends a background while nothing is lit, and returns its checksum once the device shows it. */
    async function background(device: string, statica: string): Promise<unknown> {
      const before = (await passed(device, 'show')).length;
      await send(device, { statica });
      const sent = async () => (await passed(device, 'show')).slice(before).at(-1)?.fields;
      await until('the statics', async () => {
        const checksum = (await sent())?.['checksum'];
        return checksum !== undefined && (await seen(device)).at(-1) === checksum;
      });
      expect((await sent())?.['token']).toBe(0);
      return (await sent())?.['checksum'];
    }

    test('comes online with its serial number, transport and all its devices', LIMIT, async () => {
      const isOne = turboOf(one) === turboOf(two);
      for (const device of turbo.devices) {
        const state = await get<Turbo>(`/api/turbo/${turboOf(device)}/`);
        expect(state).toMatchObject({ status: 'online', transport: turbo.transport, problem: null });
        expect(state.device_count).toBeGreaterThanOrEqual(isOne ? 2 : 1);
        expect(await read(device)).toMatchObject({ turbo: turboOf(device), buttons: 3, online: true });
      }
    });

    test('a press arrives once, with the quantity set by plus and minus', LIMIT, async () => {
      await light(one, 'count');
      for (const hand of ['plus', 'plus', 'minus', 'press'] as const) await turbo.use(hand, one);
      await light(two, 'hold');
      await turbo.use('hold', two);
      expect(await acknowledged('count', 1)).toEqual([['count', 4]]);
      expect(await acknowledged('hold', 1)).toEqual([['hold', 3]]);
    });

    test('an idle device calls on a long press, plus and minus, but not on a short press', LIMIT, async () => {
      await send(one, { unsolicitedNonce: 'bell' });
      for (const hand of ['press', 'hold', 'plus', 'minus'] as const) await turbo.use(hand, one);
      const calls = async () =>
        (await history('call,call_up,call_down')).filter(({ deviceid }) => deviceid === one).toReversed();
      await until('the calls', async () => (await calls()).length >= 3);
      expect((await calls()).map(({ kind, nonce }) => [kind, nonce])).toEqual([
        ['call', 'bell'],
        ['call_up', 'bell'],
        ['call_down', 'bell'],
      ]);
    });

    test('a command ends after its seconds, and the next one is shown', LIMIT, async () => {
      await light(one, 'short', { seconds: 1 });
      await send(one, { line1: 'behind', nonce: 'behind', seconds: 0 });
      await shown(one, 'behind');
      expect((await history('timedOut')).map(({ nonce }) => nonce)).toEqual(['short']);
      // The station would also end the command, but slightly later, for devices that cannot end it themselves.
      expect((await frames()).filter(({ message, device }) => message === 'ended' && device === one)).not.toEqual([]);
      await turbo.use('press', one);
      await acknowledged('behind', 1);
    });

    test('the light of a killed command turns off, and a press afterwards acknowledges nothing', LIMIT, async () => {
      await light(one, 'killed');
      await send(one, { command: 'kill' });
      const dark = () =>
        frames().then((all) => all.findLast(({ message, device }) => message === 'shown' && device === one));
      await until('the background', async () => (await dark())?.fields['token'] === 0);
      await turbo.use('press', one);
      await light(one, 'after the kill');
      await turbo.use('press', one);
      await acknowledged('after the kill', 1);
      expect(await acknowledged('killed', 0)).toEqual([]);
      expect((await history('late')).filter(({ nonce }) => nonce === 'killed')).toEqual([]);
    });

    test('statics changed while a command is lit are shown after it', LIMIT, async () => {
      const before = await background(two, 'before');
      await light(two, 'kept');
      const lit = (await passed(two, 'show')).at(-1)?.fields['checksum'];
      await send(two, { statica: 'afterwards' });
      const kept = async () => (await passed(two, 'keep')).at(-1);
      await until('what it keeps', async () => {
        const sequence = (await kept())?.sequence;
        const answer = (await frames(two)).find((frame) => frame.answers === 'keep' && frame.sequence === sequence);
        return answer?.fields['status'] === 'ok';
      });
      const afterwards = (await kept())?.fields['checksum'];
      await turbo.use('press', two);
      await until('the new statics', async () => (await seen(two)).at(-1) === afterwards);
      expect((await seen(two)).slice(-3)).toEqual([before, lit, afterwards]);
      expect(new Set([before, lit, afterwards]).size).toBe(3);
      await acknowledged('kept', 1);
    });

    test('a device out of range is offline, and shows its next command when it is back', LIMIT, async () => {
      await light(one, 'pressed while away');
      await turbo.move(one, false);
      await until('it to be away', async () => !(await read(one)).online);
      await turbo.use('plus', one);
      await turbo.use('press', one);
      await send(one, { line1: 'waits', nonce: 'waits', seconds: 0 });
      await send(two, { line1: 'the other', nonce: 'the other', seconds: 0 });
      await shown(two, 'the other');
      expect((await read(one)).commands).toMatchObject([
        { nonce: 'pressed while away' },
        { nonce: 'waits', state: 'queued' },
      ]);
      await turbo.move(one, true);
      await shown(one, 'waits');
      expect(await acknowledged('pressed while away', 1)).toEqual([['pressed while away', 4]]);
      await turbo.use('press', one);
      await turbo.use('press', two);
      await acknowledged('waits', 1);
      await acknowledged('the other', 1);
    });

    test('a turbo that reboots after a press reports the press afterwards', LIMIT, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const nonce = `off-${round}`;
        await light(one, nonce);
        await turbo.use('press', one);
        await turbo.reboot();
        expect(await acknowledged(nonce, 1)).toEqual([[nonce, 3]]);
      }
    });

    test('a press that reached only its device arrives when the device and the turbo are back', LIMIT, async () => {
      await light(one, 'held');
      await turbo.move(one, false);
      await until('it to be away', async () => !(await read(one)).online);
      await turbo.use('minus', one);
      await turbo.use('press', one);
      await turbo.reboot();
      await turbo.move(one, true);
      expect(await acknowledged('held', 1)).toEqual([['held', 2]]);
    });

    test('a reboot of the turbo while a device is lit keeps the command and its count', LIMIT, async () => {
      await light(one, 'lit');
      await turbo.use('plus', one);
      const boots = async () => (await frames()).filter(({ message }) => message === 'welcome').length;
      const before = await boots();
      await turbo.reboot();
      await until('its welcome', async () => (await boots()) > before);
      await turbo.use('press', one);
      expect(await acknowledged('lit', 1)).toEqual([['lit', 4]]);
    });

    test('a press before the station is killed arrives once after the restart', LIMIT, async ({ skip }) => {
      skip(turbo.isWithinStation === true, 'its devices end with the station');
      for (let round = 0; round < ROUNDS; round += 1) {
        const nonce = `station-${round}`;
        await light(one, nonce);
        await turbo.use('press', one);
        await shop.restart();
        expect(await acknowledged(nonce, 1)).toEqual([[nonce, 3]]);
      }
    });

    test(
      'a device holds 64 presses while the station is offline, refuses more, and all 64 arrive',
      LIMIT,
      async ({ skip }) => {
        skip(turbo.isWithinStation === true, 'its devices end with the station');
        await light(one, 'full');
        await shop.restart(async () => {
          for (let count = 1; count < HELD; count += 1) expect(await turbo.use('plus', one)).toBe('taken');
          expect(await turbo.use('press', one)).toBe('taken');
          expect(await turbo.use('plus', one)).toBe('refused');
        });
        expect(await acknowledged('full', 1)).toEqual([['full', 3 + HELD - 1]]);
      },
    );

    test('all presses made while the station was offline and the turbo rebooted arrive', LIMIT, async ({ skip }) => {
      skip(turbo.isWithinStation === true, 'its devices end with the station');
      await light(one, 'away-1');
      await light(two, 'away-2');
      await shop.restart(async () => {
        await turbo.use('minus', one);
        await turbo.use('press', one);
        await turbo.reboot();
        await turbo.use('press', two);
      });
      await acknowledged('away', 2);
      await light(one, 'away-3');
      await turbo.use('press', one);
      expect(await acknowledged('away', 3)).toEqual([
        ['away-1', 2],
        ['away-2', 3],
        ['away-3', 3],
      ]);
    });
  });
}
