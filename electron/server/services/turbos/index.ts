import type { CoreOf } from '../../core.ts';
import type { FoundController, NetworkLinks, SerialLinks, SerialPorts, TurboWatch, Turbos } from '../../ports.ts';
import type { Alerts } from '../alerts/index.ts';
import type { Devices, Telemetry } from '../devices/index.ts';
import { createControllerSearch } from './controllerSearch.ts';
import { createLinkMemories } from './linkMemories.ts';
import { createTurboCare } from './turboCare.ts';
import { createTurboLinks } from './turboLinks.ts';

export type { ControllerSearch } from './controllerSearch.ts';
export type { TurboCare } from './turboCare.ts';
export type { TurboLinks } from './turboLinks.ts';
export { type TurboCaller, type TurboSignIn, createTurboSignIn } from './turboSignIn.ts';

/** Creates the services for turbos and for the links that the station keeps open to them. */
export function createTurboGroup(
  core: CoreOf<'turbos'>,
  needs: {
    turbos: Turbos;
    ports: SerialPorts;
    serialLinks: SerialLinks;
    networkLinks: NetworkLinks;
    devices: Pick<Devices, 'register' | 'change' | 'relabel'>;
    watch: TurboWatch;
    /** Searches the network for controllers. */
    find: () => Promise<FoundController[]>;
    telemetry: Telemetry;
    alerts: Alerts;
  },
) {
  const { repositories, reads, writer, bus, audit, log, keyRing } = core;
  const { turbos, ports, serialLinks, networkLinks, devices, watch, find, telemetry, alerts } = needs;
  const turboLinks = createTurboLinks({
    repositories,
    reads,
    writer,
    ports,
    serialLinks,
    networkLinks,
    turbos,
    devices,
    bus,
    audit,
    log,
    keyRing,
  });
  networkLinks.rememberIn(createLinkMemories({ repositories, reads, writer, log }));
  core.onStart(() => turboLinks.start());
  return {
    turboLinks,
    controllerSearch: createControllerSearch({ reads, find }),
    turboCare: createTurboCare({ repositories, writer, turbos, watch, telemetry, alerts, audit }),
  };
}
