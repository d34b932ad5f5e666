import { z } from 'zod';
import { pixelsOf, type SegmentShape, type StripSegment } from './pixels.ts';

/** Maximum size of an answer in bytes. */
export const MAX_ANSWER_BYTES = 65_536;
/** Maximum number of LEDs on one controller in any build of WLED. */
const MAX_LEDS = 16_384;
/** Maximum number of LEDs of all segments together, which may overlap. */
const MAX_SEGMENT_LEDS = 4 * MAX_LEDS;

/** Brightness of the whole strip or of a segment, 0 to 255. */
const brightness = z.number().min(0).max(255).default(255);

const partsSchema = z.object({
  info: z.object({
    ver: z.string().max(40),
    mac: z.string().regex(/^[0-9a-f]{12}$/i),
    name: z.string().transform((name) => name.slice(0, 60)),
    leds: z.object({ count: z.int().min(1).max(MAX_LEDS), matrix: z.object({}).optional() }),
    uptime: z.number().min(0).max(4_294_967_295).default(0),
    live: z.boolean().default(false),
    wifi: z
      .object({ rssi: z.number().min(-128).max(0) })
      .partial()
      .default({}),
  }),
  state: z.object({
    on: z.boolean(),
    bri: brightness,
    seg: z
      .array(
        z.object({
          id: z.int().min(0).optional(),
          start: z.int().min(0).default(0),
          stop: z.int().min(0).default(0),
          on: z.boolean().default(true),
          frz: z.boolean().optional(),
          bri: brightness,
          rev: z.boolean().default(false),
          mi: z.boolean().default(false),
          grp: z.int().min(1).max(255).default(1),
          spc: z.int().min(0).max(255).default(0),
          of: z.int().min(0).max(65_535).default(0),
          bm: z.int().default(0),
        }),
      )
      .max(256),
  }),
});
export type WledAnswer = z.infer<typeof partsSchema>;
const answerSchema = partsSchema.refine(
  (answer) => shapesIn(answer).reduce((sum, { start, stop }) => sum + stop - start, 0) <= MAX_SEGMENT_LEDS,
);
export type WledSegment = WledAnswer['state']['seg'][number];

/** Parses the response of a controller at `/json/si`. Returns undefined if it is not from a controller. */
export function readAnswer(json: unknown): WledAnswer | undefined {
  return answerSchema.safeParse(json).data;
}

/** Returns how the owner has set up the segments, as text, to detect changes. */
export function layoutText({ info, state }: WledAnswer): string {
  const shapes = state.seg.map(({ id, start, stop, rev, mi, grp, spc, of, bm }) => [
    id,
    start,
    stop,
    [rev, mi, grp, spc, of, bm],
  ]);
  return JSON.stringify([info.ver, info.leds.count, info.leds.matrix !== undefined, shapes]);
}

/** Returns the segments that have LEDs. Those on which lights would not last (`hidesLights`) and those of a matrix have no pixels. */
export function segmentsIn(answer: WledAnswer): StripSegment[] {
  const { info } = answer;
  const isBlended = isAfter015(info.ver);
  return shapesIn(answer).map((shape) => {
    const isHidden = info.leds.matrix !== undefined || hidesLights(shape);
    return { id: shape.id, start: shape.start, stop: shape.stop, pixels: isHidden ? [] : pixelsOf(shape, isBlended) };
  });
}

/** A segment with the settings that can hide its lights: the number of dark LEDs after each pixel, and the blend mode. */
type OwnerShape = SegmentShape & { spc: number; bm: number };

/**
 * Whether lights would not last in this segment: with each request, WLED turns off all pixels of a segment with spacing; and a blend mode
 * mixes the segment with what is below it, which is dark.
 */
export function hidesLights({ spc, bm }: OwnerShape): boolean {
  return spc > 0 || bm !== 0;
}

/** Returns the settings of the segments with LEDs, cut at the end of the strip. */
export function shapesIn({ info, state }: WledAnswer): OwnerShape[] {
  return state.seg.flatMap((one, index) => {
    const stop = Math.min(one.stop, info.leds.count);
    return stop > one.start ? [{ ...one, stop, id: one.id ?? index }] : [];
  });
}

/** Whether WLED blends segments into a frame, as the versions do that followed 0.15. */
function isAfter015(version: string): boolean {
  const [major = 0, minor = 0] = version.split(/\D+/, 2).map(Number);
  return major > 0 || minor > 15;
}

/** Converts a version to a number, such as `0.15.1` to 1501. */
export function versionNumber(text: string): number {
  const [major = 0, minor = 0, patch = 0] = text.split(/\D+/, 3).map(Number);
  return Math.min(65_535, major * 10_000 + minor * 100 + patch);
}

/** Whether WLED accepted a request. It answers `{"success":true}`, or `{"error":3}` while it is busy with another request. */
export function isAccepted(json: unknown): boolean {
  return typeof json === 'object' && json !== null && !('error' in json);
}

export function busyProblem(status: number): string {
  return `The controller is busy: it answered ${status}.`;
}
