import { Search, TriangleAlert, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button, Group, Input, SearchField } from 'react-aria-components';
import { useStationState } from '../../station/context.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { texts } from '../../ui/texts.ts';
import { LevelChoice } from './LevelChoice.tsx';
import type { Level } from './map/levels.ts';
import styles from './StationHeader.module.css';

type Props = {
  input: Ref<HTMLInputElement>;
  search: string;
  onSearch(text: string): void;
  /** Enter. */
  onFind(): void;
  level: Level;
  chooseLevel(level: Level): void;
};

/** The page's name, whether the radio is well, where to find a device, and how close to look. */
export function StationHeader({ input, search, onSearch, onFind, level, chooseLevel }: Props) {
  return (
    <PageHeader title={texts.station.title} note={<Turbos />}>
      <SearchField
        className={styles.search ?? ''}
        aria-label={texts.station.search}
        value={search}
        onChange={onSearch}
        onSubmit={onFind}
      >
        <Group className={styles.box ?? ''}>
          <Search size={16} aria-hidden="true" />
          <Input ref={input} className={styles.input ?? ''} placeholder={texts.station.search} />
          {search === '' ? (
            <kbd className={styles.key}>/</kbd>
          ) : (
            <Button className={styles.clear ?? ''} aria-label={texts.station.clearSearch}>
              <X size={16} aria-hidden="true" />
            </Button>
          )}
        </Group>
      </SearchField>
      <LevelChoice level={level} choose={chooseLevel} />
    </PageHeader>
  );
}

function Turbos() {
  const turbos = useStationState(({ station }) => station?.turbos);
  if (turbos === undefined) return null;
  const down = turbos.find((turbo) => turbo.status !== 'online');
  if (down === undefined) {
    return turbos.length === 0 ? texts.station.noTurbo : texts.station.turbos(turbos.length);
  }
  const name = down.name === '' ? down.serial_number : down.name;
  return (
    <span className={styles.care}>
      <TriangleAlert size={16} aria-hidden="true" />
      {texts.station.turboDown(name, down.status)}
    </span>
  );
}
