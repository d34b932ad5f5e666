import { expect, test } from 'vitest';
import type { Db } from '../../../electron/server/db/db.ts';
import { statements } from '../../../electron/server/db/repositories/statements.ts';

/** Returns the SQL that reaches SQLite for a statement. */
function prepared(sql: string): string {
  const texts: string[] = [];
  const prepare = (text: string): object => {
    texts.push(text);
    return {};
  };
  statements({ prepare } as unknown as Db).list(sql);
  return texts.join();
}

test('parameter values cannot change the plan of a statement, so each statement is planned once', () => {
  const cases = [
    ['SELECT a FROM t WHERE id = ?', 'SELECT a FROM t WHERE id = +?'],
    [
      'SELECT a FROM t WHERE id > :after ORDER BY id LIMIT ?',
      'SELECT a FROM t WHERE id > +:after ORDER BY id LIMIT +?',
    ],
    ['SELECT a FROM t WHERE id BETWEEN ? AND ?', 'SELECT a FROM t WHERE id BETWEEN +? AND +?'],
    ['UPDATE t SET a = ? WHERE b <= :b', 'UPDATE t SET a = +? WHERE b <= +:b'],
    ['INSERT INTO t (a) VALUES (?)', 'INSERT INTO t (a) VALUES (?)'],
  ];
  for (const [sql = '', expected] of cases) expect(prepared(sql)).toBe(expected);
});
