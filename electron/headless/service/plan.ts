import type { StationConfig } from '../../server/config.ts';
import { StationError } from '../../server/errors.ts';

/** What a service starts, without what belongs to the system. */
export type ServiceStart = {
  /** The program with its arguments; paths are absolute. */
  command: readonly string[];
  dataFolder: string;
  /** undefined: as the settings of the station say. */
  port: number | undefined;
  /** Folder of the program. */
  root: string;
};

/** How one kind of system starts a program by itself. Each step throws a StationError that says what is wrong. */
export type ServiceKind = {
  /** The file that describes the service to the system. */
  file: string;
  text: string;
  /** How `file` is written; undefined: UTF-8. */
  encoding?: 'utf16le';
  dataFolder: string;
  /** The system's own copy of the service, if it reads `file` only once. `read` returns undefined if there is none. */
  registered?: { place: string; read(): string | undefined };
  /** Whether a service is for `dataFolder`, by what `registered` reads, or else by its file. */
  isOfData(installed: string): boolean;
  /** Throws if this system, or this user, cannot have the service. Changes nothing. */
  refuse(): void;
  isRunning(): boolean;
  /** After the file was written or changed. Returns what else it did, as sentences. */
  enable(): string[];
  /** Stops it before the file is removed. Does nothing where the system does not know it. */
  disable(): void;
  /** After the file was removed. */
  forget(): void;
  /** How a person sees its state and its log, and stops it. */
  hints: readonly string[];
};

/** The arguments that start such a station again. Throws for what only one start may have. */
export function argumentsOf(config: StationConfig): string[] {
  if (config.restore !== undefined || config.acceptLoss === true) {
    throw new StationError(
      'invalid',
      'A service would repeat --restore and --accept-loss at each start. Start once by hand with it, then install the service without it.',
    );
  }
  const pairs: [string, string | number | undefined][] = [
    ['--host', config.host],
    ['--port', config.port],
    ['--tls-cert', config.tls?.cert],
    ['--tls-key', config.tls?.key],
    ['--turbo-port', config.turboPort],
    ['--simulate', config.simulate === 0 ? undefined : config.simulate],
  ];
  return [
    ...(config.fleetOnly === true ? ['--fleet'] : []),
    ...pairs.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...(config.logFiles === false ? ['--no-log-files'] : []),
  ];
}
