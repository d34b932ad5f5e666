import { PackageOpen } from 'lucide-react';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { packAddress } from '../../station/addresses.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { pack as words } from '../../words/pack.ts';
import { loadLiveBatches } from '../../station/liveBatches.ts';
import styles from './Pick.module.css';

/** Links to the pack pages of walls in use. Hidden if there are none. */
export function PackLinks() {
  const { api } = useStationContext();
  const batches = useStationQuery(['liveBatches'], () => loadLiveBatches(api)).value ?? [];
  const walls = batches.flatMap(({ wall, wall_name: name }) => (wall === null ? [] : { wall, name }));
  if (walls.length === 0) return null;
  return (
    <nav className={styles.carts} aria-label={words.links}>
      {walls.map(({ wall, name }) => (
        <ButtonLink key={wall} icon={PackageOpen} words={words.packAt(name)} to={packAddress(wall)} />
      ))}
    </nav>
  );
}
