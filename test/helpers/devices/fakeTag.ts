import type { Clock, Timer } from '../../../electron/server/ports.ts';

const CHECK_IN_MS = 40_000;
const LED_MS = 100;
const PICTURE_MS = 1_500;
const ZEROS = '0'.repeat(32);

type Item = { kind: 'led'; program: string } | { kind: 'picture'; jpeg: Buffer; hash: string };

/** A tag and what its access point knows about it, on a virtual clock. */
export type FakeTag = {
  readonly mac: string;
  record: Record<string, string | number | boolean>;
  /** The picture on the screen, or undefined if the screen is empty. */
  picture: Buffer | undefined;
  /** LED programs that have started. `litUntilMs` is the time at which the last one ends. */
  programs: string[];
  litUntilMs: number;
  queue: Item[];
  isNear: boolean;
  /** Whether the access point knows the tag. */
  isListed: boolean;
  /** Moves the tag into range, where the access point detects it. */
  join(): void;
  add(item: Item): void;
  clear(): void;
  checkIn(reason?: number): void;
  /** Presses a button. Button 1 reports wakeup reason 4. */
  press(button?: number): void;
  boot(): void;
  stop(): void;
};

/** Returns the duration of an LED program in milliseconds, including its repeats. */
export function programMs(program: string): number {
  const bytes = Buffer.from(program, 'hex');
  let round = 0;
  for (const at of [1, 4, 7]) {
    const speed = (bytes[at + 1] ?? 0) >> 4;
    const count = (bytes[at + 1] ?? 0) & 15;
    round += (count * speed + (bytes[at + 2] ?? 0)) * 100;
  }
  return round * ((bytes[10] ?? 0) + 1);
}

/** Creates a tag. An older one (`isQuick`) checks in soon after a press, and 5 s after an item if more items are queued. */
export function createFakeTag(parts: {
  mac: string;
  hwType: number;
  isQuick: boolean;
  clock: Clock;
  offsetMs: number;
  /** Returns whether the access point receives the tag's messages. */
  isHeard: () => boolean;
  tell: (tag: FakeTag) => void;
}): FakeTag {
  const { mac, hwType, isQuick, clock, tell, isHeard } = parts;
  let timer: Timer | undefined;
  const transfers = new Set<Timer>();

  function next(ms: number): void {
    timer?.cancel();
    timer = clock.setTimer(ms, () => tag.checkIn());
  }

  function later(ms: number, run: () => void): void {
    const transfer = clock.setTimer(ms, () => {
      transfers.delete(transfer);
      run();
    });
    transfers.add(transfer);
  }

  function complete(item: Item): void {
    if (tag.queue[0] !== item || !isHeard()) return;
    tag.queue.shift();
    const { record } = tag;
    if (item.kind === 'picture') {
      tag.picture = item.jpeg;
      record['hash'] = item.hash;
    } else {
      record['hash'] = item.program.slice(0, 16).toLowerCase() + ZEROS.slice(16);
      // A newer tag ignores a program while another one runs.
      if (isQuick || tag.litUntilMs <= clock.monotonic()) {
        tag.programs.push(item.program);
        tag.litUntilMs = clock.monotonic() + programMs(item.program);
      }
    }
    record['updatecount'] = Number(record['updatecount']) + 1;
    record['pending'] = tag.queue.length;
    record['wakeupReason'] = 0;
    tell(tag);
    if (isQuick && tag.queue.length > 0) next(5_000);
  }

  const tag: FakeTag = {
    mac,
    record: {
      mac,
      hash: ZEROS,
      lastseen: Math.floor(clock.now() / 1_000) - 5,
      nextupdate: 0,
      nextcheckin: 0,
      pending: 0,
      alias: '',
      contentMode: 0,
      LQI: 100,
      RSSI: -60,
      temperature: 21,
      batteryMv: 2_900,
      hwType,
      wakeupReason: 0,
      capabilities: 0,
      modecfgjson: '',
      isexternal: false,
      apip: '0.0.0.0',
      rotate: 0,
      lut: 0,
      invert: 0,
      updatecount: 0,
      updatelast: 0,
      ch: 11,
      ver: 39,
    },
    picture: undefined,
    programs: [],
    litUntilMs: 0,
    queue: [],
    isNear: true,
    isListed: true,
    join() {
      tag.isNear = true;
      tag.isListed = true;
      tag.checkIn();
    },
    add(item) {
      tag.queue.push(item);
      tag.record['pending'] = tag.queue.length;
      tell(tag);
    },
    clear() {
      tag.queue = [];
      tag.record['pending'] = 0;
      tell(tag);
    },
    checkIn(reason = 0) {
      next(CHECK_IN_MS);
      if (!isHeard() || !tag.isNear) return;
      tag.record['lastseen'] = Math.floor(clock.now() / 1_000);
      tag.record['wakeupReason'] = reason;
      if (reason >= 0xe0 && tag.queue.length === 0) tag.record['hash'] = ZEROS;
      tell(tag);
      const [item] = tag.queue;
      if (item !== undefined) later(item.kind === 'led' ? LED_MS : PICTURE_MS, () => complete(item));
    },
    press(button = 1) {
      tag.checkIn(3 + button);
      if (isQuick) next(2_000);
    },
    boot() {
      tag.picture = undefined;
      tag.checkIn(252);
    },
    stop() {
      timer?.cancel();
      for (const transfer of transfers) transfer.cancel();
    },
  };
  next(parts.offsetMs);
  return tag;
}
