import type { Ephemera, Station } from '#shared/api/station.ts';
import type { OpenDatabase } from '../db/database.ts';
import type { CommitRow } from '../db/repositories/commits.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Caller, Rights } from './access/index.ts';
import { alertEntry } from './alerts/index.ts';
import type { ReceiverWatch } from './callbacks/index.ts';
import type { Devices, Telemetry } from './devices/index.ts';
import type { SettingsService } from './settings/index.ts';
import type { TurboLinks } from './turbos/index.ts';

/** More than this is faster as a new snapshot. */
const MAX_RESUMED = 5_000;
const MAX_RESUMED_BYTES = 2 * 1024 * 1024;

/** The whole station at one revision, and what came after a revision. */
export function createOverview(parts: {
  reader: OpenDatabase['reader'];
  reads: Pick<Repositories, 'accounts' | 'alerts' | 'aliases' | 'commits' | 'devices' | 'locationImports' | 'map'>;
  devices: Devices;
  telemetry: Telemetry;
  settings: SettingsService;
  turboLinks: Pick<TurboLinks, 'list'>;
  receiver: Pick<ReceiverWatch, 'trouble'>;
  rights: Pick<Rights, 'of'>;
  version: string;
  /** It shows the fleet, whatever the setting says. */
  fleetOnly: boolean;
}) {
  const { reads, devices, telemetry, settings, turboLinks, receiver, rights, version, fleetOnly } = parts;
  // One transaction: the rows and the revision are of the same commit.
  const read = parts.reader.transaction(() => ({
    revision: reads.commits.range().newest ?? 0,
    devices: devices.list(),
    map: reads.map.get(),
    aliases: reads.aliases.listAll(),
    alerts: reads.alerts.listOpen().map(alertEntry),
    last_import: reads.locationImports.last(),
    setup: reads.accounts.isSetupPending() ? ('pending' as const) : ('done' as const),
  }));

  return {
    station(caller: Caller): Station {
      const current = settings.current();
      const {
        default_seconds: seconds,
        default_color: color,
        alert_battery_percent,
        alert_weak_dbm,
        order_stalled_minutes,
        fleet,
      } = current;
      return {
        ...read(),
        version,
        user: { name: caller.name, scope: caller.scope, rights: rights.of(caller) },
        defaults: { seconds, color },
        limits: { alert_battery_percent, alert_weak_dbm, order_stalled_minutes },
        fleet: fleetOnly || fleet,
        turbos: telemetry.turbos(),
        links: turboLinks.list(),
        receiver: receiver.trouble(),
      };
    },
    /** Every device's and turbo's condition: what a stream starts with. */
    ephemera: (): Ephemera => ({
      devices: reads.devices.list().map((row) => ({ deviceid: row.device_id, ...telemetry.of(row) })),
      turbos: telemetry.turbos(),
      links: turboLinks.list(),
      receiver: receiver.trouble(),
    }),
    /** The commits after `revision`, or `reset` where they are no longer all kept or never were. */
    since(revision: number): readonly CommitRow[] | 'reset' {
      const { oldest, newest } = reads.commits.range();
      if (revision === (newest ?? 0)) return [];
      if (oldest === null || !Number.isSafeInteger(revision)) return 'reset';
      // A number that was left out is of another life of this data folder, in which other things happened.
      if (revision !== oldest - 1 && !reads.commits.isKept(revision)) return 'reset';
      if (reads.commits.countSince(revision, MAX_RESUMED + 1) > MAX_RESUMED) return 'reset';
      if (reads.commits.bytesSince(revision) > MAX_RESUMED_BYTES) return 'reset';
      return reads.commits.listSince(revision, MAX_RESUMED);
    },
  };
}

export type Overview = ReturnType<typeof createOverview>;
