import type { HttpClient } from '../../../electron/server/ports.ts';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { countedHttp, startWled } from '../../helpers/wledController.ts';
import type { Random } from '../model/random.ts';
import type { StationLife } from './life.ts';

/** A strip with places that are lights only, whose worker confirms on a page. It lives on while stations die. */
export type Strip = {
  url: string;
  places: { label: string; start: number; count: number }[];
  /** Label by DeviceID. */
  labels: ReadonlyMap<string, string>;
  /** Commands that a station said it has confirmed. */
  confirmed: number[];
  /** For one life of the station: requests to other addresses go to `others`. */
  client(isDead: () => boolean, others: HttpClient): HttpClient;
  /** A worker goes to the place after `delayMs`, and again later where it is not lit yet. */
  sendWorker(deviceId: string, delayMs: number): void;
  /** Something of its own happens to the controller. */
  haveAccident(): void;
  /** LEDs that are lit. */
  lit(): number;
  /** Whether it waits for nothing but time. */
  idle(): boolean;
  stop(): Promise<void>;
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
  /** Who asks the station that runs, if one does. */
  life: () => StationLife | undefined;
}): Promise<Strip> {
  const { clock, random, life } = parts;
  const wled = await startWled({ leds: PLACES * LEDS });
  const http = countedHttp();
  const places = Array.from({ length: PLACES }, (_, at) => ({ label: `Strip ${at}`, start: at * LEDS, count: LEDS }));
  const ids = places.map((_, at) => `D3E4F5:${String(at + 1).padStart(6, '0')}`);
  const confirmed: number[] = [];
  let asking = 0;

  async function confirm(deviceId: string): Promise<boolean> {
    const { start } = places[ids.indexOf(deviceId)] ?? { start: 0 };
    if (wled.colors()[start] === DARK) return false;
    const seen = await life()?.request('GET', `/api/device/${deviceId}/`, undefined);
    const [first] = (seen?.body as { commands?: { command_id: string }[] } | undefined)?.commands ?? [];
    if (first === undefined) return false;
    const { command_id } = first;
    // The key says that it is the same confirmation, where a station died before it answered.
    const body = { command_id, key: command_id };
    const answer = await life()?.request('POST', `/api/device/${deviceId}/acknowledge/`, body);
    if (answer?.status !== 200) return false;
    confirmed.push(Number(command_id));
    return true;
  }

  /** Looks twice each time: what blinks may be dark at the first look. */
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
    url: wled.url,
    places,
    labels: new Map(ids.map((id, at) => [id, `Strip ${at}`])),
    confirmed,
    client: (isDead, others) => ({
      send(request) {
        if (!request.url.startsWith(wled.url)) return others.send(request);
        if (isDead())
          return { answer: Promise.reject(new Error('A dead station sends nothing')), giveUp: () => undefined };
        return http.send(request);
      },
      stop: () => others.stop(),
    }),
    sendWorker: (deviceId, delayMs) => void clock.setTimer(delayMs, () => visit(deviceId, 1)),
    haveAccident() {
      const happens = random.one([wled.reboot, wled.playEffect, wled.switchOff, () => wled.mood('busy')] as const);
      happens();
      clock.setTimer(BUSY_MS, () => wled.mood('well'));
    },
    lit: () => wled.colors().filter((color) => color !== DARK).length,
    idle: () => asking === 0 && http.open() === 0,
    async stop() {
      http.stop();
      await wled.stop();
    },
  };
}
