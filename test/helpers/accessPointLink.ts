import { WebSocket } from 'ws';
import type { Clock, Timer } from '../../electron/server/ports.ts';
import type { Greeting, Link, LinkHost } from '../../electron/server/turbo/link.ts';
import type { Outgoing } from '../../electron/server/turbo/protocol/exchange.ts';
import {
  CAN_DRAW_BITMAPS,
  type AckStatus,
  type Body,
  type RequestMessage,
} from '../../electron/server/turbo/protocol/messages.ts';
import { unpackBits } from '../../electron/server/turbo/protocol/packBits.ts';
import type { AccessPointEvent } from './accessPoint.ts';

const BITMAP_BYTES = 37 * 128;
const RECONNECT_MS = 1_000;

type Show = Body<'show'>;
/** What one tag was sent. `job`: its id at the access point. */
type TagState = { shown: Show | undefined; background: Show | undefined };

/**
 * A turbo without frames: an access point with an HTTP API for pictures and a WebSocket for events, as another link of
 * the connected turbos. Keeps what the hardware lacks: tokens and backgrounds.
 */
export class AccessPointLink implements Link {
  readonly transport: Link['transport'];
  state: Link['state'] = 'connecting';
  readonly turbo: Greeting;
  problem: string | undefined;
  readonly uptimeS = 0;
  lastSeenAt = 0;
  synced = false;
  readonly firstSync: Promise<void>;

  private readonly url: string;
  private readonly clock: Clock;
  private readonly host: LinkHost;
  private readonly endFirstSync: () => void;
  private readonly wanted = new Set<Outgoing>();
  private readonly tags = new Map<string, TagState>();
  private socket: WebSocket | undefined;
  private again: Timer | undefined;
  /** Handles events one after another: a press belongs to what was drawn before it. */
  private handled: Promise<void> = Promise.resolve();

  constructor(url: string, clock: Clock, host: LinkHost) {
    this.url = url;
    this.transport = { kind: 'network', port: url, canPress: false };
    this.clock = clock;
    this.host = host;
    this.turbo = {
      protocol: 1,
      serialNumber: 'AP-1',
      name: 'Access point',
      firmware: 1,
      bootId: 1,
      uptimeS: 0,
      window: 1,
    };
    const first = Promise.withResolvers<void>();
    this.firstSync = first.promise;
    this.endFirstSync = first.resolve;
    this.connect();
  }

  send(outgoing: Outgoing): void {
    const request = outgoing.request(1);
    if (request === undefined) return;
    this.wanted.add(outgoing);
    // The hardware cannot hold a background for later: it comes as a show when the work has ended.
    const answer = request.name === 'show' ? this.show(request.body) : Promise.resolve<AckStatus>('unsupported');
    void answer.then((status) => {
      if (this.wanted.delete(outgoing)) outgoing.replied({ name: 'ack', body: { status } });
    });
  }

  withdraw(outgoing: Outgoing): void {
    this.wanted.delete(outgoing);
  }

  sync(): Promise<void> {
    return this.firstSync;
  }

  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.again?.cancel();
    this.socket?.terminate();
    this.endFirstSync();
    this.host.closed(this, reason);
  }

  private connect(): void {
    const socket = new WebSocket(new URL('events', this.url.replace(/^http/, 'ws')));
    this.socket = socket;
    socket.on('open', () => {
      this.state = 'online';
      this.host.online(this, this.turbo);
    });
    socket.on('message', (text) => {
      this.lastSeenAt = this.clock.now();
      const event = JSON.parse((text as Buffer).toString('utf8')) as AccessPointEvent;
      this.handled = this.handled.then(() => this.handle(event, socket));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.state === 'closed') return;
      this.state = 'connecting';
      this.again = this.clock.setTimer(RECONNECT_MS, () => this.connect());
    });
  }

  /** Confirmed once stored here, so that the access point keeps it until then. */
  private async handle(event: AccessPointEvent, socket: WebSocket): Promise<void> {
    const tag = this.tagOf(event.mac);
    if (event.type === 'tag') this.tellStatus(event, tag);
    else if (event.type === 'drawn') await this.tellShown(event.mac, tag);
    else await this.tellPress(event, tag);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ confirm: event.id }));
  }

  private tellStatus(event: AccessPointEvent & { type: 'tag' }, { shown }: TagState): void {
    this.host.status(this, {
      device: event.mac,
      epoch: 1,
      firmware: 1,
      buttons: 1,
      capabilities: CAN_DRAW_BITMAPS,
      batteryMv: event.batteryMv,
      rssiDbm: event.rssiDbm,
      uptimeS: 0,
      shownToken: shown?.token ?? 0,
      shownChecksum: shown?.checksum,
      remainingMs: undefined,
      reachable: true,
      pendingToken: undefined,
      pendingChecksum: undefined,
      backgroundChecksum: undefined,
    });
    if (this.synced) return;
    this.synced = true;
    this.endFirstSync();
    this.host.synced(this);
  }

  private async tellShown(device: string, { shown }: TagState): Promise<void> {
    if (shown === undefined) return;
    await this.report({ name: 'shown', body: { device, token: shown.token, checksum: shown.checksum, ageMs: 0 } });
  }

  private async tellPress(event: AccessPointEvent & { type: 'pressed' }, tag: TagState): Promise<void> {
    await this.report({
      name: 'button',
      body: {
        device: event.mac,
        epoch: 1,
        counter: event.id,
        token: event.job,
        button: 'front',
        hold: 'short',
        ageMs: 0,
        quantity: undefined,
      },
    });
    // Devices return to their background by themselves; a tag must be told.
    if (tag.shown?.token === event.job && tag.background !== undefined) await this.show(tag.background);
  }

  private report(report: Extract<RequestMessage, { name: 'shown' | 'button' | 'ended' }>): Promise<void> {
    return this.host.report(this, report);
  }

  private async show(show: Show): Promise<AckStatus> {
    const tag = this.tagOf(show.device);
    const drawn = show.screen.form === 'same' ? this.contentOf(tag, show.checksum) : show;
    if (drawn?.screen.form !== 'bitmap') return show.screen.form === 'same' ? 'contentMissing' : 'refused';
    const { packing, pixels } = drawn.screen;
    const bitmap = packing === 'raw' ? pixels : unpackBits(pixels, BITMAP_BYTES);
    const led = show.led === 'off' ? 'off' : `${show.led} #${show.color.toString(16).padStart(6, '0')}`;
    const whole = { ...show, screen: drawn.screen };
    tag.shown = whole;
    if (show.token === 0) tag.background = whole;
    try {
      const { status } = await fetch(new URL(`tags/${show.device}/image`, this.url), {
        method: 'PUT',
        headers: { 'x-led': led, 'x-job': String(show.token) },
        body: Buffer.concat([Buffer.from('P4\n296 128\n'), bitmap ?? Buffer.alloc(0)]),
      });
      return status === 202 ? 'ok' : 'refused';
    } catch {
      return 'unreachable';
    }
  }

  private contentOf({ shown, background }: TagState, checksum: number): Show | undefined {
    return [shown, background].find((show) => show?.checksum === checksum);
  }

  private tagOf(mac: string): TagState {
    const tag = this.tags.get(mac) ?? { shown: undefined, background: undefined };
    this.tags.set(mac, tag);
    return tag;
  }
}
