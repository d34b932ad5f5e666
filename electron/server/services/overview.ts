import type { LocationAlias } from '#shared/api/alias.ts';
import type { Ephemera, Station } from '#shared/api/station.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { shopDaysIn } from '#shared/lib/station/shopDay.ts';
import type { CommitRow } from '../db/repositories/commits.ts';
import type { Repositories } from '../db/repositories.ts';
import type { TablesOf } from '../core.ts';
import { storedJson } from '../db/storedJson.ts';
import type { Snapshots } from '../db/snapshots.ts';
import type { Caller, Rights } from './access/index.ts';
import { alertEntry } from './alerts/index.ts';
import type { ReceiverWatch } from './callbacks/index.ts';
import type { Devices, Telemetry } from './devices/index.ts';
import { lastLocationImport } from './imports/index.ts';
import { logoAddress, type SettingsService } from './settings/index.ts';
import type { TurboLinks } from './turbos/index.ts';

/**
 * Maximum number of commits to send to a resumed stream. Above this number, or above `MAX_RESUMED_BYTES`, sending a new snapshot is faster.
 */
const MAX_RESUMED = 5_000;
const MAX_RESUMED_BYTES = 2 * 1024 * 1024;
/** Number of aliases to read at a time. */
const ALIASES_AT_ONCE = 500;

/** Reads snapshots of the whole station at one revision, and the changes since a revision. */
export function createOverview(
  core: {
    snapshots: Snapshots;
    reads: TablesOf<'overview'>;
    settings: SettingsService;
    stationId: string;
  },
  needs: {
    devices: Devices;
    telemetry: Telemetry;
    turboLinks: Pick<TurboLinks, 'list'>;
    receiver: Pick<ReceiverWatch, 'trouble'>;
    rights: Pick<Rights, 'of'>;
    version: string;
    /** Whether to show the fleet even if the setting is off. */
    fleetOnly: boolean;
  },
) {
  const { snapshots, reads, settings, stationId } = core;
  const { devices, telemetry, turboLinks, receiver, rights, version, fleetOnly } = needs;

  /** Reads the rows and the revision of the same commit. */
  function* rowsOf(source: Repositories) {
    return {
      revision: source.commits.range().newest ?? 0,
      devices: yield* joined(devices.listInParts(source)),
      map: source.map.get(),
      aliases: yield* joined(aliasesOf(source.aliases)),
      alerts: source.alerts.listOpen().map(alertEntry),
      shop_logo: logoAddress(source.logo.version()),
      last_import: lastLocationImport(source),
      setup: source.accounts.isSetupPending() ? ('pending' as const) : ('done' as const),
    };
  }

  return {
    station(caller: Caller): Promise<Station> {
      const current = settings.current();
      const {
        default_seconds: seconds,
        default_color: color,
        alert_battery_percent,
        alert_weak_dbm,
        order_stalled_minutes,
        fleet,
        pack_check,
        enter_confirms,
        shop_name,
        shop_address,
        slip_closing,
        time_zone,
      } = current;
      const memory = {
        id: stationId,
        version,
        shop_name,
        shop_address,
        slip_closing,
        time_zone: shopDaysIn(time_zone).zone,
        user: { name: caller.name, scope: scopeOf(caller), rights: rights.of(caller) },
        defaults: { seconds, color },
        limits: { alert_battery_percent, alert_weak_dbm, order_stalled_minutes },
        fleet: fleetOnly || fleet,
        pack_check,
        enter_confirms,
        turbos: telemetry.turbos(),
        links: turboLinks.list(),
        receiver: receiver.trouble(),
      };
      return snapshots.read(function* read(source) {
        return { ...(yield* rowsOf(source)), ...memory };
      });
    },
    /** Returns the condition of every device and turbo, which is the first message of an event stream. */
    ephemera: (): Ephemera => ({
      devices: reads.devices.list().map((row) => ({ deviceid: row.device_id, ...telemetry.of(row) })),
      turbos: telemetry.turbos(),
      links: turboLinks.list(),
      receiver: receiver.trouble(),
    }),
    /** Returns the revision of the last commit that published facts. */
    revision: (): number => reads.commits.range().newest ?? 0,
    /** Returns the commits after `revision`, or `reset` if any of them is missing or damaged, or if there are too many. */
    since(revision: number): readonly CommitRow[] | 'reset' {
      const { oldest, newest } = reads.commits.range();
      if (revision === (newest ?? 0)) return [];
      if (oldest === null || !Number.isSafeInteger(revision)) return 'reset';
      // Revision numbers jump at startup. A client that names a skipped revision has followed a different copy of this data folder.
      if (revision !== oldest - 1 && !reads.commits.isKept(revision)) return 'reset';
      if (reads.commits.countSince(revision, MAX_RESUMED + 1) > MAX_RESUMED) return 'reset';
      if (reads.commits.bytesSince(revision) > MAX_RESUMED_BYTES) return 'reset';
      const missed = reads.commits.listSince(revision, MAX_RESUMED);
      return missed.some(({ facts }) => storedJson('commits.facts', facts) === undefined) ? 'reset' : missed;
    },
  };
}

function* aliasesOf(aliases: Repositories['aliases']): Generator<LocationAlias[], void, void> {
  for (let after = 0; ;) {
    const page = aliases.list({ after, limit: ALIASES_AT_ONCE });
    yield page;
    if (page.length < ALIASES_AT_ONCE) return;
    after = page.at(-1)?.id ?? after;
  }
}

function* joined<T>(parts: Iterable<readonly T[]>): InParts<T[]> {
  const all: T[] = [];
  for (const part of parts) {
    all.push(...part);
    yield;
  }
  return all;
}

export type Overview = ReturnType<typeof createOverview>;

/** Returns the scope as answers name it. A wall screen, whose scope is `board`, cannot ask for a snapshot. */
function scopeOf({ scope }: Caller): Station['user']['scope'] {
  return scope === 'board' ? 'read' : scope;
}
