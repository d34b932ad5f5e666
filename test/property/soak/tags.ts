import type { FakeClock } from '../../helpers/fakeClock.ts';
import { startFakeAccessPoint } from '../../helpers/devices/fakeAccessPoint.ts';
import type { Random } from '../model/random.ts';
import type { ShopHardware, TagPress } from './hardware.ts';

const TAGS = [
  { mac: '0000A0B1C2000001', type: '33' },
  { mac: '0000A0B1C2000002', type: '01' },
];
const MAX_VISITS = 4;
const NEXT_VISIT_MS = 60_000;
/** Maximum age of a press that may be lost if no station listens. Presses are reported immediately, so older ones have arrived. */
const TOLD_MS = 5_000;
/** Resolution of the times at which access points report presses. */
const SECOND = 1_000;

/** Creates an access point with tags, and a worker who presses if an LED is lit, or if a tag without an LED shows a command. */
export async function createTags(parts: {
  clock: FakeClock;
  random: Random;
}): Promise<ShopHardware & { presses: ReadonlyMap<string, readonly TagPress[]> }> {
  const { clock, random } = parts;
  const accessPoint = await startFakeAccessPoint(clock, TAGS);
  const presses = new Map<string, TagPress[]>();
  const macs = new Map(TAGS.map(({ mac }) => [`${mac.slice(4, 10)}:${mac.slice(10)}`, mac]));
  for (const deviceId of macs.keys()) presses.set(deviceId, []);

  /** Marks the presses in the last TOLD_MS as uncertain. */
  function doubt(): void {
    for (const press of [...presses.values()].flat()) if (clock.now() - press.atMs < TOLD_MS) press.sure = false;
  }

  function visit(deviceId: string, visits: number): void {
    const tag = accessPoint.tag(macs.get(deviceId) ?? '');
    const made = presses.get(deviceId) ?? [];
    const isLit = tag.litUntilMs > clock.monotonic() || tag.programs.length === 0;
    const isSoon = clock.now() - (made.at(-1)?.atMs ?? -Infinity) < SECOND;
    if (isSoon || !isLit) {
      if (visits < MAX_VISITS) clock.setTimer(NEXT_VISIT_MS, () => visit(deviceId, visits + 1));
      return;
    }
    made.push({ atMs: clock.now(), sure: accessPoint.isHeard() });
    tag.press();
  }

  return {
    name: 'the access point',
    link: { kind: 'openepaperlink', url: accessPoint.url },
    deviceIds: [...macs.keys()] as [string, ...string[]],
    perMinute: 0.5,
    presses,
    connect(isConnected) {
      if (!isConnected) doubt();
      accessPoint.unplug(!isConnected);
    },
    sendWorker: (deviceId, delayMs) => void clock.setTimer(delayMs, () => visit(deviceId, 1)),
    haveAccident() {
      doubt();
      random.one([accessPoint.reboot, () => accessPoint.cut()] as const)();
    },
    setLoss: () => undefined,
    restless: () => [],
    idle: accessPoint.idle,
    stop: accessPoint.stop,
  };
}
