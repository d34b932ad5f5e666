import type { ScreenContent } from '#shared/screen/content.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Outgoing, Rank } from '../frames/protocol/exchange.ts';
import type { AckStatus, Body } from '../frames/protocol/messages.ts';
import { AccessPointError, type AccessPointHttp } from './accessPointHttp.ts';
import { CommandLane, type JobEnd } from './commandLane.ts';
import { COMMAND_PAUSE_MS, flash, handOver, NotReadyError, UPLOAD_PAUSE_MS, type Handed } from './tagCommands.ts';
import { ledProgram } from '../controllers/ledProgram.ts';
import { contentOf } from '../controllers/shownContent.ts';
import { drawTagPicture } from './tagPicture.ts';
import type { TagState, TagTask } from './tagState.ts';

/** Delays before repeating an unanswered command. After the last repetition, the command fails. */
const RETRY_MS = [2_000, 4_000] as const;
/** Delay while an access point starts, because it accepts images only after half a minute. */
const NOT_READY_MS = 5_000;

type Show = Body<'show'>;
type SentShow = Pick<Show, 'screen' | 'checksum'>;

/** A job other than a request. `failed` is called when the job has failed permanently. */
type OwnJob = { run: () => Promise<number>; failed: () => void };
type LaneJob = Outgoing | OwnJob;

export type TagWorkHost = {
  http: AccessPointHttp;
  clock: Clock;
  log: Log;
  tagOf(deviceId: string): TagState | undefined;
  session(): number;
  /** Called when the state to save has changed. */
  changed(tag: TagState): void;
  shown(tag: TagState): void;
  /** Called when the tag does not show what it should, so that the station must send it again. */
  stuck(tag: TagState): void;
  /** Called when the access point does not answer. */
  silent(): void;
};

/** Sends commands to the access point, one at a time. */
export class TagWork {
  private readonly host: TagWorkHost;
  private readonly lane: CommandLane<LaneJob>;
  private readonly failures = new WeakMap<LaneJob, number>();
  /** The request in progress; undefined if none or if it was withdrawn. */
  private served: Outgoing | undefined;
  private sleeping = 0;

  constructor(host: TagWorkHost) {
    this.host = host;
    this.lane = new CommandLane(host.clock, (job) => this.attempt(job));
  }

  send(outgoing: Outgoing, rank: Rank): void {
    this.lane.add(outgoing, rank);
  }

  withdraw(outgoing: Outgoing): void {
    this.lane.remove(outgoing);
    if (this.served === outgoing) this.served = undefined;
  }

  /** Queues `run` with the urgent commands. If it fails, calls `failed` and restarts the session. */
  runUrgently(run: () => Promise<void>, failed: () => void = () => undefined): void {
    const giveUp = (): void => {
      failed();
      this.host.silent();
    };
    this.lane.add({ run: () => run().then(() => 0), failed: giveUp }, 'urgent');
  }

  /** Queues the LED program again, for the tag's next check-in. */
  renew(tag: TagState): void {
    const { program } = tag;
    if (program === undefined) return;
    const run = async (): Promise<number> => {
      if (tag.program !== program || tag.record.pending > 0 || tag.isTouched) return 0;
      await flash(this.host.http, tag, program);
      return COMMAND_PAUSE_MS;
    };
    this.lane.add({ run, failed: () => undefined }, 'usual');
  }

  /** Shows the background again after a command has ended on the tag, unless a newer command has arrived. */
  goBack(tag: TagState, token: number): void {
    const { background } = tag;
    const isNewer = tag.current !== undefined && tag.current.token !== token;
    if (isNewer) return;
    if (background === undefined) return this.host.stuck(tag);
    const run = async (): Promise<number> => {
      if (tag.current?.token === token) await this.hand(tag, background);
      return UPLOAD_PAUSE_MS;
    };
    this.lane.add({ run, failed: () => this.host.stuck(tag) }, 'urgent');
  }

  open(): void {
    this.lane.open();
  }

  /** Stops starting commands until `open` is called. Queued commands are kept. */
  pause(): void {
    this.lane.close();
  }

  close(): void {
    this.served = undefined;
    this.lane.close();
  }

  /** Whether nothing except timers is pending. */
  idle(): boolean {
    return this.lane.idle() || this.sleeping > 0;
  }

  private async attempt(job: LaneJob): Promise<JobEnd> {
    const isOwn = 'run' in job;
    this.served = isOwn ? undefined : job;
    const isWanted = () => isOwn || this.served === job;
    try {
      const pauseMs = isOwn ? await job.run() : await this.serve(job);
      this.failures.delete(job);
      return { pauseMs };
    } catch (error) {
      if (error instanceof NotReadyError) return { pauseMs: NOT_READY_MS, again: isWanted() };
      if (!(error instanceof AccessPointError)) this.host.log.error({ err: error }, 'sending to a tag failed');
      const failures = this.failures.get(job) ?? 0;
      const retryMs = error instanceof AccessPointError ? RETRY_MS[failures] : undefined;
      if (retryMs !== undefined && isWanted()) {
        this.failures.set(job, failures + 1);
        return { pauseMs: retryMs, again: true };
      }
      this.failures.delete(job);
      if (isOwn) job.failed();
      else this.answer(job, error instanceof AccessPointError ? 'busy' : 'refused');
      return { pauseMs: COMMAND_PAUSE_MS };
    }
  }

  /** Handles a request. Reads its content only now, so that the content is current. */
  private async serve(outgoing: Outgoing): Promise<number> {
    const request = outgoing.request(1);
    if (request === undefined) return 0;
    if (request.name !== 'show' && request.name !== 'keep') {
      this.answer(outgoing, 'unsupported');
      return 0;
    }
    const tag = this.host.tagOf(request.body.device);
    const content = tag && contentFor(tag, request.body);
    if (tag === undefined || content === undefined) {
      this.answer(outgoing, tag === undefined ? 'unknownDevice' : 'contentMissing');
      return 0;
    }
    const { checksum } = request.body;
    if (request.name === 'keep') {
      tag.background = { token: 0, checksum, content, program: undefined };
      this.answer(outgoing, 'ok');
      return 0;
    }
    const program = tag.type.hasLed ? ledProgram(request.body) : undefined;
    const { status, isThere } = await this.hand(tag, { token: request.body.token, checksum, content, program });
    this.answer(outgoing, status);
    if (isThere) this.host.shown(tag);
    return UPLOAD_PAUSE_MS;
  }

  private async hand(tag: TagState, work: TagTask): Promise<Handed> {
    const { http, clock } = this.host;
    tag.current = work;
    tag.program = work.program;
    if (work.token === 0) tag.background = work;
    const picture = await drawTagPicture(work.content, tag.type, tag.record.batteryMv);
    const handed = await handOver(http, tag, { work, picture }, (ms) => this.sleep(ms));
    if (handed.status !== 'ok') return handed;
    const { token, checksum } = work;
    const face = { token, checksum, picture: picture.id };
    if (handed.isThere) tag.shown = face;
    else {
      tag.queued = {
        ...face,
        countBefore: tag.record.updateCount,
        sinceMs: clock.monotonic(),
        wasPending: false,
        session: this.host.session(),
      };
    }
    this.host.changed(tag);
    return handed;
  }

  private answer(outgoing: Outgoing, status: AckStatus): void {
    if (this.served !== outgoing) return;
    this.served = undefined;
    outgoing.replied({ name: 'ack', body: { status } });
  }

  private async sleep(ms: number): Promise<void> {
    this.sleeping += 1;
    await new Promise<void>((resolve) => void this.host.clock.setTimer(ms, resolve));
    this.sleeping -= 1;
  }
}

/**
 * Returns the content of a message. A message without content refers to the tag's current content or its background by checksum. Returns
 * undefined if neither matches.
 */
function contentFor({ current, background }: TagState, { screen, checksum }: SentShow): ScreenContent | undefined {
  if (screen.form === 'fields') return contentOf(screen);
  return [current, background].find((work) => work?.checksum === checksum)?.content;
}
