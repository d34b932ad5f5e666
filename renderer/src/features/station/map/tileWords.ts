import type { Device } from '#shared/api/device.ts';
import { heardWords } from '../../../device/deviceWords.ts';
import { countWaiting } from '../../../station/conditions.ts';
import { formatTimeLeft } from '../../../station/time.ts';
import { texts } from '../../../ui/texts.ts';

/** Time left and how many wait, where there is room for no more: `0:41 · +1`. */
export function briefProgress(device: Device, stationNow: number): string {
  const expiresAt = device.commands.find(({ state }) => state === 'shown')?.expires_at ?? null;
  const waiting = countWaiting(device);
  const left = expiresAt === null ? '' : formatTimeLeft(Date.parse(expiresAt) - stationNow);
  return [left, waiting === 0 ? '' : `+${waiting}`].filter((words) => words !== '').join(' · ');
}

/** What it was asked to do, and by whom. */
export function workWords(device: Device): string {
  const command = device.commands[0];
  if (command === undefined) return texts.queue.empty;
  const lines = [command.line1, command.line2].filter((line) => line !== '').join(', ');
  const what = lines === '' ? texts.queue.noContent : lines;
  return [
    command.quantity === null ? what : `${command.quantity} × ${what}`,
    command.nonce === '' ? '' : texts.queue.nonce(command.nonce),
    command.sender === '' ? '' : texts.queue.from(command.sender),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** How it is: its id where it has a label, battery, radio, and when it was heard. */
export function conditionWords(device: Device, stationNow: number): string {
  const { deviceid, locationoverride, voltage, battery, rssi, last_seen: lastSeen } = device;
  return [
    locationoverride === '' ? '' : deviceid,
    voltage === null ? '' : `${texts.panel.volts(voltage)}${battery === null ? '' : ` (${battery}\u00a0%)`}`,
    rssi === null ? '' : texts.panel.dbm(rssi),
    lastSeen === null ? texts.panel.neverHeard : heardWords(stationNow - Date.parse(lastSeen)),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** What is said on paper that shows nothing; empty where it shows something. */
export function paperHint({ displayed }: Device): string {
  if (displayed === null) return texts.device.notHeard;
  const { lines, quantity, arrow, barcode, qrcode, icon } = displayed.screen;
  const isEmpty = quantity === null && arrow === null && [...lines, barcode, qrcode, icon].every((text) => text === '');
  return isEmpty ? texts.map.nothingShown : '';
}
