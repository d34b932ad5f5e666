import type { StationPorts } from '../../../electron/server/station.ts';
import type { Greeting, TurboConnection, ConnectionHost } from '../../../electron/server/turbo/types.ts';

/** Creates a board with outdated firmware that answers no requests, for tests that only begin an update. */
export function outdatedBoard() {
  const serialNumber = 'board-51D000:0000B1';
  let plug = (): void => undefined;
  let unplug = (): void => undefined;
  const joinTurbos: StationPorts['joinTurbos'] = (join, clock) => {
    plug = () => {
      const turbo: Greeting = {
        serialNumber,
        name: 'A-1-1',
        protocol: 1,
        firmware: 101,
        bootId: 1,
        uptimeS: 60,
        window: 8,
        software: '3f2a90b1c4d5e6f7',
      };
      let host: ConnectionHost | undefined;
      let state: TurboConnection['state'] = 'online';
      const connection: TurboConnection = {
        transport: { kind: 'network', port: '192.168.1.40:50000', canPress: false, admission: undefined },
        get state() {
          return state;
        },
        turbo,
        problem: undefined,
        uptimeS: 60,
        lastSeenAt: clock.now(),
        synced: true,
        firstSync: Promise.resolve(),
        send: () => undefined,
        withdraw: () => undefined,
        sync: () => Promise.resolve(),
        close(reason) {
          if (state === 'closed') return;
          state = 'closed';
          host?.closed(connection, reason);
        },
      };
      unplug = join((given) => {
        host = given;
        return connection;
      });
      host?.online(connection, turbo);
    };
  };
  return {
    serialNumber,
    joinTurbos,
    connect: (): void => plug(),
    disconnect: (): void => unplug(),
  };
}
