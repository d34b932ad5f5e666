import type { Turbo, TurboFrame, TurboTrafficEntry } from '#shared/api/turbo.ts';
import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { LoggedFrame, Turbos, TurboState, TurboWatch } from '../../ports.ts';
import type { Alerts } from '../alerts/index.ts';
import type { Audit, By } from '../base/index.ts';
import type { Telemetry } from '../devices/index.ts';

/** Manages each turbo's name, traffic and frames for its owners. Throws `not_found` for unknown serial numbers. */
export function createTurboCare(parts: {
  repositories: TablesOf<'turbos'>;
  writer: Pick<Writer, 'write'>;
  turbos: Pick<Turbos, 'list' | 'forgetTurbo'>;
  watch: TurboWatch;
  telemetry: Pick<Telemetry, 'turbos'>;
  alerts: Pick<Alerts, 'forgetTurbo'>;
  audit: Audit;
}) {
  const { repositories, writer, turbos, watch, telemetry, alerts, audit } = parts;

  function get(serialNumber: string): Turbo {
    const turbo = telemetry.turbos().find((one) => one.serial_number === serialNumber);
    if (turbo === undefined) throw unknown(serialNumber);
    return turbo;
  }

  function stateOf(serialNumber: string): TurboState {
    const state = turbos.list().find((one) => one.serialNumber === serialNumber);
    if (state === undefined) throw unknown(serialNumber);
    return state;
  }

  /** Returns the stored frames with a number above `after`, oldest first. If `after` is undefined, returns all of them. */
  function listFrames(serialNumber: string, after: number | undefined): TurboFrame[] {
    stateOf(serialNumber);
    return (watch.framesOf(serialNumber, after) ?? []).map(frameEntry);
  }

  return {
    get,
    /** Returns the traffic counts of all turbos. */
    listTraffic: (): TurboTrafficEntry[] =>
      turbos.list().flatMap(({ serialNumber }) => {
        const counts = watch.countsOf(serialNumber);
        return counts === undefined ? [] : [trafficEntry(serialNumber, counts)];
      }),
    listFrames,
    /** Exports all stored frames as NDJSON, one JSON object per line. */
    exportFrames: (serialNumber: string): string =>
      listFrames(serialNumber, undefined)
        .map((frame) => `${JSON.stringify(frame)}\n`)
        .join(''),
    /** Renames a turbo. An empty name restores the name that the turbo reports. */
    async rename(serialNumber: string, name: string, by: By): Promise<Turbo> {
      await writer.write((tx) => {
        const own = stateOf(serialNumber).name;
        if (name === '') repositories.turboNames.remove(serialNumber);
        else repositories.turboNames.set(serialNumber, name);
        audit.record(tx, { action: 'turbo.renamed', by, subject: serialNumber, detail: { name } });
        tx.emit({ type: 'turbo.named', serial_number: serialNumber, name: name === '' ? own : name });
      });
      return get(serialNumber);
    },
    /** Removes a turbo from the list until it connects again. Throws `conflict` if it is connected. */
    async forget(serialNumber: string, by: By): Promise<void> {
      await writer.write((tx) => {
        if (stateOf(serialNumber).status !== 'offline') {
          throw new StationError('conflict', `${serialNumber} is connected. Disconnect it first, then forget it.`);
        }
        repositories.turboNames.remove(serialNumber);
        alerts.forgetTurbo(tx, serialNumber);
        audit.record(tx, { action: 'turbo.forgotten', by, subject: serialNumber, detail: {} });
        tx.emit({ type: 'turbo.forgotten', serial_number: serialNumber });
        tx.afterCommit(() => void turbos.forgetTurbo(serialNumber));
      });
    },
  };
}

export type TurboCare = ReturnType<typeof createTurboCare>;

function unknown(serialNumber: string): StationError {
  return new StationError(
    'not_found',
    `There is no turbo ${serialNumber}. GET /api/turbo/ lists those that were heard since the start.`,
  );
}

function trafficEntry(
  serial_number: string,
  counts: NonNullable<ReturnType<TurboWatch['countsOf']>>,
): TurboTrafficEntry {
  return {
    serial_number,
    since: iso(counts.since),
    frames_in: counts.framesIn,
    frames_out: counts.framesOut,
    bytes_in: counts.bytesIn,
    bytes_out: counts.bytesOut,
    repeated_in: counts.repeatedIn,
    repeated_out: counts.repeatedOut,
    broken_frames: counts.brokenFrames,
    round_trip_ms: counts.roundTripMs === undefined ? null : Math.round(counts.roundTripMs * 10) / 10,
    errors: counts.errors.map(({ at, problem }) => ({ at: iso(at), problem })),
  };
}

function frameEntry({ at, answers, device, ...frame }: LoggedFrame): TurboFrame {
  return { ...frame, at: iso(at), answers: answers ?? null, device: device ?? null };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
