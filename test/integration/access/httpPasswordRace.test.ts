import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import type { UseCase, Writer } from '../../../electron/server/db/writer.ts';
import { createAccess } from '../../../electron/server/services/access/access.ts';
import { createAudit } from '../../../electron/server/services/base/audit.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { ADMIN_PASSWORD, deriveQuickly, START_MS } from '../../helpers/screens/template.ts';

const NEW = 'a better password';
const HERE = '127.0.0.1';
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('a sign-in whose password is changed while it is checked gets no session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-race-'));
  cpSync(inject('template'), folder, { recursive: true });
  const database = openDatabase(folder);
  const repositories = createRepositories(database.writer);
  /** Called once, before the next write. */
  let before: (() => Promise<void>) | undefined;
  const writer: Pick<Writer, 'write'> = {
    async write<T>(useCase: UseCase<T>): Promise<T> {
      const wait = before;
      before = undefined;
      await wait?.();
      const after: (() => void)[] = [];
      const result = useCase({
        now: START_MS,
        revision: 1,
        attempt: (part) => part(),
        emit: () => undefined,
        apply: (run) => run(),
        afterCommit: (run) => after.push(run),
        beforeCommit: () => undefined,
      });
      for (const run of after) run();
      return result;
    },
  };
  try {
    const { people, bySession } = createAccess({
      repositories,
      reads: repositories,
      writer,
      clock: createFakeClock(START_MS),
      ids: seededIds(1),
      log: SILENT,
      audit: createAudit({ repositories, reads: repositories }),
      derive: deriveQuickly,
      takesPasswords: () => false,
      ownAddresses: () => [],
    });
    const { sessionId } = await people.signIn('admin', ADMIN_PASSWORD, HERE, 'program');
    const credential = bySession(sessionId)?.credential;
    if (credential?.kind !== 'session') throw new Error('There is no session.');
    const { session } = credential;

    before = () => people.changePassword(session, ADMIN_PASSWORD, NEW, { name: 'admin', address: HERE });
    await expect(people.signIn('admin', ADMIN_PASSWORD, HERE, 'program')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(repositories.accounts.listSessions(START_MS)).toHaveLength(1);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
