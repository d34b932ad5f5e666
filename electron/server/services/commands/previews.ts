import type { Displayed } from '#shared/api/device.ts';
import { commandScreen, labelWarnings } from '#shared/lib/requests/deviceRequest.ts';
import { staticScreen } from '#shared/lib/requests/staticScreen.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import { parseSound } from '#shared/sound/sound.ts';
import type { TablesOf } from '../../core.ts';
import { locationOf } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';
import { type Asked, type RequestDefaults, findAddressee, understand } from './requests.ts';
import {
  BLANK_DEVICE,
  LED_OFF,
  type Telemetry,
  commandLed,
  unseenWarnings,
  pointed,
  targetById,
  targetByLocation,
  sharedLabel,
  withStatics,
} from '../devices/index.ts';

/** Screen, LED and sound that a device would output for a request. */
export type Preview = {
  screen: ScreenContent;
  led: Displayed['led'];
  /** Duration of a command in seconds, or null for statics, which do not end. */
  seconds: number | null;
  sound: { encoding: string; ms: number };
  warnings: string[];
  /** Values of the device that the request names or, if it names none, of a new device. `batteryMv` is null if unknown. */
  device: { firmware: number; batteryMv: number | null };
};

const NOTHING_TO_SEE = 'There is nothing to preview: kill removes commands and shows nothing.';

/** Previews requests without writing or sending anything. */
export function createPreviews(parts: {
  /** Tables for reading committed rows only. */
  reads: TablesOf<'commands'>;
  telemetry: Pick<Telemetry, 'batteryMv'>;
  settings: { current(): RequestDefaults };
}) {
  const { reads, telemetry, settings } = parts;
  const by = {
    byId: (deviceId: string) => targetById(reads, deviceId),
    byLocation: (location: string) => targetByLocation(reads, location),
  };

  return {
    /**
     * Previews a request. `label`, if set, replaces the name of the place on the screen. Throws `invalid` and `not_found` as sending does,
     * and `invalid` if the request draws nothing.
     */
    of(asked: Asked, label: string | undefined): Preview {
      const { instruction, warnings } = understand(asked, settings.current());
      const target = findAddressee(asked.request, by);
      const row = (target && reads.devices.find(target.deviceId)) ?? BLANK_DEVICE;
      const batteryMv = target === undefined ? null : telemetry.batteryMv(target.deviceId);
      const device = { firmware: row.firmware, batteryMv };
      const allWarnings = [
        ...warnings,
        ...(target?.warning === undefined ? [] : [target.warning]),
        ...(label === undefined ? [] : labelWarnings(label, 'label')),
      ];
      switch (instruction.kind) {
        case 'kill':
          throw new StationError('invalid', NOTHING_TO_SEE, [{ path: '/command', message: NOTHING_TO_SEE }]);
        case 'command': {
          const noAlias = { alias: '', arrow: null };
          const { content, warnings: ofArrow } = pointed(instruction.content, target ?? noAlias);
          const { mode, hex, letter } = commandLed(content);
          const place = label ?? (target === undefined ? '' : locationOf(target, target.label));
          return {
            screen: commandScreen(content, place),
            led: { mode, hex, letter },
            seconds: content.seconds,
            sound: { encoding: content.sound, ms: lengthOf(content.sound) },
            warnings: [...allWarnings, ...ofArrow, ...(target === undefined ? [] : unseenWarnings(content, target))],
            device,
          };
        }
        case 'statics': {
          const { changes } = instruction;
          const { row: after, warnings: ofStatics } = withStatics(row, changes);
          return {
            screen: staticScreen(after, changes.locationoverride ?? label ?? after.label),
            led: LED_OFF,
            seconds: null,
            sound: { encoding: '', ms: 0 },
            warnings: [...allWarnings, ...ofStatics, ...sharedLabel(reads, row, after)],
            device,
          };
        }
      }
    },
  };
}

export type Previews = ReturnType<typeof createPreviews>;

/** Returns the duration of a valid sound encoding in milliseconds, or 0 if it is empty. */
function lengthOf(encoding: string): number {
  if (encoding === '') return 0;
  const sound = parseSound(encoding);
  return sound.ok ? sound.notes.reduce((sum, { ms }) => sum + ms, 0) : 0;
}
