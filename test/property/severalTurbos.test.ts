import { expect, test } from 'vitest';
import { takeReport, type ReportWindow } from '../../electron/server/domain/commands/reportWindow.ts';
import { command, DEVICE, startRig } from '../integration/turboLink/turboLinkRig.ts';
import { createSharedDevice } from '../helpers/devices/sharedDevice.ts';
import { seededFraction } from '../helpers/seeded.ts';

const STEPS = 60;

/** Runs two turbos and one device. Links come and go and lose frames, and the device moves in and out of range. */
async function run(seed: number) {
  const rig = await startRig({ seed, devices: false });
  const fraction = seededFraction(seed * 31);
  const shared = createSharedDevice({ clock: rig.clock, ids: rig.ids, log: rig.log, deviceId: DEVICE });
  const ends = ['ONE', 'TWO'].map((serialNumber) => {
    const faults = { loss: 0, latencyMs: 0 };
    const ear = shared.addTurbo(serialNumber, () => {
      const { station, turbo: end } = rig.wires.connect(faults);
      rig.turbos.attach(station);
      return end;
    });
    ear.turbo.connect();
    return { ear, faults, isConnected: true };
  });
  let token = 0;
  let presses = 0;

  function press(): void {
    const before = shared.device.refusedPresses;
    if (shared.press() && shared.device.refusedPresses === before) presses += 1;
  }

  async function step(): Promise<void> {
    const end = ends[Math.floor(fraction() * 2)];
    if (end === undefined) return;
    const { ear, faults } = end;
    const what = fraction();
    if (what < 0.3) rig.turbos.want(DEVICE, command((token += 1), `pick ${token % 5}`, { seconds: 0 }));
    else if (what < 0.5) press();
    else if (what < 0.6) ear.reach(!ear.outbox.reachable);
    else if (what < 0.7) ear.hears(-90 + Math.floor(fraction() * 60));
    else if (what < 0.78) ear.keepsShows = !ear.keepsShows;
    else if (what < 0.85) ear.passOn();
    else if (what < 0.92) Object.assign(faults, { loss: fraction() * 0.5, latencyMs: fraction() * 800 });
    else if (end.isConnected) {
      ear.turbo.disconnect();
      end.isConnected = false;
    } else {
      ear.turbo.connect();
      end.isConnected = true;
    }
    await rig.clock.advance(fraction() * 3_000);
  }

  for (let at = 0; at < STEPS; at += 1) await step();
  rig.turbos.want(DEVICE, command((token += 1), 'last', { seconds: 0 }));
  for (const end of ends) {
    Object.assign(end.faults, { loss: 0, latencyMs: 0 });
    end.ear.keepsShows = false;
    end.ear.turbo.disconnect();
    await rig.clock.advance(0);
    end.ear.turbo.connect();
    end.ear.passOn();
    end.ear.reach(true);
  }
  await rig.clock.advance(120_000);
  return { rig, shared, token, presses };
}

test.each(Array.from({ length: 60 }, (_, at) => at + 1))(
  'a device in range of two turbos shows the last command in the end, and every press counts once (seed %i)',
  async (seed) => {
    const { rig, shared, token, presses } = await run(seed);
    try {
      expect(shared.device.look()).toMatchObject({ shownToken: token, led: 'blink', pendingToken: undefined });
      expect(shared.held()).toBe(0);
      let window: ReportWindow | undefined;
      let counted = 0;
      for (const { counter } of rig.of('button')) {
        const taken = takeReport(window, counter);
        if (taken === 'duplicate') continue;
        window = taken;
        counted += 1;
      }
      expect(counted).toBe(presses);
    } finally {
      rig.stop();
    }
  },
);
