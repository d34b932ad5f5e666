import type { ScreenSize } from '#shared/screen/panel.ts';
import type { LinkMemory, NetworkWish } from '../ports.ts';
import type { Outgoing, Rank } from './frames/protocol/exchange.ts';
import type { AckStatus, Body, RequestMessage } from './frames/protocol/messages.ts';
import type { Transport } from './frames/transports/transport.ts';

/** What a turbo reported about itself, without its sign-in. */
export type Greeting = Omit<Body<'hello'>, 'username' | 'secret' | 'nonce' | 'answer'>;

export type Report = Extract<RequestMessage, { name: 'shown' | 'button' | 'ended' }>;
/** Why a turbo is refused, as text for people. */
export type TurboRefusal = { status: Exclude<Body<'welcome'>['status'], 'accepted' | 'challenged'>; problem: string };

/**
 * A connection to a turbo: over frames (`FrameConnection`), or an adapter for other hardware. It announces its turbo with
 * `host.online`, its devices with `host.status` and their presses with `host.report`, and gets shows by `send`.
 * docs/decisions/0025
 */
export type TurboConnection = {
  /** Its connection, for people. */
  readonly transport: Pick<Transport, 'kind' | 'port' | 'canPress' | 'admission'>;
  readonly state: 'connecting' | 'online' | 'closed';
  /** What the turbo reported about itself. */
  readonly turbo: Greeting | undefined;
  /** Why there is no session, as text for people. */
  readonly problem: string | undefined;
  readonly uptimeS: number;
  /** When something was last heard, epoch milliseconds; 0: never. */
  readonly lastSeenAt: number;
  /** Whether the turbo has reported everything since it came online. */
  readonly synced: boolean;
  /** Resolves when the turbo has reported everything for the first time, or the connection is closed. */
  readonly firstSync: Promise<void>;
  /** Sends a message as soon as the turbo can handle it. Commands are `urgent`, backgrounds `usual`. */
  send(outgoing: Outgoing, rank: Rank): void;
  /** Cancels a message that was sent or waits: it is not repeated, and its answer is ignored. */
  withdraw(outgoing: Outgoing): void;
  /** Asks for everything. Resolves when the turbo has reported it or the connection is closed. */
  sync(): Promise<void>;
  /** Ends the connection and notifies the host. Idempotent. */
  close(reason: string): void;
};

/** The owner of the connection, which receives its events. */
export type ConnectionHost = {
  /** Called for a turbo that would otherwise be welcomed; `bootedAt`: when it was switched on, epoch milliseconds. */
  refusalOf(connection: TurboConnection, turbo: Greeting, bootedAt: number): TurboRefusal | undefined;
  /** A turbo was welcomed, possibly again after a reboot: discard what is known about its devices. */
  online(connection: TurboConnection, turbo: Greeting): void;
  /** The turbo reported everything. */
  synced(connection: TurboConnection): void;
  /** It was refused; see `connection.problem`. */
  refused(connection: TurboConnection): void;
  /** It is online with a problem; see `connection.problem`. */
  troubled(connection: TurboConnection): void;
  /** The connection is closed for good. */
  closed(connection: TurboConnection, reason: string): void;
  /** Resolves when the report is on disk, rejects if it was not accepted. */
  report(connection: TurboConnection, report: Report): Promise<void>;
  /** `screenSize`: left out for 296 x 128. */
  status(connection: TurboConnection, status: Body<'deviceStatus'>, screenSize?: ScreenSize): AckStatus;
};

/** Events of a connection, for the code that reconnects it. */
export type ConnectionWatch = {
  online(): void;
  /** A turbo answered and was refused. It will ask again. */
  refused(problem: string): void;
  closed(reason: string): void;
};

/** The hardware at the address of a link, over all connections to it. Keeps what outlives a connection. */
export type Controller = {
  /** A new connection; the one before is closed. */
  connect(host: ConnectionHost): TurboConnection;
  /** The places of the link have changed. */
  change(wish: NetworkWish): void;
  /** Its partial failures, as texts for people. */
  problems(): readonly string[];
};

/** What a controller gets from its link. */
export type ControllerParts = {
  wish: NetworkWish;
  /**
   * Claims the turbo with this serial number for this link. Returns the problem, as text for people, if another link already
   * has that turbo.
   */
  claim(serialNumber: string): string | undefined;
  /** Call when `problems()` would return something else. */
  changed(): void;
  memory: LinkMemory;
};
