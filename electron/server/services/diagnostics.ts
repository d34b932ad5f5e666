import type { Diagnostics } from '#shared/api/diagnostics.ts';
import type { Settings } from '#shared/api/settings.ts';
import { hideInBody, hideInLogLine } from '../domain/station/hiddenSecrets.ts';
import type { TablesOf } from '../core.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, LogFiles } from '../ports.ts';
import type { Backups } from './backups/index.ts';
import type { FurtherReceivers } from './callbacks/index.ts';
import type { Telemetry } from './devices/index.ts';
import type { StepQueue } from '../scheduling/index.ts';
import type { CurrentSettings, SettingsService } from './settings/index.ts';

/** Settings whose values are shown, because they come from a fixed list and identify nobody. */
const SHOWN = new Set<keyof Settings>(['accept_devices', 'default_color', 'listen', 'tls', 'unreachable_callback']);
/** Maximum number of bytes of log files in a response. */
const MAX_LOG_BYTES = 2 ** 20;

/** Collects diagnostics. `withLogs` tells whether to include the newest lines of the log files. */
export type Diagnose = (what: { withLogs: boolean }) => Promise<Diagnostics>;

/** Collects data for support, without passwords, keys, tokens or people's names. */
export function createDiagnostics(
  core: {
    reads: TablesOf<'diagnostics'>;
    backgroundReads: Pick<StepQueue, 'takeAll'>;
    writer: Writer;
    settings: SettingsService;
    clock: Clock;
  },
  needs: {
    telemetry: Telemetry;
    dataFolder: string;
    backups: Pick<Backups, 'status' | 'list'>;
    log: () => Diagnostics['log'];
    version: string;
    /** Versions of the runtime and the operating system, provided by the platform. */
    runtime: Pick<Diagnostics, 'node' | 'sqlite' | 'system'>;
    /** Returns the program's uptime in seconds and its memory use in bytes. */
    measure: () => Pick<Diagnostics, 'uptime_s' | 'memory_bytes'>;
    /** Returns a function that hides secrets and names in a text. */
    cleaner: () => (text: string) => string;
    furtherReceivers: Pick<FurtherReceivers, 'list'>;
    logFiles: LogFiles | undefined;
  },
): Diagnose {
  const { reads, backgroundReads, writer, settings } = core;
  const { telemetry, backups, furtherReceivers, logFiles } = needs;

  /** Reads the newest log lines. Cleans them again, because a secret may have been set after they were written. */
  async function readLogs(clean: (text: string) => string): Promise<Diagnostics['log_files']> {
    const files = (await logFiles?.read(MAX_LOG_BYTES)) ?? [];
    return files.map(({ name, bytes, lines }) => ({
      name,
      bytes,
      lines: lines.map((line) => hideInLogLine(line, clean)),
    }));
  }

  async function listDumps(): Promise<Diagnostics['crash_dumps']> {
    const dumps = (await logFiles?.dumps()) ?? [];
    return dumps.map(({ name, at, bytes }) => ({ name, at: new Date(at).toISOString(), bytes }));
  }

  return async ({ withLogs }) => {
    const clean = needs.cleaner();
    const { free_bytes, database_bytes } = backups.status();
    const files = backups.list();
    return {
      generated: new Date(core.clock.now()).toISOString(),
      version: needs.version,
      ...needs.runtime,
      ...needs.measure(),
      data: {
        folder: clean(needs.dataFolder),
        database_bytes,
        backups: files.length,
        backups_bytes: files.reduce((bytes, { size }) => bytes + size, 0),
        free_bytes,
      },
      revision: writer.revision(),
      commits: writer.commits(),
      counts: await backgroundReads.takeAll(reads.counts.inParts()),
      settings: shownSettings(settings.current()),
      callback_receivers: furtherReceivers.list().map(({ id, families, paused, waiting, failed, last, trouble }) => ({
        id,
        families: namesOf(families).join(', '),
        paused,
        waiting,
        failed,
        last_status: last?.status ?? null,
        failing_since: trouble?.failing_since ?? null,
      })),
      turbos: telemetry.turbos().map((turbo) => ({
        serial_number: turbo.serial_number,
        status: turbo.status,
        transport: turbo.transport,
        firmware: String(turbo.firmware),
        uptime_s: turbo.uptime,
        last_seen: turbo.last_seen,
        device_count: turbo.device_count,
        problem: clean(turbo.problem ?? ''),
      })),
      log: needs.log().map(({ message, error, ...line }) => ({
        ...line,
        message: hideInBody(clean(message)),
        error: hideInBody(clean(error)),
      })),
      log_folder: clean(needs.logFiles?.folder ?? ''),
      log_files: withLogs ? await readLogs(clean) : [],
      crash_dumps: await listDumps(),
    };
  };
}

/**
 * Returns the settings for diagnostics. Shows numbers, switches and the settings in `SHOWN`. Other settings only show whether they are set,
 * or how many entries they have, so that no secret can leak from a new setting.
 */
function shownSettings(current: CurrentSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(current).map(([name, value]) => [name, shown(name, value)]));
}

/** Returns the names of the fields that are true. */
function namesOf(switches: object): string[] {
  return Object.entries(switches).flatMap(([name, isOn]) => (isOn === true ? [name] : []));
}

function shown(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if ((SHOWN as ReadonlySet<string>).has(name)) return String(value);
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const isSwitches = entries.every(([, part]) => typeof part === 'boolean');
    return isSwitches ? namesOf(value).join(', ') : `${entries.length} entries`;
  }
  return value === null || value === '' ? 'not set' : 'set';
}
