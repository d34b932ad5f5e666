import type { Board, BoardJob, NewBoard } from '#shared/api/board.ts';
import type { TurboNetwork } from '#shared/api/turbo.ts';
import { isBoardPort, profilesFor, UART_BAUD } from '../../domain/devices/boardProfiles.ts';
import { StationError } from '../../errors.ts';
import type { BoardJobs, Job } from './jobs.ts';
import type {
  BoardConfig,
  BoardFacts,
  BoardInstaller,
  Clock,
  Firmware,
  Ids,
  SerialPorts,
  Timer,
  Turbos,
} from '../../ports.ts';
import { trustIn, type StationTrust } from './stationTrust.ts';
import type { Writer } from '../../db/writer.ts';
import type { ApiUsers } from '../access/index.ts';
import type { Audit, By } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';
import type { TurboLinks } from '../turbos/index.ts';

/** Maximum time for a board to start, join the Wi-Fi and connect. */
const HELLO_MS = 60_000;
const LOOK_MS = 250;

/** File name of the station's certificate on a board. */
const CA = 'station.der';

/**
 * How boards reach the station. `certificate` is the station's certificate chain in PEM format, or undefined if the station uses plain
 * HTTP.
 */
export type StationAccess = { network: TurboNetwork; certificate: string | undefined };

/** Installs the station's firmware on boards with MicroPython, so that they become devices. Contract, section 17. */
export function createBoards(
  core: {
    writer: Pick<Writer, 'write'>;
    audit: Audit;
    clock: Clock;
    ids: Ids;
  },
  needs: {
    ports: Pick<SerialPorts, 'list'>;
    installer: BoardInstaller;
    firmware: () => Firmware;
    jobs: BoardJobs;
    turboLinks: Pick<TurboLinks, 'list' | 'add'>;
    turbos: Pick<Turbos, 'list'>;
    devices: Pick<Devices, 'register' | 'change'>;
    /** Lights the device briefly to show that it is connected. */
    greet: (deviceId: string) => Promise<void>;
    apiUsers: Pick<ApiUsers, 'add' | 'listBoundTo' | 'remove'>;
  },
) {
  const { writer, audit, ids } = core;
  const { ports, installer, firmware, turboLinks, devices, greet, apiUsers, jobs } = needs;

  async function run(job: Job, asked: NewBoard, access: StationAccess, by: By): Promise<void> {
    const { entry, abort } = job;
    const { step } = job;
    try {
      const prepare = async (facts: BoardFacts) => {
        entry.deviceid = facts.deviceId;
        entry.turbo = facts.serialNumber;
        refuseChip(asked, facts);
        const way = asked.wifi && wayTo(access, facts.platform);
        const config = await configOf(job, asked, facts, way, by);
        const { files } = firmware();
        return { files: way?.trust === undefined ? files : [...files, { path: CA, bytes: way.trust.der }], config };
      };
      const facts = await installer.install(asked.port, prepare, { step, signal: abort.signal });
      step('waiting', 0);
      // The board now has another key or none. Revoke its previous keys, which only a thief could still use.
      for (const id of apiUsers.listBoundTo(facts.serialNumber)) if (id !== job.keyId) await apiUsers.remove(id, by);
      await writer.write((tx) => {
        devices.register(tx, { deviceId: facts.deviceId, firmware: 0, buttons: 1 });
        const label = asked.name ?? '';
        const { warnings } = devices.change(tx, facts.deviceId, label === '' ? {} : { locationoverride: label });
        if (warnings.length > 0) tx.apply(() => void (entry.warnings = warnings));
        audit.record(tx, { action: 'board.installed', by, subject: facts.deviceId, detail: {} });
      });
      if (asked.wifi === undefined)
        await turboLinks.add({ kind: 'usb', path: asked.port, baud_rate: UART_BAUD, flow_control: false }, by);
      await waitForHello({ turbos: needs.turbos, clock: core.clock }, facts.serialNumber, abort.signal);
      await greet(facts.deviceId);
      job.done();
    } catch (error) {
      job.failed(error);
      // Revoke the new key if no board uses it.
      if (job.keyId !== undefined && entry.step !== 'waiting')
        await apiUsers.remove(job.keyId, by).catch(() => undefined);
    }
  }

  async function configOf(
    job: Job,
    { profile, name = '', wifi }: NewBoard,
    facts: BoardFacts,
    way: Way | undefined,
    by: By,
  ): Promise<BoardConfig> {
    const common = { profile, name: name === '' ? facts.serialNumber : name };
    if (wifi === undefined || way === undefined) return { ...common, transport: 'usb' };
    const { station, trust } = way;
    const user = await apiUsers.add(
      { name: `${facts.serialNumber} ${Buffer.from(ids.bytes(2)).toString('hex')}`, scope: 'turbo' },
      by,
      facts.serialNumber,
    );
    job.keyId = user.id;
    const ca = trust === undefined ? {} : { ca: CA, ...(trust.name === undefined ? {} : { ca_name: trust.name }) };
    return { ...common, transport: 'wifi', station, user: user.name, key: user.api_key, ...wifi, ...ca };
  }

  return {
    /** Lists USB ports with a board that may run MicroPython, except ports that a turbo uses. */
    async list(): Promise<Board[]> {
      const taken = new Set(turboLinks.list().map(({ path }) => path));
      const found = (await ports.list()).filter((port) => isBoardPort(port) && !taken.has(port.path));
      return found.map(({ path, serialNumber, ...port }) => ({
        port: path,
        name: port.manufacturer,
        serial_number: serialNumber,
        profiles: profilesFor(port),
      }));
    },
    /** Starts installing the firmware. Throws `conflict` if the port is in use. */
    install(asked: NewBoard, access: StationAccess, by: By): BoardJob {
      const link = turboLinks.list().find(({ path }) => path === asked.port);
      if (link !== undefined) {
        throw new StationError(
          'conflict',
          `${asked.port} is kept open for a turbo, as link ${link.id}. Disconnect that first.`,
        );
      }
      if (jobs.running().some(({ entry }) => entry.port === asked.port)) {
        throw new StationError('conflict', `The board on ${asked.port} is already being written.`);
      }
      if (asked.wifi !== undefined) wayTo(access, CHIPS[asked.profile]?.platform ?? TLS_PLATFORM);
      const job = jobs.begin({ kind: 'installation', port: asked.port, profile: asked.profile, step: 'connecting' });
      void run(job, asked, access, by);
      return { ...job.entry };
    },
  };
}

export type Boards = ReturnType<typeof createBoards>;

/** Resolves when the turbo is online. Rejects after `HELLO_MS`, or if the job was canceled. */
function waitForHello(
  { turbos, clock }: { turbos: Pick<Turbos, 'list'>; clock: Clock },
  serialNumber: string,
  signal: AbortSignal,
): Promise<void> {
  const endMs = clock.monotonic() + HELLO_MS;
  return new Promise((resolve, reject) => {
    let timer: Timer;
    const look = (): void => {
      if (signal.aborted) return reject(new Error('Cancelled. The board has its firmware, and may still connect.'));
      if (turbos.list().some((turbo) => turbo.serialNumber === serialNumber && turbo.status === 'online'))
        return resolve();
      if (clock.monotonic() >= endMs) {
        return reject(
          new Error(
            'The firmware was written, but the board did not connect. Check the name and password of the Wi-Fi, or unplug it and plug it in again.',
          ),
        );
      }
      timer = clock.setTimer(LOOK_MS, look);
    };
    signal.addEventListener('abort', () => {
      timer.cancel();
      look();
    });
    timer = clock.setTimer(0, look);
  });
}

const CHIPS: Readonly<Partial<Record<NewBoard['profile'], { platform: string; name: string }>>> = {
  badger2040: { platform: 'rp2', name: 'an RP2040' },
  badger2040w: { platform: 'rp2', name: 'an RP2040' },
  esp32s3: { platform: 'esp32', name: 'an ESP32-S3' },
};

function refuseChip({ profile }: NewBoard, { platform, machine }: BoardFacts): void {
  const chip = CHIPS[profile];
  if (chip === undefined || chip.platform === platform) return;
  const found = machine === '' ? platform : machine;
  throw new Error(
    `This profile is for a board with ${chip.name}, and the board says it is "${found}". Choose another profile.`,
  );
}

/** Chips with enough memory for TLS. An RP2040 has 264 KB, of which the firmware leaves too little free. */
const TLS_PLATFORM = 'esp32';

type Way = { station: string; trust: StationTrust | undefined };

/**
 * Returns the address at which a board with this chip reaches the station over Wi-Fi, and the certificate to trust. Throws `conflict` if
 * the board cannot reach the station.
 */
function wayTo({ network, certificate }: StationAccess, platform: string): Way {
  const protocol = certificate === undefined ? 'ws:' : 'wss:';
  const url = network.websocket.map((each) => new URL(each)).find((each) => each.protocol === protocol);
  if (url === undefined || network.listens === 'this_machine') {
    throw new StationError(
      'conflict',
      'The station is not open to the network, so no board could reach it by Wi-Fi. Open it in Settings, or leave out the Wi-Fi.',
    );
  }
  const port = url.port === '' ? (certificate === undefined ? 80 : 443) : url.port;
  const station = `${url.hostname}:${port}`;
  if (certificate === undefined) return { station, trust: undefined };
  if (platform !== TLS_PLATFORM) {
    throw new StationError(
      'conflict',
      'The station speaks only HTTPS, for which this board has too little memory. Use a board with an ESP32-S3, or leave out the Wi-Fi.',
    );
  }
  const trust = trustIn(certificate);
  if (trust !== undefined) return { station, trust };
  throw new StationError(
    'conflict',
    'The file of the station’s certificate does not contain the root that signed it, which a board has to know. Install the board by hand, with the root as `ca` (docs/boards.md), or leave out the Wi-Fi.',
  );
}
