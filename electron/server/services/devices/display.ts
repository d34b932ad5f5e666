import { crc32 } from 'node:zlib';
import { createTurnQueue } from '../../scheduling/index.ts';
import type { Displayed } from '#shared/api/device.ts';
import { STATIC_FIELDS, TEXT_ELEMENTS } from '#shared/lib/requests/deviceFields.ts';
import { parseColor } from '#shared/led/color.ts';
import { seenLed } from '#shared/led/seen.ts';
import { EMPTY_SCREEN, MAX_QUANTITY, type ScreenContent } from '#shared/screen/content.ts';
import type { TablesOf } from '../../core.ts';
import type { ShownCommand } from '../../db/repositories/commands.ts';
import type { DeviceRow } from '../../db/repositories/devices.ts';
import type { Transaction } from '../../db/writer.ts';
import { commandScreen, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { staticScreen } from '#shared/lib/requests/staticScreen.ts';
import { dueAt, locationOf, quantityOf, SHOW_STOCK_TARGET } from '../../domain/commands/commandQueue.ts';
import type { Log, Show, Turbos } from '../../ports.ts';
import type { Target } from './targets.ts';
import type { Telemetry } from './telemetry.ts';

export const LED_OFF = { mode: 'off', hex: '#000000', letter: '' } as const;

/**
 * Number of recent screens to remember per device, including backgrounds, because a report about an older screen may still be in transit.
 */
const REMEMBERED_SHOWS = 6;

/** Derives each device's screen from database rows, and maps reports from devices to screens. */
export function createDisplay(parts: {
  repositories: TablesOf<'devices'>;
  turbos: Turbos;
  telemetry: Telemetry;
  log: Log;
}) {
  const { repositories, turbos, telemetry, log } = parts;
  const turns = createTurnQueue((deviceId, error) =>
    log.error({ err: error, device: deviceId }, 'could not ask a device to show something'),
  );
  const asked = new Map<string, Asked[]>();
  /** Each device's background with the row from which it was drawn. Cached because backgrounds rarely change. */
  const backgrounds = new Map<string, { row: DeviceRow; background: Asked }>();
  /** Devices whose first command was overdue when the station started, with the command's token. */
  const overdue = new Map<string, number>();

  /** Reads the rows that determine what the device should show. */
  function rowsOf(deviceId: string): ShownRows | undefined {
    const row = repositories.devices.find(deviceId);
    return row && { row, command: repositories.commands.findFirstShown(deviceId) };
  }

  /** Returns what the device should show and, if that is a command, the background that follows. */
  function wanted({ row, command }: ShownRows): Wanted {
    const background = backgroundOf(row);
    if (command === undefined) return background;
    const asked = command.target === SHOW_STOCK_TARGET ? withLed(background, command) : ofCommand(command, row);
    return { ...asked, background };
  }

  function backgroundOf(row: DeviceRow): Asked {
    const known = backgrounds.get(row.device_id);
    if (known !== undefined && SHOWN_COLUMNS.every((column) => known.row[column] === row[column]))
      return known.background;
    const background = ofStatics(row);
    backgrounds.set(row.device_id, { row, background });
    return background;
  }

  function ask(deviceId: string, { background, ...next }: Wanted): void {
    const before = asked.get(deviceId) ?? [];
    // Remember the background, too: a device returns to it by itself after a press, and may report this before the press is on disk.
    const lately = background === undefined ? [next, ...before] : [next, background, ...before];
    asked.set(deviceId, lately.slice(0, REMEMBERED_SHOWS));
    if (overdue.get(deviceId) !== next.show.token) {
      overdue.delete(deviceId);
      turbos.want(deviceId, next.show);
    }
    // Send the background after the show, because a turbo might otherwise restore the previous screen.
    if (background !== undefined) turbos.keep(deviceId, background.show);
  }

  return {
    /**
     * Sends a device its screen once this commit is on disk. If a commit affects many devices, spreads the work over several turns of the
     * event loop.
     */
    refresh: (tx: Transaction, deviceId: string): void =>
      tx.beforeCommit(deviceId, () => {
        const rows = rowsOf(deviceId);
        return rows && (() => turns.add(deviceId, () => ask(deviceId, wanted(rows))));
      }),
    /**
     * Sends every device its screen when the station starts. Commands that were due by `now` (epoch milliseconds) are sent only to devices
     * that still show them, because all other due commands are about to end.
     */
    refreshAll(now: number): void {
      for (const deviceId of repositories.devices.listIds()) {
        const first = repositories.commands.findFirst(deviceId);
        if (first !== undefined) {
          const due = dueAt(first.state, first.content.seconds, first.latencyMs);
          if (due !== null && due <= now) overdue.set(deviceId, first.id);
        }
        const rows = rowsOf(deviceId);
        if (rows !== undefined) ask(deviceId, wanted(rows));
      }
    },
    /**
     * Handles a report that the device is showing this command. If the command was overdue at startup, it is still lit and therefore
     * continues.
     */
    showing(deviceId: string, token: number): void {
      const [newest] = asked.get(deviceId) ?? [];
      if (newest === undefined || token === 0 || overdue.get(deviceId) !== token) return;
      overdue.delete(deviceId);
      turbos.want(deviceId, newest.show);
    },
    /** Handles a report of what the device shows. */
    shown(deviceId: string, token: number, checksum: number): void {
      const lately = asked.get(deviceId) ?? [];
      const found =
        lately.find(({ show }) => show.token === token && show.checksum === checksum) ??
        lately.find(({ show }) => show.token === token);
      if (found !== undefined) telemetry.displayed(deviceId, displayedOf(found));
    },
    /** Handles the end of a command on the device: its LED is off now, and a report of the new screen follows. */
    ended(deviceId: string, token: number): void {
      const displayed = telemetry.displayedOf(deviceId);
      if (displayed?.command_id === String(token)) telemetry.displayed(deviceId, { ...displayed, led: LED_OFF });
    },
    /** Forgets a removed device, and turns the device off if a turbo reaches it. */
    forget(deviceId: string): void {
      turns.remove(deviceId);
      asked.delete(deviceId);
      backgrounds.delete(deviceId);
      overdue.delete(deviceId);
      turbos.want(deviceId, DARK);
    },
    stop: turns.stop,
    /** Handles a quantity that the worker set on the device. */
    adjusted(deviceId: string, token: number, quantity: number): void {
      const displayed = telemetry.displayedOf(deviceId);
      // Without a quantity box, the device shows the new quantity only with the next screen.
      if (displayed?.command_id !== String(token) || displayed.screen.quantity === null) return;
      telemetry.displayed(deviceId, { ...displayed, screen: { ...displayed.screen, quantity } });
    },
  };
}

export type Display = ReturnType<typeof createDisplay>;

/** What a device shows (`Show`), and the letter for the LED color on the page. */
type Asked = { show: Show; letter: string };

/**
 * Rows that determine what a device shows. Read before the commit, because afterwards the connection may see rows of the next commit, which
 * are not on disk yet.
 */
type ShownRows = { row: DeviceRow; command: ShownCommand | undefined };

/** What a device should show, and the background that a command hides. */
type Wanted = Asked & { background?: Asked };

const DARK: Show = {
  token: 0,
  screen: EMPTY_SCREEN,
  checksum: screenChecksum(EMPTY_SCREEN),
  led: { mode: 'off', hex: '#000000', fixedBrightness: false },
  brightness: 100,
  sound: '',
  seconds: 0,
  quantity: null,
};

/** Columns that `ofStatics` reads. */
const SHOWN_COLUMNS = [
  ...STATIC_FIELDS,
  ...TEXT_ELEMENTS,
  'quantity',
  'label',
  'brightness',
] as const satisfies (keyof DeviceRow)[];

function ofStatics(row: Pick<DeviceRow, (typeof SHOWN_COLUMNS)[number]>): Asked {
  const screen = staticScreen(row, row.label);
  const { brightness } = row;
  const show: Show = { ...DARK, screen, checksum: screenChecksum(screen), brightness, quantity: screen.quantity };
  return { show, letter: '' };
}

/** Returns the same screen with the LED of the command. */
function withLed({ show }: Asked, { id, content }: ShownCommand): Asked {
  const { mode, hex, letter, fixedBrightness } = commandLed(content);
  return { show: { ...show, token: id, led: { mode, hex, fixedBrightness }, seconds: content.seconds }, letter };
}

function ofCommand(command: ShownCommand, place: Pick<DeviceRow, 'label' | 'brightness'>): Asked {
  const { content } = command;
  const asked = commandScreen(content, locationOf(command, place.label));
  const quantity = quantityOf(command);
  // `99+` would hide from the picker how many pieces to pick. Contract, section 8.
  const isLine = command.owner?.kind === 'item' && quantity !== null && quantity > MAX_QUANTITY;
  const screen: ScreenContent = isLine
    ? { ...asked, lines: [String(quantity), ...asked.lines], quantity: null }
    : { ...asked, quantity };
  const { mode, hex, letter, fixedBrightness } = commandLed(content);
  const show: Show = {
    token: command.id,
    screen,
    // Leave the quantity out of the checksum, because the device redraws the quantity box itself when the quantity is adjusted.
    checksum: screenChecksum(isLine ? screen : asked),
    led: { mode, hex, fixedBrightness },
    brightness: place.brightness,
    sound: content.sound,
    seconds: content.seconds,
    quantity,
  };
  return { show, letter };
}

/**
 * Returns warnings about content that stays invisible, because the device has no screen or no LED or is too dim. Black has a separate
 * warning.
 */
export function unseenWarnings(content: CommandContent, { deviceId, brightness, screen, led }: Target): string[] {
  const warnings = screen === 1 ? [] : blindWarnings(content, deviceId);
  if (led === 0) return [...warnings, `${deviceId} has no LED: nothing lights up.`];
  return [...warnings, ...darkWarnings(content, deviceId, brightness)];
}

function blindWarnings(
  { lines, quantity, arrow, barcode, qrcode, icon, sound }: CommandContent,
  deviceId: string,
): string[] {
  const texts = { arrow: arrow ?? '', barcode, 'QR code': qrcode, icon, sound };
  const unseen = [
    ...(lines.some((line) => line !== '') ? ['lines'] : []),
    ...(quantity === null ? [] : ['quantity']),
    ...Object.entries(texts).flatMap(([name, text]) => (text === '' ? [] : [name])),
  ];
  if (unseen.length === 0) return [];
  return [`${deviceId} has only a light: it does not show ${unseen.join(', ')}.`];
}

function darkWarnings(content: CommandContent, deviceId: string, brightness: number): string[] {
  if (seenLed(commandLed(content), brightness).darkBy !== 'brightness') return [];
  return [
    `The LED stays off: the brightness of ${deviceId} is ${brightness}. A color such as #ff0000 is shown all the same.`,
  ];
}

/** Returns how a command lights the LED, with the letter for its color. */
export function commandLed({ command, color }: CommandContent): Show['led'] & { letter: string } {
  // The color was validated when the command arrived.
  const { hex, letter, fixedBrightness } = parseColor(color) ?? { hex: '#000000', letter: '', fixedBrightness: false };
  return { mode: command === 'flash' ? 'blink' : 'steady', hex, letter, fixedBrightness };
}

function displayedOf({ show, letter }: Asked): Displayed {
  const { mode, hex } = show.led;
  return {
    command_id: show.token === 0 ? null : String(show.token),
    screen: { ...show.screen, lines: [...show.screen.lines] },
    led: { mode, hex, letter },
  };
}

/** Calculates the CRC-32 of everything on the screen. If a device's screen already has the same checksum, it is not redrawn. */
function screenChecksum(screen: ScreenContent): number {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return crc32(JSON.stringify([label, lines, quantity, arrow, barcode, qrcode, icon]));
}
