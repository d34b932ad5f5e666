import { ARROWS } from '#shared/screen/content.ts';
import {
  added,
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

/**
 * Protocol version, which must be equal on both sides. A field added at the end of a message does not need a new version, because older
 * receivers skip it.
 */
export const PROTOCOL_VERSION = 1;

/** Heartbeat interval of a turbo. After three intervals without a message, the connection counts as lost. */
export const HEARTBEAT_MS = 5_000;
export const LOST_AFTER_BEATS = 3;
export const LOST_AFTER_MS = LOST_AFTER_BEATS * HEARTBEAT_MS;

/** Maximum number of reports that a device holds until the station accepts them. At this limit, the device refuses presses and shows. */
export const HELD_REPORTS = 64;

/** Maximum number of backgrounds in flight per turbo. More would delay a pick that follows. */
export const BACKGROUNDS_IN_FLIGHT = 8;

/** Delay before repeating a request that was answered `busy`. */
export const BUSY_RETRY_MS = 1_000;

/** Bits of `capabilities`: how a device draws, and which hardware it lacks. */
export const CAN_DRAW_FIELDS = 1;
export const CAN_DRAW_BITMAPS = 2;
/** The device has only an LED. */
export const HAS_NO_SCREEN = 4;
export const HAS_NO_LED = 8;
/** The device polls for its content, at intervals of at most 40 s. */
export const IS_SLOW = 16;

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
  'flashFull',
  'damaged',
  'badSignature',
] as const;
export type AckStatus = (typeof ACK_STATUSES)[number];

type Row = {
  readonly id: number;
  readonly from: 'station' | 'turbo' | 'both';
  /** The message that answers this request. A request that cannot be handled is always answered with an ack. */
  readonly reply: 'ack' | 'welcome' | 'synced' | undefined;
  /** How long to wait for an answer before the request is repeated. Doubles each time, up to `longestMs`. */
  readonly replyMs: number;
  readonly longestMs: number;
  readonly body: Fields;
  readonly summary: string;
};

/**
 * Repetition times for requests that may take longer. Even longer times would save little, because a connection is closed after 15 s of
 * silence anyway.
 */
const PATIENT = { replyMs: 1_500, longestMs: 10_000 } as const;
const NO_REPLY = { reply: undefined, replyMs: 0, longestMs: 0 } as const;

/** Screen content: unchanged, as fields or as a bitmap. */
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

/** All messages. The codec, log lines, the simulator and the protocol documentation use this table. */
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
      nonce: added(bytes16),
      answer: added(secret(bytes16)),
      software: added(text8),
      updateNonce: added(bytes16),
    },
    summary:
      'First message on an open link, after a reboot and after the link was lost. `bootId` is random per boot, `window` is the maximum number of unanswered requests that the turbo can handle. Over TCP it signs in: with the user name and password of a person, or with the name and the API key of an API user. `nonce` and `answer`: a [sign-in without the key on the wire](#sign-in-by-challenge). `software` says that its firmware can be updated, and which one it runs: a hash, or any other text; with `updateNonce` it takes only [signed updates](#signed-updates).',
  },
  welcome: {
    id: 0x02,
    from: 'station',
    ...NO_REPLY,
    body: {
      protocol: u8,
      status: oneOf(['accepted', 'wrongVersion', 'refused', 'notSignedIn', 'numberTaken', 'challenged']),
      sessionId: u32,
      heartbeatMs: u16,
      window: u8,
      challenge: added(bytes16),
      timeS: added(u32),
    },
    summary:
      'Answers `hello`. Both sides forget what was in flight and which sequence numbers they have seen. Unless accepted, the turbo sends nothing but another `hello` after 30 s. `challenged`, which comes only after a `hello` with `nonce`: another `hello`, with `answer`, at once. `timeS` is present if accepted: the time of the station in seconds since 1970 (UTC), for turbos without a battery-backed clock.',
  },
  heartbeat: {
    id: 0x03,
    from: 'turbo',
    reply: 'ack',
    // Repeat at constant intervals, because the heartbeat keeps a bad connection from being closed.
    replyMs: 1_500,
    longestMs: 1_500,
    body: { uptimeS: u32 },
    summary: 'The turbo is alive. A side that hears nothing for three intervals closes the link.',
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
    summary:
      'The LED is lit, and the seconds count from `ageMs` ago. The refresh is complete; if the screen showed no command, it may still follow.',
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
      sinceMs: added(u32),
    },
    summary:
      "A button was pressed `ageMs` ago while `token` was on the screen. `quantity` is the device's count after it. `sinceMs` is the time between this press and the previous press of any button of the device in the same epoch, measured by the device; it is absent for the first press. The station uses it to tell a bounce from a second press. Without it, only the arrival of the message can, which radio and a busy station delay.",
  },
  ended: {
    id: 0x13,
    from: 'turbo',
    reply: 'ack',
    ...PATIENT,
    body: { device: deviceId, epoch: u32, counter: u32, token: u32, ageMs: u32, quantity: optional(u32) },
    summary: 'The time of the work ran out without a press, and the device returned to its background.',
  },
  keep: {
    id: 0x14,
    from: 'station',
    reply: 'ack',
    ...PATIENT,
    body: { device: deviceId, checksum: u32, screen: SCREEN },
    summary:
      'The background of a device that shows work, to which it returns when the work ends. The screen does not change; a device that has already returned draws it. The ack says that the turbo has it.',
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
      buttons: numberOf([0, 1, 3]),
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
      'Sent when a device is first heard, reboots or changes its condition, and for every device after `sync`; always behind the held reports of that device. Another `epoch` than before: the device has restarted and remembers nothing. The pending pair is accepted but not on the screen yet; `backgroundChecksum` is the background that the device has.',
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
    summary: 'Answers `sync` once the status of each device and everything held when it arrived was acknowledged.',
  },
  update: {
    id: 0x30,
    from: 'station',
    reply: 'ack',
    ...PATIENT,
    body: { step: oneOf(['begin', 'switch', 'cancel']), bytes: u32, files: u16, hash: bytes16, tag: added(bytes16) },
    summary:
      'Only to turbos with `software` in `hello`. `begin`: files for `bytes` of flash will come; the turbo drops those of an earlier attempt. `switch`: all `files` have come; start them. `hash`: for each file, in the order sent, SHA-256 over the previous one (nothing for the first), its path and its SHA-256; the same in `begin`, where a turbo without `updateNonce` may ignore it. `tag`, with `begin`: the [signature](#signed-updates). `cancel`: drop them.',
  },
  updatePart: {
    id: 0x31,
    from: 'station',
    reply: 'ack',
    ...PATIENT,
    body: { path: text8, at: u32, data: bytes16, hash: added(bytes16) },
    summary:
      'The next bytes of a file, from the offset `at`. The last part of a file has `hash`, the SHA-256 of the whole file, which the turbo compares with what it has written.',
  },
} as const satisfies { readonly [name: string]: Row };

export type MessageName = keyof typeof MESSAGES;
export type Body<N extends MessageName> = BodyOf<(typeof MESSAGES)[N]['body']>;
export type Message = { [N in MessageName]: { name: N; body: Body<N> } }[MessageName];
export type Side = 'station' | 'turbo';

/** Name of a message that expects an answer. */
export type RequestName = {
  [N in MessageName]: (typeof MESSAGES)[N]['reply'] extends undefined ? never : N;
}[MessageName];
export type RequestMessage = Extract<Message, { name: RequestName }>;
export type Reply = Exclude<Message, RequestMessage>;
