import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { AuditAction } from '#shared/api/access.ts';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { createAudit } from '../../../electron/server/services/base/audit.ts';
import { START_MS } from '../../helpers/screens/template.ts';

test('sign-ins, refusals and alias changes are pruned by separate limits, so that they do not displace other entries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-audit-'));
  cpSync(inject('template'), folder, { recursive: true });
  const database = openDatabase(folder);
  try {
    const repositories = createRepositories(database.writer);
    const audit = createAudit({ repositories, reads: repositories });
    const tx = {
      now: START_MS,
      revision: 1,
      attempt: <T>(part: () => T) => part(),
      emit: () => undefined,
      apply: () => undefined,
      afterCommit: () => undefined,
      beforeCommit: () => undefined,
    };
    const record = (count: number, action: AuditAction) =>
      database.writer.transaction(() => {
        for (let number = 1; number <= count; number += 1) {
          audit.record(tx, { action, by: { name: '', address: '' }, subject: `${action} ${number}`, detail: {} });
        }
      })();
    const count = (where: string) =>
      database.writer.prepare<[], number>(`SELECT count(*) FROM audit WHERE ${where}`).pluck().get() ?? 0;
    const newest = () => audit.list({ limit: 1, after: undefined })[0]?.subject;
    const before = count('true');

    record(1, 'settings.changed');
    record(10_000, 'session.refused');
    expect(newest()).toBe('session.refused 10000');
    record(15_000, 'session.opened');
    expect(newest()).toBe('session.opened 15000');
    expect(count("action = 'session.refused'")).toBeLessThan(2_100);
    expect(count("action = 'session.refused'")).toBeGreaterThanOrEqual(2_000);
    expect(count("action = 'session.opened'")).toBeLessThan(10_100);
    expect(count("action = 'session.opened'")).toBeGreaterThanOrEqual(10_000);
    expect(count("action NOT LIKE 'session.%'")).toBe(before + 1);

    record(11_000, 'alias.changed');
    record(1, 'aliases.imported');
    expect(newest()).toBe('aliases.imported 1');
    expect(count("action LIKE 'alias%'")).toBeLessThan(10_100);
    expect(count("action LIKE 'alias%'")).toBeGreaterThanOrEqual(10_000);
    expect(count("action = 'settings.changed'")).toBe(1);

    record(3_000, 'right.refused');
    expect(newest()).toBe('right.refused 3000');
    expect(count("action = 'right.refused'")).toBeLessThan(2_100);
    expect(count("action = 'right.refused'")).toBeGreaterThanOrEqual(2_000);
    expect(count("action = 'settings.changed'")).toBe(1);

    record(21_000, 'device.added');
    expect(newest()).toBe('device.added 21000');
    const changes = "action NOT LIKE 'session.%' AND action NOT LIKE 'alias%' AND action <> 'right.refused'";
    expect(count(changes)).toBeLessThan(20_100);
    expect(count(changes)).toBeGreaterThanOrEqual(20_000);
    expect(count("action LIKE 'alias%'")).toBeGreaterThanOrEqual(10_000);
    expect(count("action = 'settings.changed'")).toBe(0);
    expect(count("action LIKE 'session.%'")).toBeGreaterThanOrEqual(12_000);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
