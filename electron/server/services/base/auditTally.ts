import type { AuditAction, AuditDetail } from '#shared/api/access.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { createLane } from '../../scheduling/index.ts';
import type { Audit, By } from './audit.ts';

/** An event to count. Events with the same `key` share one audit entry per hour. */
export type TalliedAction = { key: string; action: AuditAction; by: By; subject: string; detail: AuditDetail };

const ENTRY_MS = 3_600_000;
const SAVE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

type Entry = TalliedAction & { id: number | undefined; until: number; tries: number };

/** Counts events that a caller can repeat without limit, so that they fill neither the disk nor the audit log. */
export function createAuditTally(parts: { writer: Pick<Writer, 'write'>; clock: Clock; log: Log; audit: Audit }) {
  const { writer, clock, log, audit } = parts;
  /** Entries by key, oldest first. */
  const entries = new Map<string, Entry>();
  const unsaved = new Set<Entry>();
  const saving = createAlarm(clock, () => void save());
  /** Runs saves one at a time, so that the second save updates the entry that the first one wrote. */
  const alone = createLane();

  function entryOf(counted: TalliedAction): Entry {
    const known = entries.get(counted.key);
    const now = clock.monotonic();
    if (known !== undefined && known.until > now) return known;
    entries.delete(counted.key);
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= MAX_REMEMBERED) entries.delete(oldest);
    const entry = { ...counted, id: undefined, until: now + ENTRY_MS, tries: 0 };
    entries.set(counted.key, entry);
    return entry;
  }

  function save(): Promise<void> {
    saving.cancel();
    return alone(saveNow);
  }

  async function saveNow(): Promise<void> {
    const those = [...unsaved];
    unsaved.clear();
    if (those.length === 0) return;
    try {
      await writer.write((tx) => {
        for (const entry of those) {
          const { id, tries, action, by, subject } = entry;
          const detail = { ...entry.detail, tries };
          if (id !== undefined) {
            audit.amend(id, detail);
            continue;
          }
          const made = audit.record(tx, { action, by, subject, detail });
          tx.afterCommit(() => {
            entry.id = made;
          });
        }
      });
    } catch (error) {
      log.warn({ err: error }, 'could not record refused requests in the activity log');
    }
  }

  return {
    /** Counts an event. Never throws, and does not delay the response to the caller. */
    add(counted: TalliedAction): void {
      const entry = entryOf(counted);
      entry.tries += 1;
      unsaved.add(entry);
      // Save the first event immediately, and later events once a minute.
      if (entry.tries === 1) void save();
      else saving.within(SAVE_EVERY_MS);
    },
    stop: save,
  };
}

export type AuditTally = ReturnType<typeof createAuditTally>;
