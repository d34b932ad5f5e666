/**
 * Every effect that leaves the station, as an interface. The composition root passes the real ones (systemPorts.ts),
 * tests pass a fake clock and keep everything else real.
 */
import type { Duplex } from 'node:stream';
import type { BackupContents } from '#shared/api/backup.ts';
import type { ScreenContent } from '#shared/screen/content.ts';

/** A timer that was set. Cancelling one that fired or was cancelled does nothing. */
export type Timer = { cancel(): void };

/** Wall time for rows, monotonic time for radio replies; both in milliseconds. */
export type Clock = {
  /** Milliseconds since 1970 UTC. May jump either way. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` of monotonic time. A timer does not keep the process alive. */
  setTimer(delayMs: number, run: () => void): Timer;
  /** Tells when the machine is about to sleep and when it woke, in a shell that hears of it. Answers what ends that. */
  onSleep(listener: (moment: SleepMoment) => void): () => void;
};

export type SleepMoment = 'suspend' | 'resume';

/** Randomness: unguessable in production, seeded in tests. */
export type Ids = {
  uuid(): string;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1): for jitter, never for secrets. */
  fraction(): number;
};

/** Structured log lines; secrets never go in. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type HttpRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** PEM certificates to trust beside the system's; undefined: the system's alone. */
  ca: string | undefined;
  /** False accepts any certificate. */
  verify: boolean;
};

export type HttpAnswer = {
  status: number;
  retryAfter: string | undefined;
  /** As they came, names in lower case; no more than people read. */
  headers: Readonly<Record<string, string>>;
  /** Its beginning, a kilobyte at most, packed as it came. */
  body: Uint8Array;
  /** `body` is all of it. */
  isWhole: boolean;
};

/** A request under way. Its answer rejects when there is none, and when it was given up: that costs less than a signal to each. */
export type Sending = { answer: Promise<HttpAnswer>; giveUp(): void };

/** Sends one callback; never follows a redirect; keeps no more of an answer than its beginning. */
export type HttpClient = {
  send(request: HttpRequest): Sending;
  /** Closes kept connections. */
  stop(): void;
};

/** The LED of one screen. `fixedBrightness`: the colour brings its own lightness, the device's setting is ignored. */
export type Led = { mode: 'off' | 'steady' | 'blink'; hex: string; fixedBrightness: boolean };

/** What a device should show: made by the engine, carried by a turbo. */
export type Show = {
  /** Names what is shown, so that a press belongs to it: 1 to 2^32-1 for a command, 0 for statics. */
  token: number;
  screen: ScreenContent;
  /** CRC-32 of the screen's content, without the battery read-out: an equal one needs no refresh. */
  checksum: number;
  led: Led;
  /** Percent, the device's setting. */
  brightness: number;
  /** Canonical encoding (`tempo,note,beats,...`), empty for silence. */
  sound: string;
  /** Until the device ends it by itself; 0 never. */
  seconds: number;
  /** What plus and minus start from; null without a quantity. */
  quantity: number | null;
};

/** What a turbo last said of a device. Ephemeral: kept in memory, saved once a minute. */
export type DeviceStatus = {
  firmware: number;
  buttons: 1 | 3;
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  /** The token on its screen now (0: statics), and the checksum of its content; undefined when it shows nothing of ours. */
  shownToken: number;
  shownChecksum: number | undefined;
  /** Milliseconds until the device ends what it shows; undefined when it never does. */
  remainingMs: number | undefined;
  reachable: boolean;
};

export type Button = 'front' | 'plus' | 'minus';
export type Hold = 'short' | 'long';

/** Who reported, and which report: a device counts its reports, a reset of its counter starts a new epoch. */
export type ReportId = { deviceId: string; epoch: number; counter: number };

/** A button event, by the device. `quantity` is the device's count after it, null where the screen has none. */
export type ButtonReport = ReportId & {
  token: number;
  button: Button;
  hold: Hold;
  /** Milliseconds between the press and now. */
  ageMs: number;
  quantity: number | null;
};

/** The device counted its seconds down and ended what it showed. */
export type EndedReport = ReportId & { token: number; ageMs: number; quantity: number | null };

export type ShownReport = { deviceId: string; token: number; checksum: number; ageMs: number };

export type TurboState = {
  serialNumber: string;
  name: string;
  status: 'online' | 'offline' | 'connecting';
  transport: 'usb' | 'network' | 'simulated';
  port: string;
  firmware: number;
  uptimeS: number;
  /** Epoch milliseconds; 0: never. */
  lastSeenAt: number;
  deviceCount: number;
  /** What is wrong, in words for people: another protocol version, say, or another turbo with its number. */
  problem?: string;
};

/**
 * What turbos tell the engine. The promises settle when the report is on disk (fulfilled) or was not taken (rejected):
 * only then may the turbo be told, which keeps the report until it is. Each is safe to be called again with the same report.
 */
export type TurboEvents = {
  /** The turbo took a show and passes it on. */
  sent(deviceId: string, token: number): void;
  shown(report: ShownReport): Promise<void>;
  /** `turboKey`: of the turbo that passed it on, see Admission. */
  button(report: ButtonReport, turboKey: string | undefined): Promise<void>;
  ended(report: EndedReport): Promise<void>;
  /** A turbo reaches the device now, or none does any more: `reaches` says which. */
  reachChanged(deviceId: string): void;
  /** A device was heard by the turbo that serves it, or its condition changed. What others say of it meanwhile may be old. */
  heard(turbo: string, deviceId: string, status: DeviceStatus, turboKey: string | undefined): void;
  /** Another turbo serves the device from now on, and hears it so well; undefined: none reaches it. */
  moved(deviceId: string, rssiDbm: number | undefined): void;
  turboChanged(state: TurboState): void;
};

/** The engine's side of all turbo links. */
export type Turbos = {
  /** What the device should show from now on. Replaces an earlier wish; sent when a turbo hears the device, again until it is shown. */
  want(deviceId: string, show: Show): void;
  /** What the device is to go back to by itself, once what it shows has ended: it is told so where it keeps another. */
  keep(deviceId: string, background: Show): void;
  /** The device is no longer ours: no more wishes, and whoever hears it has to say so anew. */
  forget(deviceId: string): void;
  list(): TurboState[];
  /** Forgets a turbo and what passed, until it is heard again. False: it is connected, or is not known. */
  forgetTurbo(serialNumber: string): boolean;
  /** The turbo that hears this device now. */
  turboOf(deviceId: string): TurboState | undefined;
  /** Whether a turbo hears this device and passes on to it. */
  reaches(deviceId: string): boolean;
  /** Whether the transport can press this device's buttons for us. */
  canPress(deviceId: string): boolean;
  /**
   * Asks every connected turbo for the state of its devices and the reports it still holds.
   * Resolves when all have answered and their reports were taken, or after `limitMs`.
   */
  drain(limitMs: number): Promise<void>;
  /** Resolves when every connected turbo has told all once since it connected, or after `limitMs`: asks none twice. */
  told(limitMs: number): Promise<void>;
};

/** What passed between the station and one turbo since it was heard first, over all its links. */
export type TurboTraffic = {
  /** Epoch milliseconds. */
  since: number;
  framesIn: number;
  framesOut: number;
  bytesIn: number;
  bytesOut: number;
  /** Frames of these that had passed before: their answer was late or lost. */
  repeatedIn: number;
  repeatedOut: number;
  /** What arrived damaged, or only half. */
  brokenFrames: number;
  /** From what was sent to its ack, a running mean; undefined: nothing was acknowledged yet. */
  roundTripMs: number | undefined;
  /** Newest first. `at`: epoch milliseconds. */
  errors: readonly { at: number; problem: string }[];
};

/** One frame as a person reads it. */
export type LoggedFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  /** `in`: from the turbo. */
  direction: 'in' | 'out';
  /** The row of the message table; `unsupported 0x7f` or `malformed 0x10` where there is none that fits. */
  message: string;
  sequence: number;
  /** The message that this one answers; undefined: none that is still kept. */
  answers: string | undefined;
  /** Which device it is about. */
  device: string | undefined;
  /** It had passed before. */
  repeated: boolean;
  /** Values as JSON carries them; secrets hidden, bitmaps by their size. */
  fields: { [name: string]: unknown };
  /** The whole frame, `A5 5A ...`; `··` for each byte that is hidden. */
  bytes: string;
};

/** What passed between the station and each turbo. Of an unknown one it is undefined. */
export type TurboWatch = {
  countsOf(serialNumber: string): TurboTraffic | undefined;
  /** Frames with a higher number than `after`, oldest first; without it all that are kept. */
  framesOf(serialNumber: string, after: number | undefined): LoggedFrame[] | undefined;
};

/** Who may be at the other end of a network. */
export type Admission = {
  /** Says why he is not let in, in words for people; undefined: he is. */
  admit(signIn: { username: string; secret: string }): Promise<string | undefined>;
  /** Whether what he signed in with is still accepted. */
  isLive(): boolean;
  /** The name of the API user of the scope `turbo` that signed in: it registers a limited number of devices. */
  turboKey(): string | undefined;
};

/** A serial port that is kept open for a turbo. */
export type SerialWish = {
  id: string;
  /** Where it was last. Without an identity it is only here. */
  path: string;
  /** Of the USB device: found by it again wherever it is plugged in. */
  identity: Pick<SerialPortInfo, 'vendorId' | 'productId' | 'serialNumber'> | null;
  baudRate: number;
  flowControl: boolean;
};

/** What is done about a port now. `absent`: it is not plugged in; `waiting`: until the next try. */
export type SerialStep = 'absent' | 'opening' | 'listening' | 'online' | 'resetting' | 'waiting';

export type SerialLinkState = {
  id: string;
  path: string;
  step: SerialStep;
  /** Why there is no turbo on it, in words for people; undefined while nothing is wrong. */
  problem: string | undefined;
  /** Times in a row that it was opened without a turbo answering. */
  attempts: number;
  /** When it is tried again, epoch milliseconds; undefined: it is being tried, or is looked for all the time. */
  nextTryAt: number | undefined;
};

/** Keeps serial ports open for turbos. */
export type SerialLinks = {
  /** The ports that are wanted from now on; others are closed. */
  set(wishes: readonly SerialWish[]): void;
  states(): SerialLinkState[];
  /** `changed` hears that the state of a link changed. */
  watch(changed: () => void): void;
  /** Tries again at once what waits. */
  retry(id: string): void;
  stop(): void;
};

/** A serial port that the system knows. Texts are empty where it does not say. */
export type SerialPortInfo = {
  /** `COM3`, `/dev/ttyUSB0`. It may be another one after the next plugging in. */
  path: string;
  /** Of the USB device, four hexadecimal digits in lower case. */
  vendorId: string;
  productId: string;
  serialNumber: string;
  manufacturer: string;
  /** Which socket of the machine it is in. */
  locationId: string;
};

export type SerialLine = { path: string; baudRate: number; flowControl: boolean };

export type SerialPorts = {
  /** Never rejects. */
  list(): Promise<SerialPortInfo[]>;
  /** Rejects with the reason of the system. The stream ends by `destroy`, or where the port is unplugged. */
  open(line: SerialLine): Promise<Duplex>;
  /** Presses the reset button of what is behind an open port, where its lines are wired so. Rejects where they cannot be set. */
  reset(stream: Duplex): Promise<void>;
};

export type SimulatedDevice = {
  deviceId: string;
  buttons: 1 | 3;
  firmware: number;
  reachable: boolean;
  batteryMv: number;
  /** Time of a full and of a partial refresh of its e-paper. */
  refreshFullMs: number;
  refreshPartialMs: number;
  /** A simulated worker presses the front button this long after something was lit; undefined: nobody does. */
  pressAfterMs: number | undefined;
};

/** The simulated hardware, as the simulator endpoints steer it. Unknown devices and turbos answer false. */
export type Simulator = {
  addDevice(device: { deviceId: string; buttons: 1 | 3; firmware: number }): void;
  /** Switches it off for good: nothing more is heard of it. */
  removeDevice(deviceId: string): boolean;
  findDevice(deviceId: string): SimulatedDevice | undefined;
  setDevice(deviceId: string, change: Partial<Omit<SimulatedDevice, 'deviceId' | 'buttons' | 'firmware'>>): boolean;
  /** The worker's finger. */
  press(deviceId: string, button: Button, hold: Hold): boolean;
  /** `loss` is the part of frames lost on the link (0 to 1); `latencyMs` delays each. */
  setTurbo(serialNumber: string, change: { connected?: boolean; loss?: number; latencyMs?: number }): boolean;
};

/**
 * A process beside the station's own, of low priority, which runs one file of ours: whatever ends it does not end the station. It
 * ends with the station at the latest.
 */
export type SideProcess = {
  /** Does nothing where it has ended. */
  send(message: object): void;
  /** Ends it at once, wherever it is. */
  kill(): void;
};

/** `ended` is called once, also of a process that never began: `how` goes on after "the process". Throws where it cannot be started. */
export type StartSideProcess = (
  file: URL,
  heard: { message(message: unknown): void; ended(how: string): void },
) => SideProcess;

/** How far a copy is, in bytes. */
export type CopyProgress = { step: 'copying' | 'checking'; doneBytes: number; totalBytes: number };

/** What a backup holds, and who asked for it. */
export type FoundInBackup = Omit<BackupContents, 'name'> & { by: string };

/**
 * Copies databases and reads them through, in side processes. Each answers what the file holds, and rejects with a StationError
 * that says why there is none: `invalid` where it can never be restored, or took too long, `storage` where the disk refuses, `conflict` (of a
 * check: `stopping`) where `signal` gave it up, `internal` where its process died. What it has begun to write is left to the
 * caller, and nobody writes to it any more.
 */
export type Copier = {
  /** The database as it is now, while others go on writing to it, as a single file that says who made it. */
  copy(
    job: { from: string; to: string; by: string; at: number },
    told: (progress: CopyProgress) => void,
    signal: AbortSignal,
  ): Promise<FoundInBackup>;
  /** Checks a file that was just brought from elsewhere. */
  receive(file: string, told: (progress: CopyProgress) => void, signal: AbortSignal): Promise<FoundInBackup>;
  check(file: string, signal: AbortSignal): Promise<FoundInBackup>;
  /** Checks a file and writes its rows into a new database `to`, ready to be restored. */
  rewrite(file: string, to: string, signal: AbortSignal): Promise<FoundInBackup>;
};

/** A hash of 32 bytes, slow on purpose. */
export type DerivePassword = (password: string, salt: Uint8Array) => Promise<Uint8Array>;
