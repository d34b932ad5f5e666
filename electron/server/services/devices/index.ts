import type { CoreOf } from '../../core.ts';
import type { Turbos } from '../../ports.ts';
import { createDevices } from './devices.ts';
import { createPlaceLights } from './placeLights.ts';
import { createDisplay } from './display.ts';
import { createRefusals } from './refusals.ts';
import { createRegistrations, type NewDeviceAlerts } from './registrations.ts';
import { createTelemetry } from './telemetry.ts';

export type { TargetTables } from './types.ts';
export { pointed } from './aliasArrow.ts';
export type { Devices } from './devices.ts';
export { type Display, LED_OFF, commandLed, unseenWarnings } from './display.ts';
export {
  type ChangedLights,
  type FormerLight,
  type LightFollower,
  type PlaceLights,
  refuseLost,
  type SaidOfLights,
} from './placeLights.ts';
export type { Refusals } from './refusals.ts';
export { BLANK_DEVICE, sharedLabelWarnings, sharedLabel, withStatics } from './statics.ts';
export {
  type Target,
  findAgain,
  findByAnyName,
  findById,
  findByLocation,
  findByOnlyPart,
  isPlaceName,
  slowWarning,
  targetById,
  targetByLocation,
  withNamesOnce,
  unknownDevice,
} from './targets.ts';
export { batteryPercent } from './conditions.ts';
export type { Telemetry } from './telemetry.ts';

export function createDeviceGroup(core: CoreOf<'devices'>, needs: { turbos: Turbos; stationAlerts: NewDeviceAlerts }) {
  const { repositories, reads, writer } = core;
  const telemetry = createTelemetry({
    ...core,
    ...needs,
    nameOf: (serialNumber) => reads.turboNames.find(serialNumber),
    async save(saved) {
      await writer.writeEach(
        saved,
        (_tx, condition) => repositories.devices.saveCondition(condition),
        (error) => {
          throw error;
        },
      );
    },
  });
  core.onStop(() => telemetry.stop());
  core.onStart(() => telemetry.start());
  const display = createDisplay({ ...core, ...needs, telemetry });
  core.onStop(() => display.stop());
  const refusals = createRefusals(core);
  const registrations = createRegistrations({ ...core, alerts: needs.stationAlerts });
  const placeLights = createPlaceLights(repositories);
  const devices = createDevices({
    ...core,
    telemetry,
    refusals,
    registrations,
    refresh: display.refresh,
    placeLights,
  });
  return { devices, telemetry, display, refusals, placeLights };
}
