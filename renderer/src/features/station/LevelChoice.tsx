import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { texts } from '../../ui/texts.ts';
import styles from './LevelChoice.module.css';
import { LEVELS, type Level } from './map/levels.ts';

/** How close the devices are seen. */
export function LevelChoice({ level, choose }: { level: Level; choose(level: Level): void }) {
  return (
    <ToggleButtonGroup
      className={styles.group ?? ''}
      aria-label={texts.map.level}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[level]}
      onSelectionChange={(keys) => {
        const next = LEVELS.find((each) => keys.has(each));
        if (next !== undefined) choose(next);
      }}
    >
      {LEVELS.map((each) => (
        <ToggleButton key={each} id={each} className={styles.choice ?? ''}>
          {texts.map.levels[each]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
