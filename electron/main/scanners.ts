import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HIDDevice, IpcMain, SerialPort, Session } from 'electron';

/** Usage page and usage of a "Bar code scanner" in USB's "HID Point of Sale Usage Tables". */
const SCANNER_PAGE = 0x8c;
const SCANNER_USAGE = 0x02;

/** A device in the page's list of choices. */
export type ScannerChoice = { id: string; name: string };

/** IPC channels between the main process and the preload script. `electron/preload/preload.ts` uses the same names. */
export const CHOOSE = 'pickstation:choose-scanner';
export const CHOSEN = 'pickstation:chosen-scanner';

/** Serial ports that the user has chosen, remembered for later starts. */
export type RememberedPorts = { has(port: SerialPort): boolean; add(port: SerialPort): void };

/** Hardware that the page may use: the camera without its microphone, HID scanners, and serial ports that the user chose. */
export type ScannerPermissions = {
  mayRequest(permission: string, details: object): boolean;
  mayCheck(permission: string, details: { mediaType?: string }): boolean;
  mayUseDevice(kind: string, device: unknown): boolean;
};

export function scannerPermissions(ports: RememberedPorts): ScannerPermissions {
  return {
    mayRequest(permission, details) {
      const { mediaTypes = [] }: { mediaTypes?: readonly string[] } = details;
      return permission === 'media' && mediaTypes.length > 0 && mediaTypes.every((type) => type === 'video');
    },
    mayCheck(permission, { mediaType }) {
      if (permission === 'media') return mediaType === 'video';
      return permission === 'serial' || permission === 'hid';
    },
    mayUseDevice(kind, device) {
      if (kind === 'hid') return isScanner(device as HIDDevice);
      return kind === 'serial' && ports.has(device as SerialPort);
    },
  };
}

function isScanner({ collections }: Pick<HIDDevice, 'collections'>): boolean {
  return collections.some(({ usagePage, usage }) => usagePage === SCANNER_PAGE && usage === SCANNER_USAGE);
}

type Page = { send(channel: string, choices: readonly ScannerChoice[]): void };

/** Lets the user choose a scanner from a list on the page, because Electron, unlike Chromium, has no dialog for this. */
export function chooseScannersInPage(
  session: Session,
  ipc: Pick<IpcMain, 'on'>,
  origin: string,
  ports: RememberedPorts,
): void {
  let answer: (id: string) => void = () => undefined;

  function ask(page: Page | null, choices: readonly ScannerChoice[], chosen: (id: string) => void): void {
    const before = answer;
    answer = chosen;
    before('');
    if (page === null) chosen('');
    else page.send(CHOOSE, choices);
  }

  session.on('select-serial-port', (event, list, contents, callback) => {
    event.preventDefault();
    const choices = list.map((port) => ({ id: port.portId, name: nameOf(port) }));
    ask(contents, choices, (id) => {
      const port = list.find(({ portId }) => portId === id);
      if (port !== undefined) ports.add(port);
      callback(port?.portId ?? '');
    });
  });
  session.on('select-hid-device', (event, { deviceList, frame }, callback) => {
    event.preventDefault();
    const scanners = deviceList.filter(isScanner);
    const choices = scanners.map(({ deviceId, name }) => ({ id: deviceId, name }));
    ask(frame, choices, (id) => callback(scanners.find(({ deviceId }) => deviceId === id)?.deviceId ?? null));
  });
  ipc.on(CHOSEN, (event, id: unknown) => {
    if (event.senderFrame?.origin !== origin) return;
    const chosen = answer;
    // Answer only once, as Electron requires.
    answer = () => undefined;
    chosen(typeof id === 'string' ? id : '');
  });
}

function nameOf({ displayName, portName }: SerialPort): string {
  return displayName === undefined || displayName === '' ? portName : `${displayName} (${portName})`;
}

const FILE = 'scanners.json';

/** Returns the serial ports stored in the data folder. An unreadable file counts as empty. */
export function rememberedPorts(folder: string): RememberedPorts {
  const file = join(folder, FILE);
  const keys = new Set(readKeys(file));
  return {
    has: (port) => keys.has(keyOf(port)),
    add(port) {
      keys.add(keyOf(port));
      try {
        writeFileSync(`${file}.new`, `${JSON.stringify([...keys])}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // If saving fails, the user has to choose the port again after the next start.
      }
    },
  };
}

function readKeys(file: string): string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(read) ? read.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Returns the key of a serial port. For a USB scanner, it does not depend on the port into which the scanner is plugged; other ports are
 * identified by name.
 */
function keyOf({ vendorId, productId, serialNumber = '', portName }: SerialPort): string {
  return vendorId === undefined ? portName : `usb ${vendorId}:${productId ?? ''}:${serialNumber}`;
}
