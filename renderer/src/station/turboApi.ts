import { type ApiCall, done } from './call.ts';
import type { NewTurboLink, SerialPortEntry, Turbo, TurboFrame, TurboTrafficEntry } from '#shared/api/turbo.ts';

/** Turbos, their links, and their traffic. */
export function turboApi(call: ApiCall) {
  return {
    loadTurbos: (): Promise<readonly Turbo[]> => call('listTurbos'),
    loadTurboTraffic: (): Promise<readonly TurboTrafficEntry[]> => call('listTurboTraffic'),
    /** Oldest first; `after`: the number of the last frame seen. */
    loadTurboFrames: (SerialNo: string, after: number | undefined): Promise<readonly TurboFrame[]> =>
      call('listTurboFrames', { path: { SerialNo }, query: { after } }),
    /** An empty name restores its own name. */
    renameTurbo: (SerialNo: string, name: string) => done(call('renameTurbo', { path: { SerialNo }, body: { name } })),
    /** Rejects with `conflict` while it is connected. */
    forgetTurbo: (SerialNo: string) => call('forgetTurbo', { path: { SerialNo } }),
    /** Connects or disconnects a simulated turbo. */
    switchSimulatedTurbo: (SerialNo: string, connected: boolean) =>
      done(call('changeSimulatedTurbo', { path: { SerialNo }, body: { connected } })),
    /** Serial ports of the station's machine. */
    loadSerialPorts: (): Promise<readonly SerialPortEntry[]> => call('listSerialPorts'),
    /** Rejects with `conflict` if the port already has a link. */
    addTurboLink: (link: Partial<NewTurboLink> & Pick<NewTurboLink, 'path'>) =>
      done(call('addTurboLink', { body: link })),
    removeTurboLink: (id: string) => call('removeTurboLink', { path: { id } }),
    retryTurboLink: (id: string) => done(call('retryTurboLink', { path: { id } })),
    /** The address for turbos on the network. */
    loadTurboNetwork: () => call('getTurboNetwork'),
  };
}
