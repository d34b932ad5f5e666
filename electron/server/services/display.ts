import { crc32 } from 'node:zlib';
import type { Displayed } from '#shared/api/device.ts';
import { parseColor } from '#shared/led/color.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit } from '../db/writer.ts';
import { commandScreen } from '../domain/deviceRequest.ts';
import { quantityOf } from '../domain/commandQueue.ts';
import type { Show, Turbos } from '../ports.ts';
import type { Conditions } from './conditions.ts';
import { staticScreen } from './deviceEntry.ts';

/** Turns rows into what each device should show, and what a device says it shows back into a screen. */
export type Display = {
  /** Once this commit is on disk, the device is told what to show. */
  refresh(unit: Unit, deviceId: string): void;
  /** Tells every device what to show, from the rows as they are. */
  refreshAll(): void;
  /** The device said what it shows. */
  shown(deviceId: string, token: number, checksum: number): void;
  /** The device ended what it showed under this token: its LED went off at once, its screen follows. */
  ended(deviceId: string, token: number): void;
  /** The device counted up or down by itself. */
  adjusted(deviceId: string, token: number, quantity: number): void;
};

const LED_OFF = { mode: 'off', hex: '#000000', letter: '' } as const;

/** What a device was asked to show lately: a report of an older one may still be on its way. */
const REMEMBERED_SHOWS = 3;

export function createDisplay(parts: { rows: Rows; turbos: () => Turbos; conditions: Conditions }): Display {
  const { rows, turbos, conditions } = parts;
  const asked = new Map<string, Show[]>();

  function show(deviceId: string): void {
    const row = rows.devices.find(deviceId);
    if (row === undefined) return;
    const command = rows.commands.findFirst(deviceId);
    const screen: ScreenContent =
      command === undefined
        ? staticScreen(row)
        : {
            ...commandScreen(command.content, command.location === '' ? row.label : command.location),
            quantity: quantityOf(command),
          };
    const color = command === undefined ? undefined : parseColor(command.content.color);
    const wanted: Show = {
      token: command?.id ?? 0,
      screen,
      checksum: screenChecksum(screen),
      led:
        command === undefined || color === undefined
          ? { mode: 'off', hex: '#000000', fixedBrightness: false }
          : {
              mode: command.content.command === 'flash' ? 'blink' : 'steady',
              hex: color.hex,
              fixedBrightness: color.fixedBrightness,
            },
      brightness: row.brightness,
      sound: command?.content.sound ?? '',
      seconds: command?.content.seconds ?? 0,
      quantity: screen.quantity,
    };
    const before = asked.get(deviceId) ?? [];
    asked.set(deviceId, [wanted, ...before.slice(0, REMEMBERED_SHOWS - 1)]);
    turbos().want(deviceId, wanted);
  }

  return {
    refresh: (unit, deviceId) => unit.afterCommitOnce(deviceId, () => show(deviceId)),
    refreshAll() {
      for (const deviceId of rows.devices.listIds()) show(deviceId);
    },
    shown(deviceId, token, checksum) {
      const shows = asked.get(deviceId) ?? [];
      const found =
        shows.find((candidate) => candidate.token === token && candidate.checksum === checksum) ??
        shows.find((candidate) => candidate.token === token);
      if (found !== undefined) conditions.displayed(deviceId, displayedOf(found));
    },
    ended(deviceId, token) {
      const displayed = conditions.displayedOf(deviceId);
      if (displayed?.command_id === String(token)) conditions.displayed(deviceId, { ...displayed, led: LED_OFF });
    },
    adjusted(deviceId, token, quantity) {
      const displayed = conditions.displayedOf(deviceId);
      if (displayed?.command_id !== String(token)) return;
      conditions.displayed(deviceId, { ...displayed, screen: { ...displayed.screen, quantity } });
    },
  };
}

function displayedOf(show: Show): Displayed {
  const { mode, hex } = show.led;
  return {
    command_id: show.token === 0 ? null : String(show.token),
    screen: { ...show.screen, lines: [...show.screen.lines] },
    led: { mode, hex, letter: mode === 'off' ? '' : (parseColor(hex)?.letter ?? '') },
  };
}

/** CRC-32 of what is drawn: equal screens need no refresh. */
function screenChecksum(screen: ScreenContent): number {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return crc32(JSON.stringify([label, lines, quantity, arrow, barcode, qrcode, icon]));
}
