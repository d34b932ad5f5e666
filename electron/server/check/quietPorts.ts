import { BrokerFault, type BrokerClient } from '../ports/broker.ts';
import type { Folders, HttpClient, Log, Mailer, Multicast, OpenFolder, SerialPorts } from '../ports.ts';
import type { StationPorts } from '../stationPorts.ts';

const WHY = 'Nothing leaves a station that is only checked.';

/** Returns interfaces that restrict a station to its own data folder: without network, serial ports, e-mail or other folders. */
export function quietPorts(ports: StationPorts, log: Log): StationPorts {
  return {
    ...ports,
    log,
    logFiles: undefined,
    http: silentHttp(),
    sheetHttp: silentHttp(),
    mailer: SILENT_MAILER,
    loadBroker: () => Promise.resolve(NO_BROKER),
    folders: EMPTY_FOLDERS,
    serial: NO_SERIAL,
    multicast: NO_NETWORK,
    connectsLinks: false,
    ranFolders: undefined,
    joinTurbos: () => undefined,
  };
}

function refusal(): Promise<never> {
  return Promise.reject(new Error(WHY));
}

function silentHttp(): HttpClient {
  return { send: () => ({ answer: refusal(), giveUp: () => undefined }), stop: () => undefined };
}

const SILENT_MAILER: Mailer = { send: () => ({ answer: refusal(), giveUp: () => undefined }) };

const NO_BROKER: BrokerClient = {
  connect: () => ({ ready: Promise.reject(new BrokerFault(WHY)), giveUp: () => undefined }),
};

/** Access to folders that makes every folder look empty. */
const EMPTY_FOLDERS: Folders = {
  open: (path) => Promise.resolve(emptyFolder(path)),
  watch: () => () => undefined,
};

function emptyFolder(path: string): OpenFolder {
  return {
    path,
    identities: () => Promise.resolve([]),
    list: () => Promise.resolve([]),
    find: () => Promise.resolve(undefined),
    makeFolder: (name) => Promise.resolve(emptyFolder(`${path}/${name}`)),
    read: () => Promise.resolve(undefined),
    write: refusal,
    move: refusal,
    take: refusal,
    close: () => Promise.resolve(),
  };
}

const NO_SERIAL: SerialPorts = { list: () => Promise.resolve([]), open: refusal, reset: refusal };

const NO_NETWORK: Multicast = { ask: refusal };
