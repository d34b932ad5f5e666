import { z } from 'zod';
import { MAX_SIMULATED } from '../lib/devices/maxSimulated.ts';
import { buttonsSchema, deviceIdSchema } from './device.ts';
import { intOrNull, named, oneOf, whole } from './fields.ts';

export const simulatedDevicesRequestSchema = named('SimulatedDevicesRequest', {
  count: whole(1, MAX_SIMULATED)
    .default(1)
    .describe('Number of devices to add. Refused with 409 above a total of 10,000.'),
  buttons: z
    .union([z.literal(1), z.literal(3)])
    .optional()
    .describe('Number of buttons. Defaults to 1 for odd numbers and 3 for even numbers.'),
  firmware: whole(1, 65_535).default(70).describe('Firmware version. Below 67, screens are drawn as on older devices.'),
});

export const simulatedDeviceSchema = named('SimulatedDevice', {
  deviceid: deviceIdSchema,
  buttons: buttonsSchema,
  firmware: z.int().describe('Firmware version.'),
  reachable: z.boolean().describe('false: the device neither receives nor sends.'),
  battery_mv: z.int().describe('Voltage of the battery in millivolts.'),
  refresh_ms: z.int().describe('Duration of a full e-paper refresh in milliseconds.'),
  press_after_ms: intOrNull.describe('Milliseconds until a simulated worker presses; null for never.'),
});
export type SimulatedDeviceEntry = z.infer<typeof simulatedDeviceSchema>;

export const simulatedPressSchema = named('SimulatedPress', {
  button: oneOf(['front', 'plus', 'minus'])
    .default('front')
    .describe('plus and minus are available only on a device with three buttons.'),
  hold: oneOf(['short', 'long']).default('short').describe('long sends a call if the device is idle.'),
});

export const simulatedDeviceChangeSchema = z
  .object({
    reachable: z.boolean().describe('false: the device neither receives nor sends.'),
    battery_mv: whole(0, 10_000).describe('Voltage of the battery in millivolts; 3,000 is full, 2,200 is empty.'),
    refresh_ms: whole(0, 60_000).describe(
      'Duration of a full e-paper refresh in milliseconds. A partial refresh takes 15 % of it.',
    ),
    press_after_ms: whole(0, 86_400_000)
      .nullable()
      .describe('Milliseconds until a simulated worker presses a lit command; null for never.'),
  })
  .partial()
  .meta({ id: 'SimulatedDeviceChange' });

export const simulatedTurboChangeSchema = z
  .object({
    connected: z.boolean().describe('false cuts the link to the station.'),
    loss: z.number().min(0).max(1).describe('Fraction of lost frames, from 0 to 1.'),
    latency_ms: whole(0, 60_000).describe('Additional delay of each frame in milliseconds.'),
  })
  .partial()
  .meta({ id: 'SimulatedTurboChange' });
