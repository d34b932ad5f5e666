/**
 * Every effect that leaves the station, as an interface. The composition root passes the real ones (systemPorts.ts),
 * tests pass a fake clock and keep everything else real.
 */
import type { Duplex } from 'node:stream';
import type { BackupContents } from '#shared/api/backup.ts';
import type { Capabilities } from '#shared/api/device.ts';
import type { UpdateMode } from '#shared/api/updates.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';

/** A running timer. Cancelling twice, or after it fired, does nothing. */
export type Timer = { cancel(): void };

/** Wall time for rows, monotonic time for radio replies; both in milliseconds. */
export type Clock = {
  /** Milliseconds since 1970 UTC. May jump either way. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` of monotonic time. A timer does not keep the process alive. */
  setTimer(delayMs: number, run: () => void): Timer;
  /**
   * Reports when the machine goes to sleep and wakes up, if the shell can detect it. Returns the unsubscribe function.
   */
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

/** A file of the log: `lines` are its newest, as JSON. */
export type LogFileText = { name: string; bytes: number; lines: string[] };

/** A copy of the memory of a process that crashed. `at`: epoch milliseconds. */
export type CrashDump = { name: string; at: number; bytes: number };

/** The log on disk. */
export type LogFiles = {
  readonly folder: string;
  /** Asks `cleaner` before each batch of lines for what replaces secrets; when it throws, its last answer holds. */
  hide(cleaner: () => (text: string) => string): void;
  /** Asked for how many days files are kept, whenever a file is opened. */
  keepDays(days: () => number): void;
  /** Resolves when no line waits, or the disk takes none. */
  flush(): Promise<void>;
  /** The newest lines of all files, oldest file first. */
  read(maxBytes: number): Promise<LogFileText[]>;
  /** The newest first. */
  dumps(): Promise<CrashDump[]>;
};

/** Which version a program replaced, and why that was undone. `at`: epoch milliseconds. */
export type FailedUpdate = { version: string; at: number; problem: string };

/** Finds and installs newer versions of the program that runs the station. All reject with a StationError. */
export type Updater = {
  /** Why it cannot look for versions, as a sentence; undefined: it can. */
  readonly cannotCheck: string | undefined;
  /** Why it cannot install them, as a sentence; undefined: it can. */
  readonly cannotInstall: string | undefined;
  /** Fixed by the administrator of the machine; undefined: the setting decides. */
  readonly policy: UpdateMode | undefined;
  /** The newer version, or undefined, and when the list was signed, epoch milliseconds. */
  check(): Promise<{ version: string | undefined; signedAt: number }>;
  /** Downloads and checks what `check` found. */
  download(told: (percent: number) => void): Promise<void>;
  /** Ends the program, and starts the downloaded version. Resolves when the end has begun. */
  install(): Promise<void>;
  /** The last version that never became ready here. */
  failed(): FailedUpdate | undefined;
};

export type HttpRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** PEM certificates to trust in addition to the system's; undefined: only the system's. */
  ca: string | undefined;
  /** false: accepts any certificate. */
  verify: boolean;
  /** Waits for the whole body and keeps it, up to this many bytes; a longer one fails. Undefined: keeps its beginning. */
  wholeUpTo: number | undefined;
};

export type HttpAnswer = {
  status: number;
  retryAfter: string | undefined;
  /** As received, names in lower case, shortened for people. */
  headers: Readonly<Record<string, string>>;
  /** Without `wholeUpTo` at most the first kilobyte. Possibly compressed. */
  body: Uint8Array;
  /** `body` is complete. */
  isWhole: boolean;
};

/**
 * A request in progress. `answer` rejects without an answer and after `giveUp`, which costs less than an AbortSignal
 * per request.
 */
export type Sending = { answer: Promise<HttpAnswer>; giveUp(): void };

/** Sends a callback, or reads a sheet. Never follows redirects. */
export type HttpClient = {
  send(request: HttpRequest): Sending;
  /** Closes kept-alive connections. */
  stop(): void;
};

/** `ca`: PEM certificates to trust in addition to the well-known ones. An empty `username`: no sign-in. */
export type MailServer = {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  username: string;
  password: string;
  ca: string | undefined;
};

/** `id`: its Message-ID, the same for each attempt. `at`: epoch milliseconds. */
export type Mail = { id: string; from: string; to: readonly string[]; subject: string; text: string; at: number };

/** `words`: the server's last ones. `refused`: recipients that it refused, though not all. */
export type MailAnswer = { words: string; refused: readonly string[] };

/** Sends an e-mail. `answer` rejects if the server did not take it, and after `giveUp`. */
export type Mailer = {
  send(server: MailServer, mail: Mail): { answer: Promise<MailAnswer>; giveUp(): void };
};

/** An entry of a folder. `isFile`: neither a link nor a device. `names`: how many names the file has; more than one: hard links. */
export type FolderEntry = { name: string; size: number; modifiedMs: number; isFile: boolean; names: number };

/**
 * A folder of the shop that is open: no link leads its operations elsewhere. Names are those of entries directly in it. All reject with the
 * error of the system, whose `code` says why.
 */
export type OpenFolder = {
  path: string;
  /** Device and inode of the folder and of each folder above it, itself first: the same through links and bind mounts. */
  identities(): Promise<string[]>;
  /** Entries that are no folders. `isWanted`: asked before anything is read about one. */
  list(isWanted: (name: string) => boolean): Promise<FolderEntry[]>;
  /** Undefined: nothing has this name. */
  find(name: string): Promise<'file' | 'other' | undefined>;
  /** Makes a subfolder unless it exists, and opens it. Rejects with `ELOOP` if it is a link. */
  makeFolder(name: string): Promise<OpenFolder>;
  /**
   * The content and its SHA-256, hexadecimal; undefined: larger than `limit` bytes. Rejects with `ELOOP` or `EMLINK` if it is a link or has
   * several names.
   */
  read(name: string, limit: number): Promise<{ bytes: Uint8Array; hash: string } | undefined>;
  /** Writes a whole file or none, and replaces an earlier one. Resolves when it is on disk. */
  write(name: string, text: string): Promise<void>;
  move(name: string, to: { folder: OpenFolder; name: string }): Promise<void>;
  /** Moves the file at a path into it. */
  take(path: string, name: string): Promise<void>;
  close(): Promise<void>;
};

/** The folders of the shop, which may be shares. */
export type Folders = {
  /** Rejects unless it is a folder in which files can be read and written. */
  open(path: string): Promise<OpenFolder>;
  /** Calls `changed` when something in the folder may have changed, and once it watches. Returns the end of it. */
  watch(folder: string, changed: () => void): () => void;
};

/** The LED of a screen. `fixedBrightness`: the color includes its brightness, and the device's setting is ignored. */
export type Led = { mode: 'off' | 'steady' | 'blink'; hex: string; fixedBrightness: boolean };

/** What a device should show: created by the engine, transported by a turbo. */
export type Show = {
  /** Identifies what is shown, so that a press refers to it: 1 to 2^32-1 for a command, 0 for statics. */
  token: number;
  screen: ScreenContent;
  /** CRC-32 of the screen content without the battery read-out: if equal, no refresh is needed. */
  checksum: number;
  led: Led;
  /** In percent, from the device's setting. */
  brightness: number;
  /** Canonical encoding (`tempo,note,beats,...`), empty for silence. */
  sound: string;
  /** Seconds until the device ends it; 0: never. */
  seconds: number;
  /** Initial value for plus and minus; null without a quantity. */
  quantity: number | null;
};

/** What a device is, as it reports itself. */
export type DeviceHardware = Capabilities & { firmware: number };

/** Last report of a turbo about a device. In memory, saved once a minute. */
export type DeviceStatus = DeviceHardware & {
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  /** Token on its screen now (0: statics), and checksum of its content; undefined if it shows nothing of ours. */
  shownToken: number;
  shownChecksum: number | undefined;
  /** Milliseconds until the device ends what it shows; undefined: never. */
  remainingMs: number | undefined;
  reachable: boolean;
  /** Left out: 296 x 128. */
  screenSize?: ScreenSize;
};

export type Button = 'front' | 'plus' | 'minus';
export type Hold = 'short' | 'long';

/** Identifies a report: a device counts its reports, and a reset of the counter begins a new epoch. */
export type ReportId = { deviceId: string; epoch: number; counter: number };

/** A button press. `quantity`: the device's count after it, null without a quantity on the screen. */
export type ButtonReport = ReportId & {
  token: number;
  button: Button;
  hold: Hold;
  /** Milliseconds between the press and now. */
  ageMs: number;
  quantity: number | null;
};

/** The time of what the device showed ran out, and the device ended it. */
export type EndedReport = ReportId & { token: number; ageMs: number; quantity: number | null };

export type ShownReport = { deviceId: string; token: number; checksum: number; ageMs: number };

/** How a turbo is connected. */
export type TransportKind = 'usb' | 'network' | 'simulated' | NetworkWish['kind'];

export type TurboState = {
  serialNumber: string;
  name: string;
  status: 'online' | 'offline' | 'connecting';
  transport: TransportKind;
  port: string;
  firmware: number;
  /** Which firmware it runs, of a board that can be updated over its connection. */
  software?: string;
  uptimeS: number;
  /** Epoch milliseconds; 0: never. */
  lastSeenAt: number;
  deviceCount: number;
  /** The fault as text for people, such as another protocol version or a duplicate serial number. */
  problem?: string;
};

/**
 * Events from turbos to the engine. A promise fulfills when the report is on disk, and rejects if it was not accepted.
 * Acknowledge to the turbo only after that: it keeps the report until then. All are idempotent for the same report.
 */
export type TurboEvents = {
  /** The turbo accepted a show and passes it on. */
  sent(deviceId: string, token: number): void;
  shown(report: ShownReport): Promise<void>;
  /** `turboKey`: of the turbo that sent it, see Admission. */
  button(report: ButtonReport, turboKey: string | undefined): Promise<void>;
  ended(report: EndedReport): Promise<void>;
  /** The device came online or went offline; see `reaches`. */
  reachChanged(deviceId: string): void;
  /** The serving turbo heard a device, or its condition changed. Statuses from other turbos may be outdated. */
  heard(turbo: string, deviceId: string, status: DeviceStatus, turboKey: string | undefined): void;
  /** Another turbo serves the device from now on, with this signal; undefined: the device is offline. */
  moved(deviceId: string, rssiDbm: number | undefined): void;
  turboChanged(state: TurboState): void;
};

/** The engine's view of all turbos. */
export type Turbos = {
  /**
   * What the device should show from now on. Replaces an earlier wish; sent while a turbo serves the device, and
   * repeated until it is shown.
   */
  want(deviceId: string, show: Show): void;
  /** What the device shows by itself after the current show ends; sent if the device has a different one. */
  keep(deviceId: string, background: Show): void;
  /** Stops serving the device: drops its wishes and what is known about it. */
  forget(deviceId: string): void;
  list(): TurboState[];
  /** Forgets a turbo and its traffic until its next contact. False: it is connected, or unknown. */
  forgetTurbo(serialNumber: string): boolean;
  /** The turbo that serves this device now. */
  turboOf(deviceId: string): TurboState | undefined;
  /** Whether a turbo serves this device and can send to it. */
  reaches(deviceId: string): boolean;
  /** Whether the transport can press the buttons of this device. */
  canPress(deviceId: string): boolean;
  /**
   * Asks every connected turbo for the state of its devices and its held reports. Resolves when all have answered and
   * their reports are stored, or after `limitMs`.
   */
  drain(limitMs: number): Promise<void>;
  /**
   * Resolves when every connected turbo has reported everything once since it connected, or after `limitMs`; does not
   * ask again.
   */
  told(limitMs: number): Promise<void>;
};

/** Traffic between the station and a turbo since its first contact, over all its connections. */
export type TurboTraffic = {
  /** Epoch milliseconds. */
  since: number;
  framesIn: number;
  framesOut: number;
  bytesIn: number;
  bytesOut: number;
  /** Repeated frames among these: their answer was late or lost. */
  repeatedIn: number;
  repeatedOut: number;
  /** Frames that arrived damaged or incomplete. */
  brokenFrames: number;
  /** Running mean from a frame to its ack; undefined: none yet. */
  roundTripMs: number | undefined;
  /** Newest first. `at`: epoch milliseconds. */
  errors: readonly { at: number; problem: string }[];
};

/** A frame, decoded for people. */
export type LoggedFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  /** `in`: from the turbo. */
  direction: 'in' | 'out';
  /** Row of the message table; `unsupported 0x7f` or `malformed 0x10` if none matches. */
  message: string;
  sequence: number;
  /** The message that this one answers; undefined: none that is still kept. */
  answers: string | undefined;
  /** The device of the message. */
  device: string | undefined;
  /** A repeat of an earlier frame. */
  repeated: boolean;
  /** JSON values; secrets hidden, bitmaps only as their size. */
  fields: { [name: string]: unknown };
  /** The whole frame, `A5 5A ...`; `··` for hidden bytes. */
  bytes: string;
};

/** Traffic of each turbo; undefined for an unknown one. */
export type TurboWatch = {
  countsOf(serialNumber: string): TurboTraffic | undefined;
  /** Frames with a number above `after`, oldest first; without `after`, all that are kept. */
  framesOf(serialNumber: string, after: number | undefined): LoggedFrame[] | undefined;
};

/** Access control for turbos on the network. */
export type Admission = {
  /** Why the turbo is refused, as text for people; undefined: it is admitted. */
  admit(signIn: { username: string; secret: string }): Promise<string | undefined>;
  /** Whether the credentials are still valid. */
  isLive(): boolean;
  /** Name of the API user with the scope `turbo` that signed in: it can register a limited number of devices. */
  turboKey(): string | undefined;
  /** The board for which the key was made: with it nobody else signs in, and it has no other device. */
  boundTo(): BoundBoard | undefined;
  /** Proves an update to the board that signed in, with the hash of its key; undefined: it signed in without one. */
  signUpdate(update: UpdateToSign): Uint8Array | undefined;
  /** Undefined: the turbo signed in before. */
  challenge?: TurboChallenge;
};

/** `files`: how many; `hash`: over all of them; `nonce`: of the board, for one session. */
export type UpdateToSign = { serialNumber: string; nonce: Uint8Array; files: number; hash: Uint8Array };

export type BoundBoard = Pick<BoardFacts, 'serialNumber' | 'deviceId'>;

/** Sign-in by a key that does not cross the wire, for one connection. */
export type TurboChallenge = {
  /** A new challenge, which replaces an earlier one. `nonce`: of the turbo. */
  offer(turbo: { serialNumber: string; username: string; nonce: Uint8Array }): Uint8Array;
  /** Takes the answer to the challenge, once. Why the turbo is refused; undefined: it is admitted. */
  admit(turbo: { serialNumber: string; username: string; answer: Uint8Array }): string | undefined;
};

/** A serial port to keep open for a turbo. */
export type SerialWish = {
  id: string;
  /** Last known path; without an identity, the only place to look. */
  path: string;
  /** USB identity: found again in any socket. */
  identity: Pick<SerialPortInfo, 'vendorId' | 'productId' | 'serialNumber'> | null;
  baudRate: number;
  flowControl: boolean;
};

/** State of a port. `absent`: not plugged in; `waiting`: for the next attempt. */
export type SerialStep = 'absent' | 'opening' | 'listening' | 'online' | 'resetting' | 'waiting';

export type SerialLinkState = {
  id: string;
  path: string;
  step: SerialStep;
  /** Why there is no turbo on it, as text for people; undefined: no problem. */
  problem: string | undefined;
  /** Consecutive attempts without an answer from a turbo. */
  attempts: number;
  /** Next attempt, epoch milliseconds; undefined: in progress, or watched all the time. */
  nextTryAt: number | undefined;
};

/** Keeps serial ports open for turbos. */
export type SerialLinks = {
  /** The wanted ports from now on; all others are closed. */
  set(wishes: readonly SerialWish[]): void;
  states(): SerialLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link at once. */
  retry(id: string): void;
  stop(): void;
};

/** A file of the firmware; `path` with slashes, from the root of a board. */
export type FirmwareFile = { path: string; bytes: Uint8Array };

/** What a board with MicroPython said of itself. `platform`: its chip, such as `rp2` or `esp32`. */
export type BoardFacts = {
  platform: string;
  machine: string;
  deviceId: string;
  /** Of the turbo that it will be. */
  serialNumber: string;
  freeBytes: number;
};

/** The config.json of a board: resources/firmware/config.example.json. */
export type BoardConfig = { profile: string; transport: 'usb' | 'wifi'; name: string } & Partial<
  Record<'station' | 'user' | 'key' | 'ssid' | 'password' | 'ca' | 'ca_name', string>
>;

export type InstallStep = 'connecting' | 'checking' | 'writing' | 'verifying' | 'restarting';
export type InstallWatch = { step(step: InstallStep, progress: number): void; signal: AbortSignal };

export type BoardInstaller = {
  /**
   * Writes the firmware to the board at this port and restarts it. `prepare` is told what the board is, and answers what to
   * write, or rejects with a sentence. Rejects with a sentence; what ran on the board before may be gone then.
   */
  install(
    path: string,
    prepare: (facts: BoardFacts) => Promise<{ files: readonly FirmwareFile[]; config: BoardConfig }>,
    watch: InstallWatch,
  ): Promise<BoardFacts>;
};

export type UpdateStep = 'connecting' | 'in_use' | 'writing' | 'restarting' | 'waiting';
export type UpdateWatch = { step(step: UpdateStep, progress: number): void; signal: AbortSignal };

/** Files of a version of the firmware with the name that boards of this version give it. */
export type Firmware = { version: string; files: readonly FirmwareFile[] };

export type BoardUpdater = {
  /**
   * Brings the firmware to the board of this serial number over its own connection, and waits until it says hello with it.
   * Rejects with a sentence; the board then runs what it ran before.
   */
  update(serialNumber: string, firmware: Firmware, watch: UpdateWatch): Promise<void>;
};

/** A range of LEDs on a strip, which is one device. `number` stays when others change; `start` is from 0. */
export type LinkPlace = { number: number; label: string; start: number; count: number };

/** Hardware in the network to stay connected to. */
export type NetworkWish = {
  id: string;
  kind: 'openepaperlink' | 'wled' | 'opendisplay';
  /** The address of its own server. */
  url: string;
  /** Of an OpenDisplay display, 32 hexadecimal digits; undefined: its connection is not encrypted. */
  key: string | undefined;
  /** Of a strip. */
  places: readonly LinkPlace[];
};

/** Texts that a link keeps beyond a restart of the station, each under a key. */
export type LinkMemory = {
  load(): ReadonlyMap<string, string>;
  /** Soon on disk. */
  save(key: string, text: string): void;
};

/** State of an address in the network. `waiting`: for the next attempt. */
export type NetworkLinkState = {
  id: string;
  step: 'opening' | 'online' | 'waiting';
  /** Why it is not connected, as text for people. */
  problem: string | undefined;
  attempts: number;
  /** Next attempt, epoch milliseconds. */
  nextTryAt: number | undefined;
  /** Serial number of the turbo that it is, once known. */
  turbo: string | undefined;
  /** What of it does not work, as texts for people. */
  problems: readonly string[];
};

/** Keeps addresses in the network connected. */
export type NetworkLinks = {
  /** Where links keep what must outlive the station, by their ids. Before the first `set`. */
  rememberIn(memoryOf: (id: string) => LinkMemory): void;
  /** The wanted addresses from now on; all others are let go. */
  set(wishes: readonly NetworkWish[]): void;
  states(): NetworkLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link at once. */
  retry(id: string): void;
  stop(): void;
};

/** Where the system keeps secrets for this user. Both throw if it is locked or refuses. */
export type Keychain = {
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
};

/** A serial port of the system. Unknown texts are empty. */
export type SerialPortInfo = {
  /** `COM3`, `/dev/ttyUSB0`. Can change when plugged in again. */
  path: string;
  /** USB vendor id, four hexadecimal digits in lower case. */
  vendorId: string;
  productId: string;
  serialNumber: string;
  manufacturer: string;
  /** The socket of the machine. */
  locationId: string;
};

export type SerialLine = { path: string; baudRate: number; flowControl: boolean };

export type SerialPorts = {
  /** Never rejects. */
  list(): Promise<SerialPortInfo[]>;
  /** Rejects with the system's reason. The stream ends by `destroy` or when the port is unplugged. */
  open(line: SerialLine): Promise<Duplex>;
  /** Resets the board behind an open port, if its control lines are wired to reset. Rejects if they cannot be set. */
  reset(stream: Duplex): Promise<void>;
};

/** A question by UDP to all members of a group. `answersToGroup`: else they come only to the socket that asks. */
export type MulticastQuestion = { group: string; port: number; bytes: Uint8Array; answersToGroup: boolean };

export type Multicast = {
  /**
   * Asks in each network of this machine, and hands over what comes from addresses of these networks until the time to
   * answer has passed: a few answers of each sender. Rejects with a sentence if no network could be asked.
   */
  ask(question: MulticastQuestion, heard: (bytes: Buffer, sender: string) => void): Promise<void>;
};

/** A controller that answered to a search; `name` and `serialNumber` are what it says of itself, or empty. */
export type FoundController = {
  kind: NetworkWish['kind'];
  url: string;
  name: string;
  serialNumber: string;
  /** It encrypts, with a key that only its owner knows. */
  needsKey: boolean;
};

export type SimulatedDevice = {
  deviceId: string;
  buttons: 1 | 3;
  firmware: number;
  reachable: boolean;
  batteryMv: number;
  /** Milliseconds of a full and of a partial e-paper refresh. */
  refreshFullMs: number;
  refreshPartialMs: number;
  /** A simulated worker presses the front button this long after a command is lit; undefined: never. */
  pressAfterMs: number | undefined;
};

/** The simulated hardware, controlled by the simulator endpoints. Returns false for unknown devices and turbos. */
export type Simulator = {
  addDevice(device: { deviceId: string; buttons: 1 | 3; firmware: number }): void;
  /** Switches it off permanently. */
  removeDevice(deviceId: string): boolean;
  findDevice(deviceId: string): SimulatedDevice | undefined;
  setDevice(deviceId: string, change: Partial<Omit<SimulatedDevice, 'deviceId' | 'buttons' | 'firmware'>>): boolean;
  /** Presses a button. */
  press(deviceId: string, button: Button, hold: Hold): boolean;
  /** `loss`: share of lost frames (0 to 1); `latencyMs`: delay of each frame. */
  setTurbo(serialNumber: string, change: { connected?: boolean; loss?: number; latencyMs?: number }): boolean;
};

/**
 * A low-priority child process that runs one of our files, so that its crash does not end the station. It ends with the
 * station at the latest.
 */
export type SideProcess = {
  /** Does nothing after its end. */
  send(message: object): void;
  /** Kills it at once. */
  kill(): void;
};

/**
 * `ended` is called once, even if the process never began: `how` completes "the process ...". Throws if it cannot be
 * started.
 */
export type StartSideProcess = (
  file: URL,
  heard: { message(message: unknown): void; ended(how: string): void },
) => SideProcess;

/** Progress of a copy, in bytes. */
export type CopyProgress = { step: 'copying' | 'checking'; doneBytes: number; totalBytes: number };

/** Contents of a backup, and who requested it. */
export type FoundInBackup = Omit<BackupContents, 'name' | 'secrets'> & {
  by: string;
  /** `keyId`: empty if no key sealed it, or if it is damaged. */
  secrets: { name: string; keyId: string }[];
  /** Id of the data key that it carries under a passphrase. */
  wrappedKeyId: string | undefined;
};

/**
 * Copies and checks databases in side processes. Returns what the file holds, or rejects with a StationError: `invalid`
 * if it can never be restored or takes too long, `storage` if the disk fails, `conflict` (`stopping` for a check) if
 * aborted by `signal`, `internal` if its process died. The caller removes partial files; nobody writes to them any
 * more.
 */
export type Copier = {
  /** Copies the live database, while others write to it, into a single file that records who requested it. */
  copy(
    job: { from: string; to: string; by: string; at: number },
    told: (progress: CopyProgress) => void,
    signal: AbortSignal,
  ): Promise<FoundInBackup>;
  /** Checks an uploaded file. */
  receive(file: string, told: (progress: CopyProgress) => void, signal: AbortSignal): Promise<FoundInBackup>;
  check(file: string, signal: AbortSignal): Promise<FoundInBackup>;
  /** Checks a file and writes its rows into a new database `to`, ready to be restored. */
  rewrite(file: string, to: string, signal: AbortSignal): Promise<FoundInBackup>;
};

/** A hash of 32 bytes, slow on purpose. */
export type DerivePassword = (password: string, salt: Uint8Array) => Promise<Uint8Array>;
