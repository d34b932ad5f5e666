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
  RanFolders,
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
  /** Log files in the data folder, or undefined if the log is not kept on disk. */
  logFiles?: LogFiles | undefined;
  http: HttpClient;
  /** Client that reads the published sheet. Separate from the client for callbacks, whose connections trust other certificates. */
  sheetHttp: HttpClient;
  mailer: Mailer;
  /** Loads the MQTT client. */
  loadBroker: () => Promise<BrokerClient>;
  folders: Folders;
  serial: SerialPorts;
  multicast: Multicast;
  /** Whether to connect to network controllers, by default true. */
  connectsLinks?: boolean;
  /** Reads our firmware files for boards. */
  readFirmware: () => FirmwareFile[];
  startSideProcess: StartSideProcess;
  /** Returns the system's keychain, if there is one that protects its contents. Called if a key is or will be stored in it. */
  findKeychain?: () => Keychain | undefined;
  /** Remembers in which folders a station ran, or undefined to notice no emptied folder. */
  ranFolders?: RanFolders | undefined;
  /** How often to check whether the database is still in its folder, in milliseconds. */
  checkFolderMs: number;
  /** Replaces the program with newer versions, or undefined if the program can only be updated the way it was installed. */
  updater?: Updater;
  /** Hashes a password. Intentionally slow, except in tests. */
  derivePassword: DerivePassword;
  /** How long low-priority work can wait for the next commit, in milliseconds. */
  soonMs: number;
  /** Wraps each transport before it is attached, for tests that observe the wire. */
  watchTransport: (transport: Transport) => Transport;
  /** Adds other kinds of turbos, which use no frames (docs/decisions/0025). */
  joinTurbos: (join: ConnectedTurbos['join'], clock: Clock) => void;
  /** Called at each step of a backup, which waits for the returned promise. For tests. */
  watchCopy: (progress: CopyProgress) => Promise<void> | undefined;
};

export type StationServer = {
  /** Opens everything. Resolves when requests are served. If the start fails, cleans up and throws a StationError. */
  start(): Promise<Started>;
  /** Stops the station as specified in section 1 of the contract. Can be called repeatedly. */
  stop(): Promise<void>;
};

export type Started = {
  /** URL of the station with a trailing slash. */
  url: string;
  /** Returns all current URLs of the station. */
  addresses(): string[];
  /** Returns the SHA-256 fingerprint of the current certificate, or undefined for plain HTTP. */
  fingerprint(): string | undefined;
  /** Returns the TCP port for turbos, or undefined if there is none. */
  turboPort(): number | undefined;
  /** Says that the data folder was empty although a station ran there before, or undefined. */
  emptied: string | undefined;
  /** Password generated for `admin` if the data folder is new, otherwise undefined. It cannot be read later. */
  generatedPassword: string | undefined;
  /** Opens a session for the first admin. Only for the shell that shows the window, never for requests over the network. */
  signIn(): Promise<Pick<NewSession, 'sessionId' | 'token' | 'endsAt'>>;
  /** Stores the port of this start as the setting `port`. */
  keepPort(): Promise<void>;
  /** Whether nothing is in progress: all commits are done, and all frames are delivered. Callbacks may still be in progress. */
  idle(): boolean;
  /** Whether no callback or e-mail is being sent, and no sheet is being read. */
  delivered(): boolean;
  commits(): number;
};
