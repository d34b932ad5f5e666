import type { TablesOf } from '../../core.ts';
import type { NewAlert } from '../../db/repositories/alerts.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { turboAlert, type TurboKind } from '../../domain/alerts/alertRules.ts';
import type { Clock, Log, TurboState } from '../../ports.ts';
import type { AlertRecords } from './records.ts';
import { createReconcileQueue } from '../../scheduling/index.ts';
import type { SettingsService } from '../settings/index.ts';

type Watched = {
  isOnline: boolean;
  problem: string | null;
  /** Whether the turbo is expected to connect, because it has been online before. */
  isExpected: boolean;
  /** Whether `isExpected` is saved. */
  isKept: boolean;
  /** Monotonic time when the turbo went offline or its problem began. `since` is the wall time of the same moment, for the alert. */
  unwellAt: number;
  since: number;
};

const KINDS = ['turbo_offline', 'turbo_trouble'] as const satisfies TurboKind[];
/** Maximum number of expected turbos. Limited because turbos choose their own serial numbers. */
const MAX_EXPECTED = 100;

/**
 * Manages alerts about turbos that are offline or report a problem. A turbo that has been online once is expected to connect, even after a
 * restart.
 */
export function createTurboAlerts(parts: {
  repositories: TablesOf<'alerts'>;
  writer: Pick<Writer, 'writeEach'>;
  records: AlertRecords;
  settings: SettingsService;
  clock: Clock;
  log: Log;
}) {
  const { repositories, writer, records, settings, clock, log } = parts;
  const watched = new Map<string, Watched>();
  const reconcileQueue = createReconcileQueue({ clock, log, writer, reconcile });
  for (const serialNumber of repositories.alerts.listExpectedTurbos()) {
    const unwell = { unwellAt: clock.monotonic(), since: clock.now() };
    watched.set(serialNumber, { isOnline: false, problem: null, isExpected: true, isKept: true, ...unwell });
  }

  function allowedMs(): number {
    return settings.current().alert_turbo_seconds * 1_000;
  }

  function wanted(serialNumber: string, open: TurboKind | undefined): TurboKind | undefined {
    const turbo = watched.get(serialNumber);
    if (turbo === undefined || allowedMs() === 0) return undefined;
    const isDue = clock.monotonic() - turbo.unwellAt >= allowedMs();
    return turboAlert({ ...turbo, isDue }, open);
  }

  function consider(serialNumber: string): void {
    const turbo = watched.get(serialNumber);
    const isNew = turbo?.isExpected === true && !turbo.isKept;
    const open = KINDS.find((kind) => records.isOpen(kind, serialNumber));
    if (isNew || wanted(serialNumber, open) !== open) reconcileQueue.add(serialNumber);
  }

  function countExpected(): number {
    return [...watched.values()].filter(({ isExpected }) => isExpected).length;
  }

  function reconcile(tx: Transaction, serialNumber: string): void {
    const turbo = watched.get(serialNumber);
    if (turbo?.isExpected === true && !turbo.isKept) {
      repositories.alerts.expectTurbo(serialNumber);
      tx.afterCommit(() => {
        const now = watched.get(serialNumber);
        if (now !== undefined) now.isKept = true;
      });
    }
    const open = KINDS.map((kind) => records.findOpen(kind, serialNumber)).find((row) => row !== undefined);
    const kind = wanted(
      serialNumber,
      KINDS.find((each) => each === open?.kind),
    );
    if (open?.kind === kind) return;
    if (open !== undefined) records.end(tx, open);
    if (kind !== undefined && turbo !== undefined) {
      records.raise(tx, newAlert({ kind, turbo, allowedMs: allowedMs() }, { serialNumber, now: tx.now }));
    }
  }

  return {
    /** Handles a turbo's new state. Returns true if the turbo came online or went offline. */
    changed({ serialNumber, status, problem: why, lastSeenAt }: TurboState): boolean {
      const isOnline = status === 'online';
      // The problem of an offline turbo explains why it disconnected, which the offline alert covers.
      const problem = status === 'offline' ? null : (why ?? null);
      const before = watched.get(serialNumber);
      const isExpected = before?.isExpected === true || (isOnline && countExpected() < MAX_EXPECTED);
      const isKept = before?.isKept ?? false;
      const isNothing = !isOnline && problem === null && !isExpected;
      const wasWell = before === undefined || isWell(before);
      const unwell = wasWell
        ? { unwellAt: clock.monotonic(), since: isOnline || lastSeenAt === 0 ? clock.now() : lastSeenAt }
        : { unwellAt: before.unwellAt, since: before.since };
      if (isNothing) watched.delete(serialNumber);
      else watched.set(serialNumber, { isOnline, problem, isExpected, isKept, ...unwell });
      consider(serialNumber);
      return isOnline !== (before?.isOnline ?? false);
    },
    /** Whether a turbo that is expected to connect, or that reported a problem, is not online. */
    isMissing: (serialNumber: string): boolean => watched.get(serialNumber)?.isOnline === false,
    isAnyMissing: (): boolean => [...watched.values()].some(({ isOnline }) => !isOnline),
    isAnyOnline: (): boolean => [...watched.values()].some(({ isOnline }) => isOnline),
    /** Returns the monotonic time when the next alert is due, or undefined if no alert is pending. */
    nextDue(): number | undefined {
      if (allowedMs() === 0) return undefined;
      const due = [...watched.values()].filter((turbo) => !isWell(turbo)).map(({ unwellAt }) => unwellAt + allowedMs());
      const ahead = due.filter((at) => at > clock.monotonic());
      return ahead.length === 0 ? undefined : Math.min(...ahead);
    },
    /** Raises due alerts, and ends alerts of kinds that are disabled in the settings. */
    look(): void {
      for (const serialNumber of watched.keys()) consider(serialNumber);
      for (const serialNumber of KINDS.flatMap((kind) => records.listSubjects(kind))) consider(serialNumber);
    },
    /** Restarts all timers after the machine was asleep. */
    restart(): void {
      for (const turbo of watched.values()) if (!isWell(turbo)) turbo.unwellAt = clock.monotonic();
    },
    /** Ends the alerts of a turbo that will not return. Call inside a transaction. */
    giveUp(tx: Transaction, serialNumber: string): void {
      for (const kind of KINDS) {
        const open = records.findOpen(kind, serialNumber);
        if (open !== undefined) records.end(tx, open);
      }
      repositories.alerts.unexpectTurbo(serialNumber);
      tx.afterCommit(() => void watched.delete(serialNumber));
    },
    stop: (): void => reconcileQueue.stop(),
  };
}

export type TurboAlerts = ReturnType<typeof createTurboAlerts>;

function isWell({ isOnline, problem }: Watched): boolean {
  return isOnline && problem === null;
}

/** Builds an alert of this kind about the turbo. `allowedMs` is how long the turbo may be offline before the alert is raised. */
function newAlert(
  { kind, turbo, allowedMs }: { kind: TurboKind; turbo: Watched; allowedMs: number },
  { serialNumber, now }: { serialNumber: string; now: number },
): NewAlert {
  const { since, problem } = turbo;
  const isOffline = kind === 'turbo_offline';
  return {
    kind,
    subject: serialNumber,
    since,
    value: isOffline ? Math.max(0, Math.round((now - since) / 1_000)) : null,
    threshold: isOffline ? allowedMs / 1_000 : null,
    problem: isOffline ? null : problem,
  };
}
