import { ARROWS } from '#shared/screen/content.ts';
import {
  bool,
  bytes16,
  deviceId,
  i8,
  list,
  numberOf,
  oneOf,
  optional,
  rgb,
  secret,
  text16,
  text8,
  u16,
  u32,
  u8,
  union,
  type BodyOf,
  type Fields,
} from './fields.ts';

/** Versions must be equal. A field added at the end of a message needs no new version: who does not know it skips it. */
export const PROTOCOL_VERSION = 1;

/** How often a turbo says that it is alive; three times that without a word is a lost link. */
export const HEARTBEAT_MS = 5_000;
export const LOST_AFTER_MS = 3 * HEARTBEAT_MS;

/** Reports that a device keeps until they were taken. At this number it refuses presses and shows. */
export const HELD_REPORTS = 64;

/** Backgrounds that the station sends to one turbo without an answer to the first: behind more of them a pick would be late. */
export const BACKGROUNDS_IN_FLIGHT = 8;

/** Whoever was answered `busy` asks again this much later. */
export const BUSY_RETRY_MS = 1_000;

/** What a device can be sent. */
export const CAN_DRAW_FIELDS = 1;
export const CAN_DRAW_BITMAPS = 2;

export const ACK_STATUSES = [
  'ok',
  'unknownDevice',
  'unreachable',
  'busy',
  'unsupported',
  'malformed',
  'refused',
  'alreadyEnded',
  'contentMissing',
] as const;
export type AckStatus = (typeof ACK_STATUSES)[number];

type Row = {
  readonly id: number;
  readonly from: 'station' | 'turbo' | 'both';
  /** The message that answers this one; a request that cannot be served is answered with an ack all the same. */
  readonly reply: 'ack' | 'welcome' | 'synced' | undefined;
  /** Silence after which the request is repeated. The wait doubles each time, up to `longestMs`. */
  readonly replyMs: number;
  readonly longestMs: number;
  readonly body: Fields;
  readonly summary: string;
};

/** Longer waits would spare little: a link on which nothing is heard for 15 s is closed anyway. */
const PATIENT = { replyMs: 1_500, longestMs: 10_000 } as const;
const NO_REPLY = { reply: undefined, replyMs: 0, longestMs: 0 } as const;

/** What is drawn. */
const SCREEN = union({
  same: {},
  fields: {
    label: text8,
    lines: list(text8),
    quantity: optional(u32),
    arrow: optional(oneOf(ARROWS)),
    barcode: text8,
    qrcode: text8,
    icon: text8,
  },
  bitmap: { packing: oneOf(['raw', 'packBits']), pixels: bytes16 },
});

/** Every message there is. Codec, log line, simulator and protocol page follow this table. */
export const MESSAGES = {
  hello: {
    id: 0x01,
    from: 'turbo',
    reply: 'welcome',
    replyMs: 1_000,
    longestMs: 1_000,
    body: {
      protocol: u8,
      serialNumber: text8,
      name: text8,
      firmware: u16,
      bootId: u32,
      uptimeS: u32,
      window: u8,
      username: optional(text8),
      secret: secret(optional(text8)),
    },
    summary:
      'First message on an open link, after a reboot and after the link was lost. `bootId` is random per boot, `window` is the number of unanswered requests the turbo bears. Over TCP it signs in: with the user name and password of a person, or with the name and the API key of an API user.',
  },
  welcome: {
    id: 0x02,
    from: 'station',
    ...NO_REPLY,
    body: {
      protocol: u8,
      status: oneOf(['accepted', 'wrongVersion', 'refused', 'notSignedIn', 'numberTaken']),
      sessionId: u32,
      heartbeatMs: u16,
      window: u8,
    },
    summary:
      'Answers `hello`. Both sides forget what was in flight and which sequence numbers they have seen. Unless accepted, the turbo sends nothing but another `hello` after 30 s.',
  },
  heartbeat: {
    id: 0x03,
    from: 'turbo',
    reply: 'ack',
    // Steady, since it is what keeps a bad link from being taken for a lost one.
    replyMs: 1_500,
    longestMs: 1_500,
    body: { uptimeS: u32 },
    summary: 'The turbo is alive. A side that hears nothing at all for three intervals takes the link for lost.',
  },
  ack: {
    id: 0x04,
    from: 'both',
    ...NO_REPLY,
    body: { status: oneOf(ACK_STATUSES) },
    summary: 'The general answer.',
  },
  show: {
    id: 0x10,
    from: 'station',
    reply: 'ack',
    ...PATIENT,
    body: {
      device: deviceId,
      token: u32,
      checksum: u32,
      seconds: u32,
      quantity: optional(u32),
      led: oneOf(['off', 'steady', 'blink']),
      color: rgb,
      brightness: u8,
      fixedBrightness: bool,
      sound: text16,
      screen: SCREEN,
    },
    summary:
      'What a device shows from now on. Token 0 is the background, which the device keeps; any other token is work that ends by a front press or after `seconds` (0: never). The ack says that the turbo has it and passes it on by radio.',
  },
  shown: {
    id: 0x11,
    from: 'turbo',
    reply: 'ack',
    ...PATIENT,
    body: { device: deviceId, token: u32, checksum: u32, ageMs: u32 },
    summary: 'The refresh is done, the LED is lit, the seconds are counted from `ageMs` ago.',
  },
  button: {
    id: 0x12,
    from: 'turbo',
    reply: 'ack',
    ...PATIENT,
    body: {
      device: deviceId,
      epoch: u32,
      counter: u32,
      token: u32,
      button: oneOf(['front', 'plus', 'minus']),
      hold: oneOf(['short', 'long']),
      ageMs: u32,
      quantity: optional(u32),
    },
    summary:
      "A button was pressed `ageMs` ago while `token` was on the screen. `quantity` is the device's count after it.",
  },
  ended: {
    id: 0x13,
    from: 'turbo',
    reply: 'ack',
    ...PATIENT,
    body: { device: deviceId, epoch: u32, counter: u32, token: u32, ageMs: u32, quantity: optional(u32) },
    summary: 'The device counted its seconds down without a press and went back to its background.',
  },
  keep: {
    id: 0x14,
    from: 'station',
    reply: 'ack',
    ...PATIENT,
    body: { device: deviceId, checksum: u32, screen: SCREEN },
    summary:
      'The background of a device that shows work: what it goes back to when that ends. What is on the screen stays; a device that has gone back by then draws it. The ack says that the turbo has it.',
  },
  deviceStatus: {
    id: 0x20,
    from: 'turbo',
    reply: 'ack',
    ...PATIENT,
    body: {
      device: deviceId,
      epoch: u32,
      firmware: u16,
      buttons: numberOf([1, 3]),
      capabilities: u8,
      batteryMv: u16,
      rssiDbm: i8,
      uptimeS: u32,
      shownToken: u32,
      shownChecksum: optional(u32),
      remainingMs: optional(u32),
      reachable: bool,
      pendingToken: optional(u32),
      pendingChecksum: optional(u32),
      backgroundChecksum: optional(u32),
    },
    summary:
      'Sent when a device is first heard, reboots or changes its condition, and for every device after `sync`; always behind the held reports of that device. Another `epoch` than before: the device has started anew and remembers nothing. The pending pair is what was taken and is not on the screen yet, `backgroundChecksum` the background that the device keeps.',
  },
  sync: {
    id: 0x21,
    from: 'station',
    reply: 'synced',
    ...PATIENT,
    body: {},
    summary: 'Send a `deviceStatus` of every device and every report that is held.',
  },
  synced: {
    id: 0x22,
    from: 'turbo',
    ...NO_REPLY,
    body: { devices: u16 },
    summary: 'Answers `sync` once all that was held when it came, and the status of each device, was acknowledged.',
  },
} as const satisfies { readonly [name: string]: Row };

export type MessageName = keyof typeof MESSAGES;
export type Body<N extends MessageName> = BodyOf<(typeof MESSAGES)[N]['body']>;
export type Message = { [N in MessageName]: { name: N; body: Body<N> } }[MessageName];
export type Side = 'station' | 'turbo';

/** Messages that expect an answer. */
export type RequestName = {
  [N in MessageName]: (typeof MESSAGES)[N]['reply'] extends undefined ? never : N;
}[MessageName];
export type RequestMessage = Extract<Message, { name: RequestName }>;
export type Reply = Exclude<Message, RequestMessage>;
