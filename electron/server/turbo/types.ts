import type { ScreenSize } from '#shared/screen/panel.ts';
import type { LinkMemory, NetworkWish } from '../ports.ts';
import type { Outgoing, Rank } from './frames/protocol/exchange.ts';
import type { AckStatus, Body, RequestMessage } from './frames/protocol/messages.ts';
import type { Transport } from './frames/transports/transport.ts';

/** What a turbo reported about itself, without its sign-in. */
export type Greeting = Omit<Body<'hello'>, 'username' | 'secret' | 'nonce' | 'answer'>;

export type Report = Extract<RequestMessage, { name: 'shown' | 'button' | 'ended' }>;
/** Why a turbo is refused, with a message for the user. */
export type TurboRefusal = { status: Exclude<Body<'welcome'>['status'], 'accepted' | 'challenged'>; problem: string };

/**
 * A connection to a turbo, either over frames (`FrameConnection`) or through an adapter for other hardware. Announces its turbo with
 * `host.online`, devices with `host.status` and presses with `host.report`, and receives shows through `send`. See docs/decisions/0025.
 */
export type TurboConnection = {
  /** Kind and name of the transport, whether buttons can be pressed, and access control. */
  readonly transport: Pick<Transport, 'kind' | 'port' | 'canPress' | 'admission'>;
  readonly state: 'connecting' | 'online' | 'closed';
  /** What the turbo reported about itself; undefined before its first hello. */
  readonly turbo: Greeting | undefined;
  /** A problem with the connection or the turbo, as a message for the user. */
  readonly problem: string | undefined;
  readonly uptimeS: number;
  /** When the last message was received, in epoch milliseconds; 0 if none was received. */
  readonly lastSeenAt: number;
  /** Whether the turbo has reported everything since it came online. */
  readonly synced: boolean;
  /** Resolves when the turbo has reported everything for the first time, or the connection is closed. */
  readonly firstSync: Promise<void>;
  /** Sends a message as soon as the turbo can handle it. `rank` is `urgent` for commands and `usual` for backgrounds. */
  send(outgoing: Outgoing, rank: Rank): void;
  /** Cancels a sent or waiting message. It is not repeated, and its answer is ignored. */
  withdraw(outgoing: Outgoing): void;
  /** Requests all reports. Resolves when the turbo has reported everything or the connection is closed. */
  sync(): Promise<void>;
  /** Ends the connection and notifies the host. Idempotent. */
  close(reason: string): void;
};

/** Handles the events of connections. */
export type ConnectionHost = {
  /**
   * Returns a refusal for a turbo that would otherwise be welcomed, or undefined if the turbo may come online. `bootedAt` is when the turbo
   * was switched on, in epoch milliseconds.
   */
  refusalOf(connection: TurboConnection, turbo: Greeting, bootedAt: number): TurboRefusal | undefined;
  /** Called when a turbo was welcomed, possibly again after a reboot. What is known about its devices must be discarded. */
  online(connection: TurboConnection, turbo: Greeting): void;
  /** Called when the turbo has reported everything. */
  synced(connection: TurboConnection): void;
  /** Called when the turbo was refused; see `connection.problem`. */
  refused(connection: TurboConnection): void;
  /** Called when an online turbo has a problem; see `connection.problem`. */
  troubled(connection: TurboConnection): void;
  /** Called when the connection is permanently closed. */
  closed(connection: TurboConnection, reason: string): void;
  /** Handles a report. Resolves when the report is on disk; rejects if it was not accepted. */
  report(connection: TurboConnection, report: Report): Promise<void>;
  /** Handles a device status. `screenSize` is omitted for a screen of 296 x 128 pixels. */
  status(connection: TurboConnection, status: Body<'deviceStatus'>, screenSize?: ScreenSize): AckStatus;
};

/** Events of a connection, for the code that reconnects it. */
export type ConnectionWatch = {
  online(): void;
  /** Called when a turbo was refused. The turbo will try again. */
  refused(problem: string): void;
  closed(reason: string): void;
};

/** The hardware at a link's address, across all connections. Keeps the state that survives a connection. */
export type Controller = {
  /** Creates a new connection. The previous one is closed. */
  connect(host: ConnectionHost): TurboConnection;
  /** Applies changed places of the link. */
  change(wish: NetworkWish): void;
  /** Returns messages about partial failures, for the user. */
  problems(): readonly string[];
};

/** Functions that a link provides to its controller. */
export type ControllerParts = {
  wish: NetworkWish;
  /** Claims the turbo with this serial number for this link. Returns a message for the user if another link already has this turbo. */
  claim(serialNumber: string): string | undefined;
  /** Must be called when the result of `problems()` has changed. */
  changed(): void;
  memory: LinkMemory;
};
