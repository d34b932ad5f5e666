import { z } from 'zod';

const timestamp = z.iso.datetime();

export const turboSchema = z
  .object({
    serial_number: z.string(),
    name: z.string(),
    status: z.enum(['online', 'offline', 'connecting']),
    transport: z.enum(['usb', 'network', 'simulated']),
    port: z.string(),
    firmware: z.int(),
    uptime: z.int().describe('Seconds.'),
    last_seen: timestamp.nullable(),
    device_count: z.int(),
    problem: z
      .string()
      .nullable()
      .describe(
        'What is wrong, in words for people: why there is no session with it, or that another turbo has its serial number; null: nothing is known to be wrong.',
      ),
  })
  .meta({ id: 'Turbo' });
export type Turbo = z.infer<typeof turboSchema>;

/** Slower ones are too slow for the protocol: half a frame is given up after a second. */
export const BAUD_RATES = [115_200, 230_400, 460_800, 921_600, 1_000_000, 2_000_000] as const;

/** A serial port that the system knows, and whether it looks like one on which turbos are. */
export const serialPortSchema = z
  .object({
    path: z.string().describe('`COM3`, `/dev/ttyUSB0`.'),
    name: z.string().describe('What is plugged in, as far as it says; may be empty.'),
    vendor_id: z.string().describe('Of the USB device, four hexadecimal digits; empty where it is none.'),
    product_id: z.string(),
    serial_number: z.string(),
    is_usb: z.boolean(),
    link: z.string().nullable().describe('The id of the link that is kept on it; null: none.'),
  })
  .meta({ id: 'SerialPort' });
export type SerialPortEntry = z.infer<typeof serialPortSchema>;

export const LINK_STEPS = ['absent', 'opening', 'listening', 'online', 'resetting', 'waiting'] as const;

/** A serial port that the station keeps open for a turbo. */
export const turboLinkSchema = z
  .object({
    id: z.string(),
    path: z.string().describe('Where it is now, or was last.'),
    vendor_id: z.string().describe('By which it is found again in another socket; empty: by its path alone.'),
    product_id: z.string(),
    serial_number: z.string(),
    baud_rate: z.int(),
    flow_control: z.boolean(),
    step: z
      .enum(LINK_STEPS)
      .describe(
        'absent: not plugged in. listening: open, no turbo has answered yet, or one that may not come in: see `problem`. waiting: for the next try.',
      ),
    problem: z.string().nullable().describe('Why there is no turbo on it, in words for people.'),
    attempts: z.int().describe('Times in a row that no turbo answered.'),
    turbo: z.string().nullable().describe('Serial number of the turbo on it.'),
  })
  .meta({ id: 'TurboLink' });
export type TurboLink = z.infer<typeof turboLinkSchema>;

export const newTurboLinkSchema = z
  .object({
    path: z
      .string()
      .trim()
      .min(1, 'Name the port, such as COM3 or /dev/ttyUSB0.')
      .max(200)
      .regex(/^(COM\d{1,3}|\/dev\/[\w./:-]+)$/i, 'A port is called COM3 on Windows, /dev/ttyUSB0 elsewhere.')
      .refine((path) => !path.includes('..'), 'A path goes straight to its port, without "..".'),
    baud_rate: z
      .int()
      .refine((rate) => BAUD_RATES.some((known) => known === rate), `One of ${BAUD_RATES.join(', ')}.`)
      .default(921_600)
      .describe('Bits a second. A turbo with USB of its own takes any.'),
    flow_control: z.boolean().default(false).describe('RTS and CTS.'),
  })
  .meta({ id: 'NewTurboLink' });
export type NewTurboLink = z.infer<typeof newTurboLinkSchema>;
