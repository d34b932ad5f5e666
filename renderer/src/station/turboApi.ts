import type { Client } from '#shared/api/operations.ts';
import type {
  NewTurboLink,
  SerialPortEntry,
  Turbo,
  TurboFrame,
  TurboNetwork,
  TurboTrafficEntry,
} from '#shared/api/turbo.ts';

/** Turbos: how they are, how they are connected, and what passes. */
export type TurboApi = {
  loadTurbos(): Promise<readonly Turbo[]>;
  loadTurboTraffic(): Promise<readonly TurboTrafficEntry[]>;
  /** Oldest first; `after` is the number of the last one that was seen. */
  loadTurboFrames(serialNumber: string, after: number | undefined): Promise<readonly TurboFrame[]>;
  /** An empty name gives it its own back. */
  renameTurbo(serialNumber: string, name: string): Promise<void>;
  /** `conflict` where it is connected. */
  forgetTurbo(serialNumber: string): Promise<void>;
  /** A simulated turbo: whether it is connected. */
  switchSimulatedTurbo(serialNumber: string, connected: boolean): Promise<void>;
  /** Serial ports of the station's machine. */
  loadSerialPorts(): Promise<readonly SerialPortEntry[]>;
  /** `conflict` where that port is kept open already. */
  addTurboLink(link: Partial<NewTurboLink> & Pick<NewTurboLink, 'path'>): Promise<void>;
  removeTurboLink(id: string): Promise<void>;
  retryTurboLink(id: string): Promise<void>;
  /** Where a turbo of the network connects. */
  loadTurboNetwork(): Promise<TurboNetwork>;
};

/** This part of the station's REST API, as the window uses it. */
export function turboApi(client: Client): TurboApi {
  return {
    loadTurbos: () => client.listTurbos(),
    loadTurboTraffic: () => client.listTurboTraffic(),
    loadTurboFrames: (SerialNo, after) =>
      client.listTurboFrames(after === undefined ? { SerialNo } : { SerialNo, after }),
    async renameTurbo(SerialNo, name) {
      await client.renameTurbo({ SerialNo }, { name });
    },
    forgetTurbo: (SerialNo) => client.forgetTurbo({ SerialNo }),
    async switchSimulatedTurbo(SerialNo, connected) {
      await client.changeSimulatedTurbo({ SerialNo }, { connected });
    },
    loadSerialPorts: () => client.listSerialPorts(),
    async addTurboLink(link) {
      await client.addTurboLink(link);
    },
    removeTurboLink: (id) => client.removeTurboLink({ id }),
    async retryTurboLink(id) {
      await client.retryTurboLink({ id });
    },
    loadTurboNetwork: () => client.getTurboNetwork(),
  };
}
