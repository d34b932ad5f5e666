import type { ApiCall } from './call.ts';
import type { NewTurboLink, SerialPortEntry, Turbo, TurboFrame, TurboTrafficEntry } from '#shared/api/turbo.ts';

/** Turbos: how they are, how they are connected, and what passes. */
export function turboApi(call: ApiCall) {
  return {
    loadTurbos: (): Promise<readonly Turbo[]> => call('listTurbos'),
    loadTurboTraffic: (): Promise<readonly TurboTrafficEntry[]> => call('listTurboTraffic'),
    /** Oldest first; `after` is the number of the last one that was seen. */
    loadTurboFrames: (SerialNo: string, after: number | undefined): Promise<readonly TurboFrame[]> =>
      call('listTurboFrames', { path: { SerialNo }, query: { after } }),
    /** An empty name gives it its own back. */
    async renameTurbo(SerialNo: string, name: string): Promise<void> {
      await call('renameTurbo', { path: { SerialNo }, body: { name } });
    },
    /** `conflict` where it is connected. */
    forgetTurbo: (SerialNo: string) => call('forgetTurbo', { path: { SerialNo } }),
    /** A simulated turbo: whether it is connected. */
    async switchSimulatedTurbo(SerialNo: string, connected: boolean): Promise<void> {
      await call('changeSimulatedTurbo', { path: { SerialNo }, body: { connected } });
    },
    /** Serial ports of the station's machine. */
    loadSerialPorts: (): Promise<readonly SerialPortEntry[]> => call('listSerialPorts'),
    /** `conflict` where that port is kept open already. */
    async addTurboLink(link: Partial<NewTurboLink> & Pick<NewTurboLink, 'path'>): Promise<void> {
      await call('addTurboLink', { body: link });
    },
    removeTurboLink: (id: string) => call('removeTurboLink', { path: { id } }),
    async retryTurboLink(id: string): Promise<void> {
      await call('retryTurboLink', { path: { id } });
    },
    /** Where a turbo of the network connects. */
    loadTurboNetwork: () => call('getTurboNetwork'),
  };
}
