import type { HttpClient } from '../../../electron/server/ports.ts';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { countedHttp, startWled } from '../../helpers/devices/wledController.ts';
import type { Random } from '../model/random.ts';
import type { ShopHardware } from './hardware.ts';
import type { StationLife } from './life.ts';

/** A strip whose places have only lights. A worker confirms its commands on a page. */
export type Strip = ShopHardware & {
  /** Labels by DeviceID. */
  labels: ReadonlyMap<string, string>;
  /** Ids of the commands whose confirmation the station acknowledged. */
  confirmed: readonly number[];
  /** Returns a client that answers requests to the strip and passes all others on. */
  client(others: HttpClient): HttpClient;
};

const PLACES = 10;
const LEDS = 3;
const MAX_VISITS = 4;
const NEXT_VISIT_MS = 40_000;
const HALF_A_BLINK_MS = 500;
const BUSY_MS = 90_000;
const DARK = '000000';

export async function createStrip(parts: {
  clock: FakeClock;
  random: Random;
  /** Returns the running station, if any. */
  life: () => StationLife | undefined;
}): Promise<Strip> {
  const { clock, random, life } = parts;
  const wled = await startWled({ leds: PLACES * LEDS });
  const http = countedHttp();
  const places = Array.from({ length: PLACES }, (_, at) => ({ label: `Strip ${at}`, start: at * LEDS, count: LEDS }));
  const ids = places.map((_, at) => `D3E4F5:${String(at + 1).padStart(6, '0')}`);
  const confirmed: number[] = [];
  let asking = 0;
  let isConnected = true;

  async function confirm(deviceId: string): Promise<boolean> {
    const { start } = places[ids.indexOf(deviceId)] ?? { start: 0 };
    if (wled.colors()[start] === DARK) return false;
    const seen = await life()?.request('GET', `/api/device/${deviceId}/`, undefined);
    const [first] = (seen?.body as { commands?: { command_id: string }[] } | undefined)?.commands ?? [];
    if (first === undefined) return false;
    const { command_id } = first;
    // With the key, a repetition counts once if the station is killed before it answers.
    const body = { command_id, key: command_id };
    const answer = await life()?.request('POST', `/api/device/${deviceId}/acknowledge/`, body);
    if (answer?.status !== 200) return false;
    confirmed.push(Number(command_id));
    return true;
  }

  /** Checks the light twice per visit, because a blinking light may be off at the first check. */
  function visit(deviceId: string, looks: number): void {
    asking += 1;
    void confirm(deviceId)
      .then((isDone) => {
        if (isDone || looks === 2 * MAX_VISITS) return;
        clock.setTimer(looks % 2 === 1 ? HALF_A_BLINK_MS : NEXT_VISIT_MS, () => visit(deviceId, looks + 1));
      })
      .finally(() => (asking -= 1));
  }

  return {
    name: 'the strip',
    link: { kind: 'wled', url: wled.url, places },
    deviceIds: ids as [string, ...string[]],
    perMinute: 4,
    labels: new Map(ids.map((id, at) => [id, `Strip ${at}`])),
    confirmed,
    client: (others) => ({
      send(request) {
        if (!request.url.startsWith(wled.url)) return others.send(request);
        if (!isConnected) return { answer: Promise.reject(new Error('Out of reach')), giveUp: () => undefined };
        return http.send(request);
      },
      stop: () => others.stop(),
    }),
    connect: (next) => void (isConnected = next),
    sendWorker: (deviceId, delayMs) => void clock.setTimer(delayMs, () => visit(deviceId, 1)),
    haveAccident() {
      const happens = random.one([wled.reboot, wled.playEffect, wled.switchOff, () => wled.mood('busy')] as const);
      happens();
      clock.setTimer(BUSY_MS, () => wled.mood('well'));
    },
    setLoss: () => undefined,
    restless: () => wled.colors().flatMap((color, at) => (color === DARK ? [] : [`LED ${at} of the strip`])),
    idle: () => asking === 0 && http.open() === 0,
    async stop() {
      http.stop();
      await wled.stop();
    },
  };
}
