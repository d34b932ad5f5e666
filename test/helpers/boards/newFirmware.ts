import { join } from 'node:path';
import { sealFirmware } from '../../../electron/server/turbo/boards/firmware.ts';
import { readFirmwareFiles } from '../../../electron/server/files/firmwareFiles.ts';
import type { Firmware } from '../../../electron/server/ports.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'resources', 'firmware');

/** Returns our firmware after replacing a text in one of its files. */
export function newFirmware(path = 'core/codec.py', text = 'FIRMWARE = 101', by = 'FIRMWARE = 102'): Firmware {
  let isFound = false;
  const files = readFirmwareFiles(FOLDER).map((file) => {
    const before = Buffer.from(file.bytes).toString('utf8');
    if (file.path !== path || !before.includes(text)) return file;
    isFound = true;
    return { path, bytes: Buffer.from(before.replace(text, by), 'utf8') };
  });
  if (!isFound) throw new Error(`${path} has no ${text}`);
  return sealFirmware(files);
}

/** Returns firmware that fails while it starts. */
export const brokenFirmware = (): Firmware => newFirmware('core/app.py', 'class App:', 'raise ValueError\nclass App:');

/** Returns firmware that runs but never communicates with the station. */
export const silentFirmware = (): Firmware =>
  newFirmware('core/app.py', 'waits.append(self.session.step(now))', 'waits.append(20)');
