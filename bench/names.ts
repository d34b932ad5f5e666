import { openDatabase } from '../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../electron/server/db/repositories.ts';
import { findBySuperString, targetByLocation } from '../electron/server/services/devices/targets.ts';
import { deviceId } from './loads.ts';
import { median } from './goals.ts';

export const NAMES = 100_000;
const LOOKUPS = 2_000;
/** The first search after a change sorts the names. */
const PART_LOOKUPS = 1_000;

/** Adds location aliases to the devices of a stopped station's folder. Returns their names. */
export function addNames(folder: string, devices: number): string[] {
  const database = openDatabase(folder);
  const repositories = createRepositories(database.writer);
  const names = Array.from(
    { length: NAMES },
    (_, index) => `Rack ${1 + Math.floor(index / 400)} - ${1 + (Math.floor(index / 20) % 20)} - ${1 + (index % 20)}`,
  );
  database.writer.transaction(() => {
    for (const [index, name] of names.entries())
      repositories.aliases.insert({ name, deviceid: deviceId(1 + (index % devices)), deviceIs: 'Below' });
  })();
  database.close();
  return names;
}

export type Lookups = { exact(): number; part(): number; close(): void };

/** Median milliseconds to find a place by its name, and by a part of it. Half of the parts match no name. */
export function openLookups(folder: string, names: readonly string[]): Lookups {
  const database = openDatabase(folder);
  const repositories: Repositories = createRepositories(database.writer);
  const some = (index: number) => names[(index * 7_919) % names.length] ?? '';
  const time = (count: number, look: (index: number) => void): number => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAt = performance.now();
      look(index);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  findBySuperString(repositories, 'rack');
  return {
    exact: () => time(LOOKUPS, (index) => targetByLocation(repositories, some(index))),
    part: () =>
      time(PART_LOOKUPS, (index) => {
        const part = some(index).slice(5);
        const isKnown = index % 2 === 0;
        const found = findBySuperString(repositories, isKnown ? part : `${part}x`);
        if ((found !== undefined) !== isKnown) throw new Error(`"${part}" gave the wrong result`);
      }),
    close: () => database.close(),
  };
}
