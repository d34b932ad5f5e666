import { z } from 'zod';
import { deviceRequestSchema, displayedSchema, MAX_NAME_CHARACTERS, screenContentSchema } from './device.ts';
import { intOrNull, named, textUpTo, whole } from './fields.ts';

/** Options for the preview image, in addition to the request itself. */
const previewOptionsSchema = z.object({
  firmware: whole(0, 65_535).describe('Firmware version. Defaults to the firmware of the named device, or 70.'),
  voltage: z
    .number()
    .min(0)
    .max(65)
    .nullable()
    .describe('Voltage to show for the battery, in volts; null for none. Defaults to the voltage of the named device.'),
  scale: whole(1, 8).describe('Pixels per pixel of the display. Defaults to 1.'),
  label: textUpTo(MAX_NAME_CHARACTERS).describe('Label of the place. Defaults to the label of the named device.'),
});

export const PREVIEW_OPTIONS = ['firmware', 'voltage', 'scale', 'label'] as const satisfies readonly (keyof z.infer<
  typeof previewOptionsSchema
>)[];

export const previewRequestSchema = deviceRequestSchema
  .extend(previewOptionsSchema.partial().shape)
  .meta({ id: 'PreviewRequest' });

export const previewSchema = named('Preview', {
  png: z.string().describe('The image, in base64.'),
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  warnings: z.array(z.string()).describe('Parts of the request that would be cut or ignored.'),
  screen: screenContentSchema,
  led: displayedSchema.shape.led,
  seconds: intOrNull.describe(
    'Seconds until a command times out; 0 means never. Null for statics, which do not time out.',
  ),
  sound: z.object({
    encoding: z.string().describe('The sound as tempo and notes; empty for silence.'),
    ms: z.int().describe('Duration in milliseconds.'),
  }),
});
export type PreviewAnswer = z.infer<typeof previewSchema>;
