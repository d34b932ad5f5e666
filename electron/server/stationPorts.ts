import type {
  Clock,
  CopyProgress,
  DerivePassword,
  HttpClient,
  Ids,
  Log,
  SerialPorts,
  StartSideProcess,
} from './ports.ts';
import type { SignedIn } from './services/access/index.ts';
import type { Fleet } from './turbo/fleet.ts';
import type { Transport } from './turbo/transports/transport.ts';

/** What a station needs from its shell. */
export type StationPorts = {
  clock: Clock;
  ids: Ids;
  log: Log;
  http: HttpClient;
  serial: SerialPorts;
  startSideProcess: StartSideProcess;
  /** Slow on purpose, but in tests. */
  derivePassword: DerivePassword;
  /** How long work that nobody waits for may ride along, in milliseconds. */
  soonMs: number;
  /** Sees each transport before it is attached: for tests that watch the wire. */
  watchTransport: (transport: Transport) => Transport;
  /** Brings in turbos of other kinds, which speak no frames. docs/decisions/0025 */
  joinTurbos: (join: Fleet['join'], clock: Clock) => void;
  /** Sees each step of a backup, which waits for what it answers: for tests that look in the middle of one. */
  watchCopy: (progress: CopyProgress) => Promise<void> | undefined;
};

export type Station = {
  /** Opens everything; answers when requests are served. A start that fails undoes itself and throws a StationError. */
  start(): Promise<Started>;
  /** Contract, section 1, Stop. Idempotent. */
  stop(): Promise<void>;
};

export type Started = {
  /** Where it is, with its trailing slash. */
  url: string;
  /** Every address that it answers under now. */
  addresses(): string[];
  /** SHA-256 of the certificate that it shows now; undefined where it speaks plain HTTP. */
  fingerprint(): string | undefined;
  /** Where turbos connect by TCP; undefined: nowhere. */
  turboPort(): number | undefined;
  /** The password that was made for `admin` on a fresh data folder, said once; undefined otherwise. */
  generatedPassword: string | undefined;
  /** Opens a session of the first admin: for the shell that shows the window, and for nobody over the network. */
  signIn(): Promise<Pick<SignedIn, 'sessionId' | 'token' | 'endsAt'>>;
  /** Nothing is under way inside: every commit made, every frame delivered. Deliveries to receivers may be. */
  idle(): boolean;
  /** No delivery is under way. */
  delivered(): boolean;
  commits(): number;
};
