import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import type { Disk } from './disk.ts';
import { same } from './snapshot.ts';

/** A reader of the live stream that reconnects after each restart with the last id that it has received. */
export class LiveReader {
  private readonly disk: () => Disk;
  /** The last revision received completely. */
  private seen: number;
  private stream: EventStream | undefined;

  constructor(disk: () => Disk, seen: number) {
    this.disk = disk;
    this.seen = seen;
  }

  async open(url: string): Promise<void> {
    this.stream = await openStream(url, { lastEventId: String(this.seen) });
  }

  /** Waits for the end of the stream after the station has stopped. */
  async ended(): Promise<void> {
    await this.stream?.ended();
    this.take();
  }

  /** Waits until this revision has been received. */
  async reaches(revision: number): Promise<void> {
    await this.stream?.until(() => (this.stream?.commits().at(-1)?.id ?? this.seen) >= revision);
    this.take();
    if (this.seen !== revision) throw new Error(`The stream ends at ${this.seen}, the station is at ${revision}`);
  }

  /** Checks that every commit was sent once, in order, and with the content that is on disk. */
  private take(): void {
    const told = this.stream?.commits() ?? [];
    const resets = this.stream?.messages().filter(({ event }) => event === 'reset') ?? [];
    if (resets.length > 0) throw new Error(`The stream was reset after revision ${this.seen}`);
    const kept = this.disk().commitsSince(this.seen).slice(0, told.length);
    same(
      'What the stream told',
      told,
      kept.map(({ revision, facts }) => ({ id: revision, facts: JSON.parse(facts) as unknown })),
    );
    this.seen = told.at(-1)?.id ?? this.seen;
    this.stream?.close();
    this.stream = undefined;
  }
}
