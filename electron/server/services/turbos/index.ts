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

/** Turbos, and the serial ports that are kept open for them. */
export function createTurboGroup(
  core: CoreOf<'turbos'>,
  needs: {
    turbos: Turbos;
    ports: SerialPorts;
    serialLinks: SerialLinks;
    networkLinks: NetworkLinks;
    devices: Pick<Devices, 'register' | 'change'>;
    watch: TurboWatch;
    /** Searches the network, as `Multicast` does. */
    find: () => Promise<FoundController[]>;
    telemetry: Telemetry;
    alerts: Alerts;
  },
) {
  const turboLinks = createTurboLinks({ ...core, ...needs });
  needs.networkLinks.rememberIn(createLinkMemories(core));
  core.onStart(() => turboLinks.start());
  const controllerSearch = createControllerSearch({ ...core, ...needs });
  return { turboLinks, controllerSearch, turboCare: createTurboCare({ ...core, ...needs }) };
}
