import { z } from 'zod';
import { BAUD_RATES } from '../lib/baudRates.ts';
import { LISTENS } from './exposure.ts';

const timestamp = z.iso.datetime();

export const turboSchema = z
  .object({
    serial_number: z.string(),
    name: z.string(),
    status: z.enum(['online', 'offline', 'connecting']),
    transport: z.enum(['usb', 'network', 'simulated']),
    port: z.string().describe('Where it is connected.'),
    firmware: z.int().describe('Its version.'),
    uptime: z.int().describe('Seconds since the turbo was started, at last_seen.'),
    last_seen: timestamp.nullable(),
    device_count: z.int().describe('Devices that it serves.'),
    problem: z
      .string()
      .nullable()
      .describe(
        'What is wrong, in words for people: why there is no session with it, or that another turbo has its serial number; null: nothing is known to be wrong.',
      ),
  })
  .meta({ id: 'Turbo' });
export type Turbo = z.infer<typeof turboSchema>;

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
    baud_rate: z.int().describe('Bits a second.'),
    flow_control: z.boolean(),
    step: z
      .enum(LINK_STEPS)
      .describe(
        'absent: not plugged in. listening: open, no turbo has answered yet, or one that may not come in: see `problem`. waiting: for the next try.',
      ),
    problem: z.string().nullable().describe('Why there is no turbo on it, in words for people.'),
    attempts: z.int().describe('Times in a row that no turbo answered.'),
    next_try: timestamp
      .nullable()
      .describe('null: it is being tried, is looked for all the time, or there is a turbo.'),
    turbo: z.string().nullable().describe('Serial number of the turbo on it.'),
  })
  .meta({ id: 'TurboLink' });
export type TurboLink = z.infer<typeof turboLinkSchema>;

/** What passed between the station and a turbo since it was heard first. */
export const turboTrafficSchema = z
  .object({
    serial_number: z.string(),
    since: timestamp,
    frames_in: z.int().describe('From the turbo.'),
    frames_out: z.int().describe('To the turbo.'),
    bytes_in: z.int().describe('From the turbo.'),
    bytes_out: z.int().describe('To the turbo.'),
    repeated_in: z.int().describe('Of these frames, those that had passed before.'),
    repeated_out: z.int().describe('Of the frames to it, those that were sent again.'),
    broken_frames: z.int().describe('What arrived damaged, or only half.'),
    round_trip_ms: z
      .number()
      .nullable()
      .describe('From a frame to its ack, a running mean; null: none was answered yet.'),
    errors: z
      .array(z.object({ at: timestamp, problem: z.string() }))
      .describe('The last twenty, newest first: why links ended or were refused.'),
  })
  .meta({ id: 'TurboTraffic' });
export type TurboTrafficEntry = z.infer<typeof turboTrafficSchema>;

/** One frame of the wire protocol, decoded. */
export const turboFrameSchema = z
  .object({
    number: z.int().describe('Counts up while the station runs; a gap: some are no longer kept.'),
    at: timestamp,
    direction: z.enum(['in', 'out']).describe('in: from the turbo.'),
    message: z.string().describe('Of the message table; `unsupported 0x7f` or `malformed 0x10` where it fits none.'),
    sequence: z.int().describe('Its number on the wire, by which it is answered.'),
    answers: z.string().nullable().describe('The message that it answers.'),
    device: z.string().nullable().describe('Which device it is about.'),
    repeated: z.boolean().describe('It had passed before.'),
    fields: z.record(z.string(), z.unknown()).describe('What a turbo signs in with is hidden.'),
    bytes: z.string().describe('The whole frame in hexadecimal; `··` is hidden.'),
  })
  .meta({ id: 'TurboFrame' });
export type TurboFrame = z.infer<typeof turboFrameSchema>;

export const turboChangeSchema = z
  .object({
    name: z.string().trim().max(60).describe('Empty: what it calls itself.'),
  })
  .meta({ id: 'TurboChange' });

/** What somebody types into a turbo that is to come by the network. */
export const turboNetworkSchema = z
  .object({
    websocket: z
      .array(z.string())
      .describe('`ws://192.168.1.20:4680/turbo/`; wss where the station has a certificate.'),
    tcp: z.array(z.string()).describe('`192.168.1.20:4681`; empty: no port is open for TCP (--turbo-port).'),
    listens: z.enum(LISTENS).describe('this_machine: no turbo of the network reaches it yet.'),
    encrypted: z.boolean().describe('Without it, what signs in is taken from this machine alone.'),
    plain_passwords: z.boolean().describe('The setting turbo_plain_passwords: taken from everywhere all the same.'),
  })
  .meta({ id: 'TurboNetwork' });
export type TurboNetwork = z.infer<typeof turboNetworkSchema>;

export const newTurboLinkSchema = z
  .object({
    path: z
      .string()
      .trim()
      .min(1, 'Name the port, such as COM3 or /dev/ttyUSB0.')
      .max(200)
      .regex(/^(COM\d{1,3}|\/dev\/[\w./:-]+)$/i, 'A port is called COM3 on Windows, /dev/ttyUSB0 elsewhere.')
      .refine((path) => !path.includes('..'), 'A path goes straight to its port, without "..".')
      .describe('The port: `COM3`, `/dev/ttyUSB0`.'),
    baud_rate: z
      .int()
      .refine((rate) => BAUD_RATES.some((known) => known === rate), `One of ${BAUD_RATES.join(', ')}.`)
      .default(921_600)
      .describe('Bits a second. A turbo with USB of its own takes any.'),
    flow_control: z.boolean().default(false).describe('RTS and CTS.'),
  })
  .meta({ id: 'NewTurboLink' });
export type NewTurboLink = z.infer<typeof newTurboLinkSchema>;
