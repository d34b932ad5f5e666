import type { Clock, Timer } from '../../ports.ts';
import type { Rank } from '../frames/protocol/exchange.ts';

/** Result of a job: the pause before the next job, and whether this job must run again before all others. */
export type JobEnd = { pauseMs: number; again?: boolean };

/** Runs jobs one at a time, with pauses, urgent ones first. A waiting job can become urgent. */
export class CommandLane<Job> {
  private readonly clock: Clock;
  private readonly run: (job: Job) => Promise<JobEnd>;
  private readonly waiting = { urgent: new Set<Job>(), usual: new Set<Job>() };
  private isOpen = false;
  private running: Job | undefined;
  private pause: Timer | undefined;

  /** Creates a closed lane. `run` performs a job and must never reject. */
  constructor(clock: Clock, run: (job: Job) => Promise<JobEnd>) {
    this.clock = clock;
    this.run = run;
  }

  add(job: Job, rank: Rank): void {
    if (rank === 'urgent') this.waiting.usual.delete(job);
    if (rank === 'urgent' || !this.waiting.urgent.has(job)) this.waiting[rank].add(job);
    this.next();
  }

  remove(job: Job): void {
    this.waiting.urgent.delete(job);
    this.waiting.usual.delete(job);
  }

  /** Runs jobs until `close`, which keeps waiting jobs. */
  open(): void {
    this.isOpen = true;
    this.next();
  }

  close(): void {
    this.isOpen = false;
    this.pause?.cancel();
    this.pause = undefined;
  }

  /** Whether no job is running. A pause after a job does not count. */
  idle(): boolean {
    return this.running === undefined;
  }

  private next(): void {
    if (!this.isOpen || this.running !== undefined || this.pause !== undefined) return;
    const [job] = this.waiting.urgent.size > 0 ? this.waiting.urgent : this.waiting.usual;
    if (job === undefined) return;
    this.remove(job);
    this.running = job;
    void this.run(job).then(({ pauseMs, again = false }) => {
      this.running = undefined;
      if (again) this.waiting.urgent = new Set([job, ...this.waiting.urgent]);
      if (!this.isOpen) return;
      this.pause = this.clock.setTimer(pauseMs, () => {
        this.pause = undefined;
        this.next();
      });
    });
  }
}
