import type { Outgoing, Rank } from './protocol/exchange.ts';
import type { AckStatus, Body, RequestMessage } from './protocol/messages.ts';
import type { Transport } from './transports/transport.ts';

/** What a turbo said of itself, without what it signed in with. */
export type Greeting = Omit<Body<'hello'>, 'username' | 'secret'>;

export type Report = Extract<RequestMessage, { name: 'shown' | 'button' | 'ended' }>;
/** Why a turbo is not welcome, in words for people. */
export type TurboRefusal = { status: Exclude<Body<'welcome'>['status'], 'accepted'>; problem: string };

/**
 * One turbo, as the fleet knows it: over frames (`TurboLink`), or as hardware of another kind that is brought to the same
 * terms. It says who it is by `host.online`, tells of its devices by `host.status` and of presses by `host.report`, and takes
 * shows by `send`. docs/decisions/0025
 */
export type Link = {
  /** What it goes over, for people. */
  readonly transport: Pick<Transport, 'kind' | 'port' | 'canPress' | 'admission'>;
  readonly state: 'connecting' | 'online' | 'closed';
  /** What the turbo said of itself. */
  readonly turbo: Greeting | undefined;
  /** Why there is no session, in words for people. */
  readonly problem: string | undefined;
  readonly uptimeS: number;
  /** Epoch milliseconds at which something was last heard; 0: never. */
  readonly lastSeenAt: number;
  /** Whether the turbo has told all since it came online. */
  readonly synced: boolean;
  /** Settles when the turbo has told all for the first time, or the link is closed. */
  readonly firstSync: Promise<void>;
  /** Work is urgent, backgrounds are usual. */
  send(outgoing: Outgoing, rank: Rank): void;
  /** What was sent, or waits to be, is no longer wanted: it is not sent again, and its answer not told. */
  withdraw(outgoing: Outgoing): void;
  /** Asks for everything. Fulfils when the turbo has told it or the link is closed. */
  sync(): Promise<void>;
  /** Ends the link; the host is told. Idempotent. */
  close(reason: string): void;
};

/** Who owns the link and is told what comes over it. */
export type LinkHost = {
  /** Asked of a turbo that may come in otherwise; `bootedAt`: when it was switched on, epoch milliseconds. */
  refusalOf(link: Link, turbo: Greeting, bootedAt: number): TurboRefusal | undefined;
  /** A turbo said hello and was welcomed, perhaps again after a reboot: nothing known of its devices holds any more. */
  online(link: Link, turbo: Greeting): void;
  /** It has told all that was asked for. */
  synced(link: Link): void;
  /** It was not welcomed; `link.problem` says why. */
  refused(link: Link): void;
  /** The link is closed for good. */
  closed(link: Link, reason: string): void;
  /** Fulfils when the report is on disk, rejects when it was not taken. */
  report(link: Link, report: Report): Promise<void>;
  status(link: Link, status: Body<'deviceStatus'>): AckStatus;
};
