import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpClient } from '../../../electron/server/ports.ts';
import { systemPorts } from '../../../electron/server/systemPorts.ts';
import {
  DARK,
  ledsOf,
  type SegmentSettings,
  VERSIONS,
  type SimulatedSegment,
  type WledVersion,
} from './wledFirmware.ts';
/**
 * How the controller responds: normally, never, with "no memory for JSON", with the page of a different program, or to changes only when
 * the mood is set again.
 */
type Mood = 'well' | 'hangs' | 'busy' | 'page' | 'late';
/** Memory for the body of a request on the smallest controllers, which have an ESP8266. */
const BUFFER_BYTES = 10_240;

export type WledOptions = {
  mac?: string;
  leds?: number;
  segments?: [start: number, stop: number][];
  bri?: number;
  version?: WledVersion;
  /** Whether the LEDs are set up as a matrix. */
  isMatrix?: boolean;
};

/** A WLED controller with real HTTP, the parts of the JSON API that a station uses, and its quirks. */
export type WledController = {
  url: string;
  /** Bodies of the accepted changes. */
  changes: {
    on?: boolean;
    bri?: number;
    tt?: number;
    seg?: { id: number; on?: boolean; frz?: boolean; bri?: number; i?: unknown[] }[];
  }[];
  /** Returns the visible color of each LED, such as `FF0000`, or `000000` while switched off. */
  colors(): string[];
  mood(mood: Mood): void;
  /** Simulates a power loss: the controller forgets everything and its uptime restarts. */
  reboot(): void;
  /** Shows an effect on the whole strip, as the WLED app does. */
  playEffect(): void;
  switchOff(): void;
  /** Sets the brightness of the strip, or of a segment, as the WLED app does. */
  dim(bri: number, segment?: number): void;
  /** Returns the brightness of the strip and of each segment. */
  brightness(): number[];
  /** Divides the strip into segments, as the WLED app does. */
  divide(segments: [start: number, stop: number][]): void;
  /** Changes the settings of a segment, as the WLED app does. */
  setUp(segment: number, settings: SegmentSettings): void;
  /** Returns the number of unanswered requests. */
  hanging(): number;
  stop(): Promise<void>;
};

const EFFECT = 'ABCDEF';

export async function startWled(options: WledOptions = {}): Promise<WledController> {
  const { mac = 'a0b1c2d3e4f5', leds = 60, version = '0.15.1', isMatrix = false } = options;
  const { vid, fields } = VERSIONS[version];
  const changes: WledController['changes'] = [];
  let mood: Mood = 'well';
  let uptime = 1_000;
  let on = true;
  let bri = options.bri ?? 128;
  const strip = ledsOf(version, leds);
  let segments = segmentsOf(options.segments ?? [[0, leds]]);
  const hung = new Set<ServerResponse>();
  const late = new Set<ServerResponse>();

  function describe(): object {
    uptime += 1;
    const matrix = isMatrix ? { matrix: { w: leds / 2, h: 2 } } : {};
    return {
      state: { on, bri, transition: 7, ps: -1, pl: -1, ledmap: 0, lor: 0, mainseg: 0, seg: segments.map(segmentEntry) },
      info: {
        ver: version,
        vid,
        mac,
        name: 'Rack 3',
        uptime,
        live: false,
        leds: { count: leds, ...matrix },
        wifi: { rssi: -61 },
      },
    };
  }

  /** Describes a segment like `serializeSegment`. */
  function segmentEntry({ raw: _raw, bm, start, stop, ...segment }: SimulatedSegment): object {
    return {
      ...segment,
      start,
      stop,
      len: stop - start,
      cct: 127,
      set: 0,
      fx: 0,
      sx: 128,
      ix: 128,
      pal: 0,
      sel: true,
      si: 0,
      m12: 0,
      ...(isMatrix ? { startY: 0, stopY: 2, rY: false, mY: false, tp: false } : {}),
      ...(fields.includes('lc') ? { lc: 1 } : {}),
      ...(fields.includes('bm') ? { bm } : {}),
    };
  }

  /** Changes the state like `deserializeState` and `deserializeSegment`. */
  function change(body: WledController['changes'][number]): void {
    changes.push(body);
    // Switching on ends the freezing of all segments.
    if (body.on === true && !on) for (const segment of segments) segment.frz = false;
    on = body.on ?? on;
    bri = body.bri ?? bri;
    for (const { id, i = [], bri: light, on: isOn, frz } of body.seg ?? []) {
      const segment = segments.find((one) => one.id === id);
      if (segment === undefined) continue;
      strip.setUp(segment, {});
      segment.bri = light ?? segment.bri;
      segment.on = isOn ?? segment.on;
      segment.frz = frz ?? segment.frz;
      if (!segment.frz) strip.fill(segment, DARK);
      segment.frz = true;
      for (let at = 0; at < i.length; at += 3) {
        const [from, to, color] = [Number(i[at]), Number(i[at + 1]), String(i[at + 2])];
        if (!/^[0-9A-F]{6}$/.test(color)) throw new Error(`${color} is no color`);
        for (let index = from; index < to; index += 1) strip.paint(segment, index, color);
      }
    }
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const json = (status: number, body: object) =>
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (mood === 'hangs') {
        hung.add(res);
        res.on('close', () => hung.delete(res));
      } else if (mood === 'page') res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A printer</h1>');
      else if (mood === 'busy') json(503, { error: 3 });
      else if (req.method === 'GET' && req.url === '/json/si') json(200, describe());
      else if (req.method === 'POST' && req.url === '/json/state') {
        const body = Buffer.concat(chunks);
        if (body.length > BUFFER_BYTES) return json(400, { error: 9 });
        change(JSON.parse(body.toString('utf8')) as WledController['changes'][number]);
        if (mood === 'late') late.add(res);
        else json(200, { success: true });
      } else json(404, { error: 4 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    changes,
    colors: () => (on ? strip.shown(segments) : Array.from({ length: leds }, () => DARK)),
    mood(next) {
      mood = next;
      for (const res of late) res.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
      late.clear();
    },
    reboot() {
      uptime = 0;
      on = true;
      strip.clear();
      for (const segment of segments) {
        segment.frz = false;
        strip.fill(segment, DARK);
      }
    },
    playEffect() {
      for (const segment of segments) {
        segment.frz = false;
        strip.fill(segment, EFFECT);
      }
    },
    switchOff() {
      on = false;
    },
    dim(next, id) {
      const segment = segments.find((one) => one.id === id);
      if (segment === undefined) bri = next;
      else segment.bri = next;
    },
    brightness: () => [bri, ...segments.map((segment) => segment.bri)],
    divide(next) {
      segments = segmentsOf(next);
    },
    setUp(id, settings) {
      const segment = segments.find((one) => one.id === id);
      if (segment !== undefined) strip.setUp(segment, settings);
    },
    hanging: () => hung.size + late.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function segmentsOf(ranges: [start: number, stop: number][]): SimulatedSegment[] {
  return ranges.map(([start, stop], id) => ({
    id,
    start,
    stop,
    grp: 1,
    spc: 0,
    of: 0,
    on: true,
    frz: false,
    bri: 255,
    rev: false,
    mi: false,
    bm: 0,
    raw: Array.from({ length: stop - start }, () => DARK),
  }));
}

/** Returns a real HTTP client that counts unanswered requests, so that a fake clock can wait for them. */
export function countedHttp(): HttpClient & { open(): number } {
  const { http } = systemPorts('silent', {});
  let open = 0;
  return {
    ...http,
    send(request) {
      open += 1;
      const sending = http.send(request);
      const done = (): void => {
        open -= 1;
      };
      void sending.answer.finally(done).catch(() => undefined);
      return sending;
    },
    open: () => open,
  };
}
