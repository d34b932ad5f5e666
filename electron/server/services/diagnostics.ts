import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { SECRET_SETTINGS, type Settings } from '#shared/api/settings.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock } from '../ports.ts';
import type { Backups } from './backups/index.ts';
import type { Telemetry } from './devices/index.ts';
import type { CurrentSettings, SettingsService } from './settings/index.ts';

/** Words that say nothing of anybody: what they can be is a closed list. */
const SHOWN = new Set<keyof Settings>(['accept_devices', 'default_color', 'listen', 'tls', 'unreachable_callback']);
/** A shorter name or secret is found in every other word. */
const MIN_HIDDEN = 3;
const HIDDEN = '(hidden)';
/** What makes a path longer, before it or behind it. */
const PATH_CHARACTER = /[\w.~%/-]/;

/** Data for support, without passwords, keys, tokens and names of people. */
export function createDiagnostics(parts: {
  reads: Pick<Repositories, 'accounts' | 'counts'>;
  writer: Writer;
  settings: SettingsService;
  telemetry: Telemetry;
  dataFolder: string;
  backups: Pick<Backups, 'status' | 'list'>;
  log: () => Diagnostics['log'];
  clock: Clock;
  version: string;
  /** What runs it: named by the shell's platform. */
  runtime: Pick<Diagnostics, 'node' | 'sqlite' | 'system'>;
  /** Of the whole program: seconds since its start, and bytes. */
  measure: () => Pick<Diagnostics, 'uptime_s' | 'memory_bytes'>;
  /** The home folder, whose path has the name of the user. */
  home: string;
}): () => Diagnostics {
  const { reads, writer, settings, telemetry, backups } = parts;

  /** Whatever a message may quote of them. */
  function hidden(): string[] {
    const current = settings.current();
    const secrets = SECRET_SETTINGS.map((name) => current[name] ?? '');
    const { search = '' } = URL.parse(current.callback_url) ?? {};
    const callback = [
      current.callback_url,
      addressOf(current.callback_url),
      search,
      current.callback_username,
      ...Object.values(current.callback_headers),
    ];
    const names = [
      ...reads.accounts.listUsers().map((user) => user.username),
      ...reads.accounts.listApiUsers().map((user) => user.name),
    ];
    return [...secrets, ...callback, ...names]
      .filter((text) => text.length >= MIN_HIDDEN)
      .toSorted((one, other) => other.length - one.length);
  }

  return () => {
    const secrets = hidden();
    const path = URL.parse(settings.current().callback_url)?.pathname ?? '';
    const clean = (text: string): string => {
      const homeless = parts.home.length > 1 ? text.replaceAll(parts.home, '~') : text;
      const named = secrets.reduce((so, secret) => so.replaceAll(secret, HIDDEN), homeless);
      return path.length < MIN_HIDDEN ? named : withoutPath(named, path);
    };
    const { free_bytes, database_bytes } = backups.status();
    const files = backups.list();
    return {
      generated: new Date(parts.clock.now()).toISOString(),
      version: parts.version,
      ...parts.runtime,
      ...parts.measure(),
      data: {
        folder: clean(parts.dataFolder),
        database_bytes,
        backups: files.length,
        backups_bytes: files.reduce((bytes, { size }) => bytes + size, 0),
        free_bytes,
      },
      revision: writer.revision(),
      commits: writer.commits(),
      counts: reads.counts.all(),
      settings: shownSettings(settings.current()),
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
      log: parts.log().map((line) => ({ ...line, message: clean(line.message), error: clean(line.error) })),
    };
  };
}

/** Of the receiver's address what is the same in every request, from the host on; empty where that is a host alone. */
function addressOf(callbackUrl: string): string {
  const fixed = callbackUrl.split(/[{?]/, 1)[0] ?? '';
  const { host = '', pathname = '/' } = URL.parse(fixed) ?? {};
  return pathname === '/' ? '' : host + pathname;
}

/** A short path of the receiver, such as `/data`, is a part of many others: it is hidden where it stands by itself. */
function withoutPath(text: string, path: string): string {
  const [first = '', ...rest] = text.split(path);
  return rest.reduce((so, part) => {
    const isPart = PATH_CHARACTER.test(so.at(-1) ?? ' ') || PATH_CHARACTER.test(part.at(0) ?? ' ');
    return so + (isPart ? path : HIDDEN) + part;
  }, first);
}

/** Reports values that are not known to be harmless by size only, so that a new setting is no leak. */
function shownSettings(current: CurrentSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(current).map(([name, value]) => [name, shown(name, value)]));
}

function shown(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if ((SHOWN as ReadonlySet<string>).has(name)) return String(value);
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const switchedOn = entries.filter(([, part]) => part === true).map(([key]) => key);
    return entries.some(([, part]) => typeof part !== 'boolean') ? `${entries.length} entries` : switchedOn.join(', ');
  }
  return value === null || value === '' ? 'not set' : 'set';
}
