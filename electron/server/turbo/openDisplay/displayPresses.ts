import type { DisplayButton, DisplayParts } from './displayConfig.ts';

const COUNTS = 16;
/** Some displays restart their count from zero after this much time without a press. */
const RESTARTS_MS = 5_000;
/** Minimum time between presses. Faster counts come from a button that bounces. */
const FASTEST_MS = 100;
/** Maximum number of presses while there is no connection. Higher counts mean that the display restarted. */
const MOST_WHILE_AWAY = 3;

type Seen = { id: number; count: number; isDown: boolean };
type ByteMemory = { seen: Seen; changedMs: number; counts: Map<number, number> };

/**
 * Finds presses in a display's telemetry. A byte contains the button that changed last (3 bits), its count modulo 16, and whether it is
 * down.
 */
export class PressCounter {
  private readonly bytes: readonly number[];
  private readonly ladders: ReadonlySet<number>;
  private readonly memory = new Map<number, ByteMemory>();
  private readMs = 0;

  constructor({ buttons, ladders }: Pick<DisplayParts, 'buttons' | 'ladders'>) {
    this.bytes = [...new Set(buttons.map(({ byte }) => byte))];
    this.ladders = new Set(ladders);
  }

  /** Returns the presses since the last telemetry, each once. Returns an empty list for the first telemetry. */
  read(dynamic: Uint8Array, nowMs: number): DisplayButton[] {
    const most = Math.max(1, Math.floor((nowMs - this.readMs) / FASTEST_MS));
    this.readMs = nowMs;
    return this.eachByte(dynamic, nowMs, (known, seen, key) => {
      const before = known.counts.get(key);
      if (before === undefined) return 1;
      const more = (seen.count - before + COUNTS) % COUNTS;
      if (more === 0) return isRecounted(known.seen, seen, key) ? 1 : 0;
      const hasRestarted = nowMs - known.changedMs > RESTARTS_MS && seen.count > 0;
      return Math.min(hasRestarted ? Math.min(more, seen.count) : more, most);
    });
  }

  /**
   * Returns the presses made without a connection, from the first telemetry of a new connection. Returns an empty list if the display has
   * restarted.
   */
  resume(dynamic: Uint8Array, nowMs: number): DisplayButton[] {
    this.readMs = nowMs;
    return this.eachByte(dynamic, nowMs, ({ counts }, seen, key) => {
      const before = counts.get(key) ?? 0;
      const more = (seen.count - before + COUNTS) % COUNTS;
      if (before > 0 && seen.count > 0 && more <= MOST_WHILE_AWAY) return more;
      counts.clear();
      return 0;
    });
  }

  /** Whether the button was down in the last telemetry. */
  isDown({ byte, id }: DisplayButton): boolean {
    const seen = this.memory.get(byte)?.seen;
    return seen?.id === id && seen.isDown;
  }

  /** Forgets all counts, because another program used the display. */
  forget(): void {
    this.memory.clear();
  }

  private eachByte(
    dynamic: Uint8Array,
    nowMs: number,
    pressesOf: (known: ByteMemory, seen: Seen, key: number) => number,
  ): DisplayButton[] {
    return this.bytes.flatMap((byte) => {
      const seen = parseByte(dynamic[byte] ?? 0);
      const key = this.ladders.has(byte) ? -1 : seen.id;
      const known = this.memory.get(byte);
      if (known === undefined) {
        this.memory.set(byte, { seen, changedMs: nowMs, counts: new Map([[key, seen.count]]) });
        return [];
      }
      if (seen.id === known.seen.id && seen.count === known.seen.count && seen.isDown === known.seen.isDown) return [];
      const presses = pressesOf(known, seen, key);
      known.seen = seen;
      known.counts.set(key, seen.count);
      if (presses > 0) known.changedMs = nowMs;
      return Array.from({ length: presses }, () => ({ byte, id: seen.id }));
    });
  }
}

/** Whether an unchanged count is a new press, because the display restarted its count. */
function isRecounted(before: Seen, seen: Seen, key: number): boolean {
  if (seen.id === before.id) return seen.isDown && !before.isDown;
  return key === -1;
}

function parseByte(byte: number): Seen {
  return { id: byte & 7, count: (byte >> 3) & 15, isDown: (byte & 0x80) !== 0 };
}
