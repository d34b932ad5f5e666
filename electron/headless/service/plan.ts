import type { StationConfig } from '../../server/config.ts';
import { StationError } from '../../server/errors.ts';

/** What a service starts, independent of the system. */
export type ServiceStart = {
  /** The program with its arguments, with absolute paths. */
  command: readonly string[];
  dataFolder: string;
  /** Port of the station, or undefined to use the one in the station's settings. */
  port: number | undefined;
  /** Folder of the program. */
  root: string;
};

/** How an operating system starts a program automatically. Each function throws a StationError whose message explains the problem. */
export type ServiceKind = {
  /** The file that describes the service to the system. */
  file: string;
  text: string;
  /** Encoding of `file`, by default UTF-8. */
  encoding?: 'utf16le';
  dataFolder: string;
  /** The system's own copy of the service, for systems that read `file` only once. `read` returns undefined if there is no such copy. */
  registered?: { place: string; read(): string | undefined };
  /** Whether an installed service uses `dataFolder`. `installed` is the text that `registered` reads, or else the content of `file`. */
  isOfData(installed: string): boolean;
  /** Throws if this system does not support the service, or this user may not install it. Changes nothing. */
  refuse(): void;
  isRunning(): boolean;
  /** Call after the file was written or changed. Returns further steps for the user, as sentences. */
  enable(): string[];
  /** Stops the service. Call before the file is removed. Does nothing if the system does not know the service. */
  disable(): void;
  /** Call after the file was removed. */
  forget(): void;
  /** Explanations of how to see the state and the log of the service, and how to stop it. */
  hints: readonly string[];
};

/** Returns the arguments that start the same station again. Throws if the configuration has arguments that are only for a single start. */
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
