/** A segment, with the fields of WLED's JSON API that decide what it shows. `raw` and `hasEffect` are internal. */
export type SimulatedSegment = {
  id: number;
  start: number;
  stop: number;
  grp: number;
  spc: number;
  of: number;
  on: boolean;
  frz: boolean;
  bri: number;
  rev: boolean;
  mi: boolean;
  bm: number;
  raw: string[];
};

export type WledVersion = '0.14.4' | '0.15.1' | '16.0.1';

/** Build number of each version, and the fields that its `serializeSegment` writes in addition to those of all versions. */
export const VERSIONS: Readonly<Record<WledVersion, { vid: number; fields: readonly string[] }>> = {
  '0.14.4': { vid: 2_405_180, fields: [] },
  '0.15.1': { vid: 2_507_300, fields: [] },
  '16.0.1': { vid: 2_605_010, fields: ['lc', 'bm'] },
};

export const DARK = '000000';

/** Settings of a segment, which its owner changes in the WLED app. */
export type SegmentSettings = Partial<Omit<SimulatedSegment, 'id' | 'raw'>>;

/** The LEDs of a controller, as one version of the firmware computes them. */
export type WledLeds = {
  /** Sets a pixel by its index in the JSON API. */
  paint(segment: SimulatedSegment, index: number, color: string): void;
  /** Colors the segment, as an effect does, or as freezing it does with black. */
  fill(segment: SimulatedSegment, color: string): void;
  /**
   * Changes the settings of a segment, as `deserializeSegment` does at the beginning of each change: `Segment::setUp` in 0.14,
   * `setGeometry` since.
   */
  setUp(segment: SimulatedSegment, settings: SegmentSettings): void;
  /** Returns the colors on the strip. */
  shown(segments: readonly SimulatedSegment[]): string[];
  clear(): void;
};

export function ledsOf(version: WledVersion, count: number): WledLeds {
  return version === '16.0.1' ? blendedLeds(count) : directLeds(version, count);
}

/** The length of a segment in pixels: `Segment::virtualLength()`, which is the same in all versions. */
function virtualLength({ start, stop, grp, spc, mi }: SimulatedSegment): number {
  const groupLength = grp + spc;
  const length = Math.floor((stop - start + groupLength - 1) / groupLength);
  return mi ? Math.floor((length + 1) / 2) : length;
}

/** 0.14 and 0.15 write through to the strip: `Segment::setPixelColor`. */
function directLeds(version: WledVersion, count: number): WledLeds {
  let strip = Array.from({ length: count }, () => DARK);
  const leds: WledLeds = {
    paint(segment, index, color) {
      const { start, stop, grp, spc, of, rev, mi, on } = segment;
      if (index >= virtualLength(segment) || index < 0) return;
      const length = stop - start;
      const col = on ? color : DARK;
      let i = index * (grp + spc);
      if (rev) {
        if (mi) i = Math.floor((length - 1) / 2) - i;
        else i = length - 1 - i;
      }
      i += start;
      for (let j = 0; j < grp; j += 1) {
        let indexSet = i + (rev ? -j : j);
        if (indexSet >= start && indexSet < stop) {
          if (mi) {
            let indexMir = stop - indexSet + start - 1;
            indexMir += of;
            if (indexMir >= stop) indexMir -= length;
            strip[indexMir] = col;
          }
          indexSet += of;
          if (indexSet >= stop) indexSet -= length;
          strip[indexSet] = col;
        }
      }
    },
    fill(segment, color) {
      for (let index = 0; index < virtualLength(segment); index += 1) leds.paint(segment, index, color);
    },
    setUp(segment, settings) {
      const next = { ...segment, ...settings };
      const isChanged = (['start', 'stop', 'grp', 'spc', 'of'] as const).some((name) => next[name] !== segment[name]);
      if (version === '0.14.4' ? isChanged : next.spc > 0) leds.fill(segment, DARK);
      Object.assign(segment, settings);
    },
    shown: () => [...strip],
    clear() {
      strip = strip.map(() => DARK);
    },
  };
  return leds;
}

/** 16 keeps the pixels of each segment, and builds each frame from them: `WS2812FX::show` and `blendSegment`. */
function blendedLeds(count: number): WledLeds {
  const leds: WledLeds = {
    paint({ raw, start, stop }, index, color) {
      if (index >= 0 && index < stop - start) raw[index] = color;
    },
    fill(segment, color) {
      segment.raw = Array.from({ length: segment.stop - segment.start }, () => color);
    },
    setUp(segment, settings) {
      const next = { ...segment, ...settings };
      const isReset = (['start', 'stop', 'grp', 'spc', 'mi'] as const).some((name) => next[name] !== segment[name]);
      Object.assign(segment, settings);
      if (isReset || segment.spc > 0) leds.fill(segment, DARK);
    },
    shown(segments) {
      const pixels = Array.from({ length: count }, () => DARK);
      for (const segment of segments) {
        const { start, stop, grp, spc, of, rev, mi, bm, raw, on } = segment;
        const length = stop - start;
        if (!on) continue;
        const set = (i: number, color: string): void => {
          // Mode 1 shows what is below the segment. No test needs the other modes.
          const blend = (at: number): string => (bm === 1 ? (pixels[at] ?? DARK) : color);
          if (mi) {
            let indxM = stop - i - 1;
            indxM += of;
            if (indxM >= stop) indxM -= length;
            pixels[indxM] = blend(indxM);
          }
          let indx = start + i;
          indx += of;
          if (indx >= stop) indx -= length;
          pixels[indx] = blend(indx);
        };
        const nLen = virtualLength(segment);
        for (let k = 0; k < nLen; k += 1) {
          let i = rev ? nLen - k - 1 : k;
          i *= grp + spc;
          const maxI = Math.min(i + grp, length);
          while (i < maxI) {
            set(i, raw[k] ?? DARK);
            i += 1;
          }
        }
      }
      return pixels;
    },
    clear: () => undefined,
  };
  return leds;
}
