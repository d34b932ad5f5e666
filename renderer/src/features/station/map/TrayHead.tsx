import { Wand2 } from 'lucide-react';
import { useRight } from '../../../station/context.ts';
import { Button } from '../../../ui/Button.tsx';
import { texts } from '../../../ui/texts.ts';
import { useRackEdits } from '../edit/RackEdits.tsx';
import type { Mode } from './actions.ts';
import styles from './TrayHead.module.css';

/** Over the devices that have no place, with the quickest way to give them one. */
export function TrayHead({ count, rowIndex, mode }: { count: number; rowIndex: number; mode: Mode }) {
  const isAdmin = useRight('edit_map');
  const { arrangeable, arrange } = useRackEdits();
  // While the map is edited, the bar above it has this button.
  const offers = isAdmin && mode === 'look' && arrangeable > 0;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={styles.head}
      data-target="tray"
      data-offers={offers || undefined}
    >
      <div role="gridcell" className={styles.words}>
        <h2 className={styles.name}>{texts.map.tray}</h2>
        <p className={styles.note}>
          {texts.map.rackDevices(count)}
          {mode === 'edit' ? '' : ` · ${offers ? texts.map.trayOffer : texts.map.trayHint}`}
        </p>
      </div>
      {offers && (
        <div role="gridcell">
          <Button onPress={arrange}>
            <Wand2 size={16} aria-hidden="true" />
            {texts.map.arrange(arrangeable)}
          </Button>
        </div>
      )}
    </div>
  );
}
