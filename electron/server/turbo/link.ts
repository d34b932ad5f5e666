import type { ScreenSize } from '#shared/screen/panel.ts';
import type { Outgoing, Rank } from './protocol/exchange.ts';
import type { AckStatus, Body, RequestMessage } from './protocol/messages.ts';
import type { Transport } from './transports/transport.ts';

/** What a turbo reported about itself, without its sign-in. */
export type Greeting = Omit<Body<'hello'>, 'username' | 'secret' | 'nonce' | 'answer'>;

export type Report = Extract<RequestMessage, { name: 'shown' | 'button' | 'ended' }>;
/** Why a turbo is refused, as text for people. */
export type TurboRefusal = { status: Exclude<Body<'welcome'>['status'], 'accepted' | 'challenged'>; problem: string };

/**
 * One of the connected turbos: over frames (`FrameLink`), or an adapter for other hardware. It identifies itself by
 * `host.online`, reports its devices by `host.status` and presses by `host.report`, and accepts shows by `send`.
 * docs/decisions/0025
 */
export type Link = {
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
  /** Resolves when the turbo has reported everything for the first time, or the link is closed. */
  readonly firstSync: Promise<void>;
  /** Commands are urgent, backgrounds usual. */
  send(outgoing: Outgoing, rank: Rank): void;
  /** Cancels what was sent or waits: it is not sent again, and its answer is ignored. */
  withdraw(outgoing: Outgoing): void;
  /** Asks for everything. Resolves when the turbo has reported it or the link is closed. */
  sync(): Promise<void>;
  /** Ends the link and notifies the host. Idempotent. */
  close(reason: string): void;
};

/** The owner of the link, which receives its events. */
export type LinkHost = {
  /** Called for a turbo that would otherwise be welcomed; `bootedAt`: when it was switched on, epoch milliseconds. */
  refusalOf(link: Link, turbo: Greeting, bootedAt: number): TurboRefusal | undefined;
  /** A turbo was welcomed, possibly again after a reboot: discard what is known about its devices. */
  online(link: Link, turbo: Greeting): void;
  /** The turbo reported everything. */
  synced(link: Link): void;
  /** It was refused; see `link.problem`. */
  refused(link: Link): void;
  /** It is online with a problem; see `link.problem`. */
  troubled(link: Link): void;
  /** The link is closed for good. */
  closed(link: Link, reason: string): void;
  /** Resolves when the report is on disk, rejects if it was not accepted. */
  report(link: Link, report: Report): Promise<void>;
  /** `screenSize`: left out for 296 x 128. */
  status(link: Link, status: Body<'deviceStatus'>, screenSize?: ScreenSize): AckStatus;
};
