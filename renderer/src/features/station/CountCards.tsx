import { BatteryLow, Layers, Lightbulb, WifiOff, type LucideIcon } from 'lucide-react';
import { CONCERNS, type Concern } from '../../station/conditions.ts';
import { useCounts } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import styles from './CountCards.module.css';

const ICONS: Record<Concern, LucideIcon> = {
  lit: Lightbulb,
  waiting: Layers,
  offline: WifiOff,
  lowBattery: BatteryLow,
};
/** What a person has to do something about. */
const CARES: ReadonlySet<Concern> = new Set(['offline', 'lowBattery']);

type Props = { concern: Concern | undefined; onChange(concern: Concern | undefined): void };

/** The figures of the station; each shows only its devices when clicked, and all again when clicked once more. */
export function CountCards({ concern, onChange }: Props) {
  const counts = useCounts();
  return (
    <div role="group" aria-label={texts.station.filters} className={styles.cards}>
      {CONCERNS.map((each) => {
        const Icon = ICONS[each];
        return (
          <button
            key={each}
            type="button"
            className={styles.card}
            aria-pressed={each === concern}
            data-care={(CARES.has(each) && counts[each] > 0) || undefined}
            onClick={() => onChange(each === concern ? undefined : each)}
          >
            <span className={styles.name}>
              <Icon size={16} aria-hidden="true" />
              {texts.station.concerns[each]}
            </span>
            <span className={styles.count}>{counts[each]}</span>
          </button>
        );
      })}
    </div>
  );
}
