import type { Button, Hold } from '../../../electron/server/ports.ts';
import type { JournalReport } from './journal.ts';

type Press = { button: Button; hold: Hold; token: number; madeMono: number; mayBeLost: boolean };

/** Tracks every press that a device accepted until its turbo reports it. No press may be lost, duplicated or given a different token. */
export class Presses {
  private readonly untold = new Map<string, Press[]>();
  private readonly told = new Set<string>();

  accepted(deviceId: string, press: Omit<Press, 'mayBeLost'>): void {
    this.untold.set(deviceId, [...(this.untold.get(deviceId) ?? []), { ...press, mayBeLost: false }]);
  }

  /** Must be called when a device's battery was removed: unreported presses are lost, unless they are in transit. */
  restarted(deviceId: string): void {
    for (const press of this.untold.get(deviceId) ?? []) press.mayBeLost = true;
  }

  happened(report: JournalReport, nowMono: number): void {
    if (report.name !== 'button') return;
    const { device, epoch, counter, token, button, hold, ageMs } = report.body;
    const key = `${device} ${epoch}:${counter}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    const madeMono = nowMono - ageMs;
    const waiting = this.untold.get(device) ?? [];
    const place = waiting.findIndex(
      (press) => press.madeMono === madeMono && press.button === button && press.hold === hold && press.token === token,
    );
    if (place === -1) throw new Error(`${device} told a press that nobody made: ${JSON.stringify(report.body)}`);
    for (const press of waiting.slice(0, place)) {
      if (!press.mayBeLost) throw new Error(`${device} did not tell the press ${JSON.stringify(press)}`);
    }
    this.untold.set(device, waiting.slice(place + 1));
  }

  /** Throws if any press was never reported. */
  checkAllTold(): void {
    for (const [deviceId, waiting] of this.untold) {
      for (const press of waiting) {
        if (!press.mayBeLost) throw new Error(`${deviceId} never told the press ${JSON.stringify(press)}`);
      }
    }
  }
}
