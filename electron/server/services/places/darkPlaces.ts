import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { findByLocation, type FormerLight } from '../devices/index.ts';
import type { MapContext } from './types.ts';

/** Subject of the only alert of this kind. */
const PLACES = 'places';

/** Knows the places with goods that have lost their last light. One alert lists them until they have a light again. */
export function createDarkPlaces({
  repositories,
  alerts,
}: Pick<MapContext, 'repositories'> & { alerts: Pick<AlertRecords, 'settle'> }) {
  const { articles, namedPlaces, stock } = repositories;

  function tell(tx: Transaction): void {
    const names = namedPlaces.listDark().map(({ name }) => name);
    const problem = `${listed(names, 100)} ${names.length === 1 ? 'has' : 'have'} goods, but no light any more. Hang a device there or, if the place only has a new name, rename it.`;
    alerts.settle(tx, { kind: 'place_dark', subject: PLACES }, names.length === 0 ? undefined : problem);
  }

  return {
    /** Updates the list after lights changed. Returns a sentence for each place with goods that has lost its last light now. */
    changed(tx: Transaction, former: readonly FormerLight[]): string[] {
      const lost = former.flatMap(({ name, light }) => {
        const row = namedPlaces.find(name) ?? { name, note: '', isMade: false, darkAt: null };
        const goods = stock.listAt(nameKey(name));
        const isLost = findByLocation(repositories, name) === undefined && goods.length > 0;
        if (!isLost) {
          if (row.darkAt !== null) namedPlaces.save({ ...row, darkAt: null });
          return [];
        }
        if (light === undefined) return [];
        const [first] = goods;
        namedPlaces.save({ ...row, name: first?.place ?? name, darkAt: row.darkAt ?? tx.now });
        const skus = goods.flatMap(({ articleId }) => articles.find(articleId)?.sku ?? []);
        return [
          `${name} has goods (${listed(skus)}) and no light any more: they stay at ${name}. If the place only has a new name, rename it with POST /api/places/rename/.`,
        ];
      });
      if (former.length > 0) tell(tx);
      return lost;
    },
  };
}

export type DarkPlaces = ReturnType<typeof createDarkPlaces>;

function listed(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
