import type { BrokerClient } from './ports/broker.ts';
import type {
  Clock,
  CopyProgress,
  DerivePassword,
  FirmwareFile,
  Folders,
  HttpClient,
  Ids,
  Keychain,
  Log,
  LogFiles,
  Mailer,
  Multicast,
  SerialPorts,
  StartSideProcess,
  Updater,
} from './ports.ts';
import type { NewSession } from './services/access/index.ts';
import type { ConnectedTurbos } from './turbo/connectedTurbos.ts';
import type { Transport } from './turbo/frames/transports/transport.ts';

/** Everything that a station needs from its shell. */
export type StationPorts = {
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Undefined: the log is not kept on disk. */
  logFiles?: LogFiles | undefined;
  http: HttpClient;
  /** Reads the published sheet. Separate from the client for callbacks, whose connections trust other certificates. */
  sheetHttp: HttpClient;
  mailer: Mailer;
  /** Loads the MQTT client. */
  loadBroker: () => Promise<BrokerClient>;
  folders: Folders;
  serial: SerialPorts;
  multicast: Multicast;
  /** False: do not connect to network controllers. Default: true. */
  connectsLinks?: boolean;
  /** Reads our firmware files for boards. */
  readFirmware: () => FirmwareFile[];
  startSideProcess: StartSideProcess;
  /** Returns the system's keychain, if there is one and it protects its contents. Called if a key is or will be stored in it. */
  findKeychain?: () => Keychain | undefined;
  /** Replaces the program with newer versions. Undefined: the program can be updated only in the way in which it was installed. */
  updater?: Updater;
  /** Intentionally slow, except in tests. */
  derivePassword: DerivePassword;
  /** How long low-priority work can wait for the next commit, in milliseconds. */
  soonMs: number;
  /** Wraps each transport before it is attached. For tests that observe the wire. */
  watchTransport: (transport: Transport) => Transport;
  /** Adds other kinds of turbos, which use no frames. docs/decisions/0025 */
  joinTurbos: (join: ConnectedTurbos['join'], clock: Clock) => void;
  /** Called at each step of a backup. The backup waits for the returned promise. For tests. */
  watchCopy: (progress: CopyProgress) => Promise<void> | undefined;
};

export type StationServer = {
  /** Opens everything. Resolves when requests are served. A failed start cleans up and throws a StationError. */
  start(): Promise<Started>;
  /** Contract, section 1, Stop. Idempotent. */
  stop(): Promise<void>;
};

export type Started = {
  /** With a trailing slash. */
  url: string;
  /** All current URLs of the station. */
  addresses(): string[];
  /** SHA-256 fingerprint of the current certificate. Undefined: plain HTTP. */
  fingerprint(): string | undefined;
  /** TCP port for turbos. Undefined: none. */
  turboPort(): number | undefined;
  /** The password generated for `admin` in a new data folder. Undefined otherwise. Cannot be read later. */
  generatedPassword: string | undefined;
  /** Opens a session for the first admin. Only for the shell that shows the window, never over the network. */
  signIn(): Promise<Pick<NewSession, 'sessionId' | 'token' | 'endsAt'>>;
  /** Stores the port of this start as the setting `port`. */
  keepPort(): Promise<void>;
  /** Whether nothing is in progress: all commits are done, and all frames are delivered. Callbacks may still be in progress. */
  idle(): boolean;
  /** Whether no callback or e-mail is being sent, and no sheet is being read. */
  delivered(): boolean;
  commits(): number;
};
