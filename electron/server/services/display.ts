import { crc32 } from 'node:zlib';
import type { Displayed } from '#shared/api/device.ts';
import { parseColor } from '#shared/led/color.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit } from '../db/writer.ts';
import { commandScreen } from '../domain/deviceRequest.ts';
import { quantityOf, type QueuedCommand } from '../domain/commandQueue.ts';
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
  const asked = new Map<string, Asked[]>();

  /** What the device should show by its rows. */
  function wanted(deviceId: string): Asked | undefined {
    const command = rows.commands.findFirst(deviceId);
    if (command === undefined) {
      const row = rows.devices.find(deviceId);
      return row && ofStatics(row);
    }
    const place = rows.devices.findPlace(deviceId);
    return place && ofCommand(command, place);
  }

  function ask(deviceId: string, next: Asked): void {
    const before = asked.get(deviceId) ?? [];
    asked.set(deviceId, [next, ...before.slice(0, REMEMBERED_SHOWS - 1)]);
    turbos().want(deviceId, next.show);
  }

  return {
    refresh: (unit, deviceId) =>
      unit.beforeCommit(deviceId, () => {
        const next = wanted(deviceId);
        return next && (() => ask(deviceId, next));
      }),
    refreshAll() {
      for (const deviceId of rows.devices.listIds()) {
        const next = wanted(deviceId);
        if (next !== undefined) ask(deviceId, next);
      }
    },
    shown(deviceId, token, checksum) {
      const lately = asked.get(deviceId) ?? [];
      const found =
        lately.find(({ show }) => show.token === token && show.checksum === checksum) ??
        lately.find(({ show }) => show.token === token);
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

/** A wish, with what the window tells of it. */
type Asked = { show: Show; letter: string };

function ofStatics(row: DeviceRow): Asked {
  const screen = staticScreen(row);
  const show: Show = {
    token: 0,
    screen,
    checksum: screenChecksum(screen),
    led: { mode: 'off', hex: '#000000', fixedBrightness: false },
    brightness: row.brightness,
    sound: '',
    seconds: 0,
    quantity: screen.quantity,
  };
  return { show, letter: '' };
}

function ofCommand(command: QueuedCommand, place: { label: string; brightness: number }): Asked {
  const { content } = command;
  const asked = commandScreen(content, command.location === '' ? place.label : command.location);
  const screen: ScreenContent = { ...asked, quantity: quantityOf(command) };
  // The colour was checked when the command came in.
  const color = parseColor(content.color) ?? { hex: '#000000', letter: '', fixedBrightness: false };
  const show: Show = {
    token: command.id,
    screen,
    // The device draws its count by itself: to count makes no other screen.
    checksum: screenChecksum(asked),
    led: {
      mode: content.command === 'flash' ? 'blink' : 'steady',
      hex: color.hex,
      fixedBrightness: color.fixedBrightness,
    },
    brightness: place.brightness,
    sound: content.sound,
    seconds: content.seconds,
    quantity: screen.quantity,
  };
  return { show, letter: color.letter };
}

function displayedOf({ show, letter }: Asked): Displayed {
  const { mode, hex } = show.led;
  return {
    command_id: show.token === 0 ? null : String(show.token),
    screen: { ...show.screen, lines: [...show.screen.lines] },
    led: { mode, hex, letter },
  };
}

/** CRC-32 of what is drawn: equal screens need no refresh. */
function screenChecksum(screen: ScreenContent): number {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return crc32(JSON.stringify([label, lines, quantity, arrow, barcode, qrcode, icon]));
}
