import { z } from 'zod';
import type { LinkPlace } from '../../ports.ts';
import type { StripSegment } from './strip.ts';

/** Maximum size of an answer in bytes. */
export const MAX_ANSWER_BYTES = 65_536;

/** Brightness of the whole strip or of a segment, 0 to 255. */
const brightness = z.number().min(0).max(255).default(255);

const answerSchema = z.object({
  info: z.object({
    ver: z.string().max(40),
    mac: z.string().regex(/^[0-9a-f]{12}$/i),
    name: z.string().transform((name) => name.slice(0, 60)),
    leds: z.object({ count: z.int().min(1).max(100_000) }),
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
          frz: z.boolean().optional(),
          bri: brightness,
        }),
      )
      .max(256),
  }),
});
export type WledAnswer = z.infer<typeof answerSchema>;
export type WledSegment = WledAnswer['state']['seg'][number];

/** Parses the response of a controller at `/json/si`. Returns undefined if it is not from a controller. */
export function readAnswer(json: unknown): WledAnswer | undefined {
  return answerSchema.safeParse(json).data;
}

/** Returns the segments that have LEDs. */
export function segmentsIn({ seg }: WledAnswer['state']): StripSegment[] {
  return seg.flatMap(({ id, start, stop }, index) => (stop > start ? [{ id: id ?? index, start, stop }] : []));
}

/** Returns a message about a place whose LEDs are not all in segments. */
export function outsideProblem({ label, start, count }: LinkPlace, { info }: WledAnswer): string {
  const leds = count === 1 ? `LED ${start} is` : `LEDs ${start} to ${start + count - 1} are`;
  if (start + count > info.leds.count) {
    return `${label}: ${leds} beyond the end of the strip, which has ${info.leds.count} (0 to ${info.leds.count - 1}).`;
  }
  return `${label}: ${leds} partly in no segment of ${info.name}. Extend a segment over them in WLED.`;
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
