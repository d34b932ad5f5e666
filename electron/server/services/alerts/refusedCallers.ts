import type { Alert } from '#shared/api/alert.ts';
import { settingsSchema } from '#shared/api/settings.ts';
import type { TablesOf } from '../../core.ts';
import { StationError } from '../../errors.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Alerts } from './alerts.ts';
import type { AlertRecords } from './records.ts';
import type { StationAlerts } from './stationAlerts.ts';
import type { By } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** Setting to which *Allow* adds the alert's subject, by alert kind. */
const SETTINGS = { origin_refused: 'cors_origins', host_refused: 'public_urls' } as const;
type CallerAlertKind = keyof typeof SETTINGS;

/** Maximum number of open alerts of each kind. This and `MAX_AN_HOUR` limit alerts because anybody can send any number of names. */
const MAX_OPEN = 5;
const MAX_AN_HOUR = 20;
const HOUR_MS = 3_600_000;
/** Maximum number of entries in each of these settings. */
const MAX_KEPT = 100;
const EXTENSION = /^[a-z-]+-extension:/;

/** Raises one alert for each refused origin or host name. The owner can then allow the origin or name. */
export function createRefusedCallers(parts: {
  reads: TablesOf<'alerts'>;
  writer: Pick<Writer, 'writeSoon'>;
  records: Pick<AlertRecords, 'isOpen' | 'listSubjects' | 'get'>;
  alerts: Pick<Alerts, 'end'>;
  stationAlerts: StationAlerts;
  settings: Pick<SettingsService, 'current' | 'change'>;
  clock: Clock;
  log: Log;
}) {
  const { reads, writer, alerts, records, stationAlerts, settings, clock, log } = parts;
  /** Subjects of alerts that are being stored. */
  const pending = new Set<string>();
  /** Monotonic times of the alerts raised within the last hour. */
  let raisedAt: number[] = [];

  function isWorthTelling(kind: CallerAlertKind, about: string): boolean {
    if (pending.has(about) || records.isOpen(kind, about)) return false;
    if (settings.current().unwanted_callers.includes(about)) return false;
    if (records.listSubjects(kind).length + pending.size >= MAX_OPEN) return false;
    raisedAt = raisedAt.filter((at) => clock.monotonic() - at < HOUR_MS);
    if (raisedAt.length >= MAX_AN_HOUR) return false;
    // Skip subjects that the setting would reject, such as `null` or an empty name, because they cannot be allowed.
    return settingsSchema.shape[SETTINGS[kind]].safeParse([about]).success;
  }

  /** Returns the open alert with this id. Throws `not_found`, or `conflict` if the alert has ended or is not about a refused caller. */
  function find(id: string): { kind: CallerAlertKind; about: string } {
    const { kind, subject, ended_at } = records.get(id, reads);
    if (kind !== 'origin_refused' && kind !== 'host_refused') {
      throw new StationError('conflict', `Alert ${id} is not about a refused caller: there is nothing to allow.`);
    }
    if (ended_at !== null) throw new StationError('conflict', `Alert ${id} has already ended.`);
    return { kind, about: subject };
  }

  return {
    /**
     * Handles a refused request from a page of this origin, or to a host name that is not the station's. Anybody can cause any number of
     * such requests.
     */
    refused(kind: CallerAlertKind, about: string): void {
      if (!isWorthTelling(kind, about)) return;
      pending.add(about);
      raisedAt.push(clock.monotonic());
      writer
        .writeSoon((tx) => stationAlerts.raise(tx, { kind, about, problem: problemOf(kind, about) }))
        .catch((error: unknown) => log.warn({ err: error }, 'could not record a refused caller'))
        .finally(() => pending.delete(about));
    },
    /**
     * Adds the alert's subject to the settings and ends the alert. Throws `not_found`, or `conflict` if the alert has ended or is about
     * something else.
     */
    async allow(id: string, by: By): Promise<Alert> {
      const { kind, about } = find(id);
      const field = SETTINGS[kind];
      const allowed = settings.current()[field];
      if (!allowed.includes(about)) {
        if (allowed.length >= MAX_KEPT) {
          throw new StationError(
            'conflict',
            `${field} already has ${MAX_KEPT} entries. Remove one in the settings first.`,
          );
        }
        await settings.change({ [field]: [...allowed, about] }, by);
      }
      return alerts.end(id);
    },
    /** Ends the alert, and never raises a new one for this subject. Throws the same errors as `allow`. */
    async neverAllow(id: string, by: By): Promise<Alert> {
      const { about } = find(id);
      const others = settings.current().unwanted_callers.filter((other) => other !== about);
      await settings.change({ unwanted_callers: [...others, about].slice(-MAX_KEPT) }, by);
      return alerts.end(id);
    },
  };
}

export type RefusedCallers = ReturnType<typeof createRefusedCallers>;

function problemOf(kind: CallerAlertKind, about: string): string {
  if (kind === 'host_refused') {
    return `A request to ${about} was refused, since this is not one of the station's addresses. Allow it if your shop uses this name for the station. A name that you do not know may be an attack.`;
  }
  if (EXTENSION.test(about)) {
    return `A browser extension was refused (${about}). Allow it if you installed it to work with this station.`;
  }
  return `A web page was refused (${about}). Allow it if it is a page of yours that works with this station.`;
}
