import { z } from 'zod';
import { MAX_SIMULATED } from '../lib/maxSimulated.ts';
import { buttonsSchema, deviceIdSchema } from './device.ts';

export const simulatedDevicesRequestSchema = z
  .object({
    count: z.int().min(1).max(MAX_SIMULATED).default(1).describe('How many are added; in total at most 10,000 (409).'),
    buttons: z
      .union([z.literal(1), z.literal(3)])
      .optional()
      .describe('Without it odd ones have one, even ones three.'),
    firmware: z
      .int()
      .min(1)
      .max(65_535)
      .default(70)
      .describe('Its version; below 67 screens are drawn as older devices do.'),
  })
  .meta({ id: 'SimulatedDevicesRequest' });

export const simulatedDeviceSchema = z
  .object({
    deviceid: deviceIdSchema,
    buttons: buttonsSchema,
    firmware: z.int().describe('Its version.'),
    reachable: z.boolean().describe('False: it hears and says nothing.'),
    battery_mv: z.int().describe('Millivolts.'),
    refresh_ms: z.int().describe('Milliseconds of a full refresh of its e-paper.'),
    press_after_ms: z.int().nullable().describe('Milliseconds after which somebody presses; null: nobody does.'),
  })
  .meta({ id: 'SimulatedDevice' });
export type SimulatedDeviceEntry = z.infer<typeof simulatedDeviceSchema>;

export const simulatedPressSchema = z
  .object({
    button: z.enum(['front', 'plus', 'minus']).default('front').describe('plus and minus: of a device with three.'),
    hold: z.enum(['short', 'long']).default('short').describe('long: a call, where the device is idle.'),
  })
  .meta({ id: 'SimulatedPress' });

export const simulatedDeviceChangeSchema = z
  .object({
    reachable: z.boolean().describe('False: it hears and says nothing.'),
    battery_mv: z.int().min(0).max(10_000).describe('Millivolts; 3,000 is full, 2,200 empty.'),
    refresh_ms: z
      .int()
      .min(0)
      .max(60_000)
      .describe('Milliseconds of a full refresh of its e-paper; a partial one takes 15 % of it.'),
    press_after_ms: z
      .int()
      .min(0)
      .max(86_400_000)
      .nullable()
      .describe('A simulated worker presses so many milliseconds after something is lit; null: nobody does.'),
  })
  .partial()
  .meta({ id: 'SimulatedDeviceChange' });

export const simulatedTurboChangeSchema = z
  .object({
    connected: z.boolean().describe('False: its link to the station is cut.'),
    loss: z.number().min(0).max(1).describe('Part of the frames that are lost.'),
    latency_ms: z.int().min(0).max(60_000).describe('Milliseconds that each frame takes longer.'),
  })
  .partial()
  .meta({ id: 'SimulatedTurboChange' });
