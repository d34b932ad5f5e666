import type { BoardJob, BoardUpdate, NewBoardUpdates } from '#shared/api/board.ts';
import { StationError } from '../../errors.ts';
import type { BoardUpdater, Firmware, Turbos, TurboState } from '../../ports.ts';
import type { Writer } from '../../db/writer.ts';
import type { Audit, By } from '../base/index.ts';
import type { BoardJobs, Job } from './jobs.ts';

/** Installs the station's firmware on connected boards over their connections, one board at a time. Contract, section 17. */
export function createBoardUpdates(
  core: {
    writer: Pick<Writer, 'write'>;
    audit: Audit;
  },
  needs: {
    updater: BoardUpdater;
    firmware: () => Firmware;
    jobs: BoardJobs;
    turbos: Pick<Turbos, 'list'>;
  },
) {
  const { writer, audit } = core;
  const { updater, firmware, jobs, turbos } = needs;
  /** The station's firmware, which does not change while the station runs. */
  let sealed: Firmware | undefined;
  const current = (): Firmware => (sealed ??= firmware());

  function outdated(): TurboState[] {
    const { version } = current();
    return turbos
      .list()
      .filter(({ status, software }) => status === 'online' && software !== undefined && software !== version);
  }

  async function runAll(queue: readonly { job: Job; turbo: TurboState }[], by: By): Promise<void> {
    let failed: string | undefined;
    for (const { job, turbo } of queue) {
      const { serialNumber } = turbo;
      if (job.entry.state !== 'running') continue;
      try {
        if (failed !== undefined) {
          job.abort.abort();
          throw new Error(`Not begun, because the update of ${failed} failed. The board runs what it ran before.`);
        }
        await updater.update(serialNumber, current(), { step: job.step, signal: job.abort.signal });
        await writer.write((tx) =>
          audit.record(tx, { action: 'board.updated', by, subject: serialNumber, detail: {} }),
        );
        job.done();
      } catch (error) {
        if (job.failed(error) === 'failed') failed = turbo.name === '' ? serialNumber : turbo.name;
      }
    }
  }

  return {
    /** Lists online boards whose firmware differs from the station's. */
    list: (): BoardUpdate[] =>
      outdated().map(({ serialNumber, name, software = '' }) => ({
        turbo: serialNumber,
        name,
        runs: software,
        update: current().version,
      })),
    /**
     * Starts one job per board, in order. Throws `conflict` while boards are being updated, or `not_found` for a board that is not listed.
     */
    start({ turbos: asked }: NewBoardUpdates, by: By): BoardJob[] {
      if (jobs.running().some(({ entry }) => entry.kind === 'update')) {
        throw new StationError('conflict', 'Boards are already being updated. Wait until that is done.');
      }
      const found = outdated();
      const chosen = (asked ?? found.map(({ serialNumber }) => serialNumber)).map((serial) => {
        const turbo = found.find(({ serialNumber }) => serialNumber === serial);
        if (turbo !== undefined) return turbo;
        throw new StationError('not_found', `There is no update for ${serial}: it is offline, or already has it.`);
      });
      const queue = [...new Set(chosen)].map((turbo) => ({
        turbo,
        job: jobs.begin({ kind: 'update', turbo: turbo.serialNumber, port: turbo.port, step: 'queued' }),
      }));
      void runAll(queue, by);
      return queue.map(({ job }) => ({ ...job.entry }));
    },
  };
}

export type BoardUpdates = ReturnType<typeof createBoardUpdates>;
