import { TriangleAlert } from 'lucide-react';
import type { Ref } from 'react';
import { SoundButton } from '../../sound/SoundButton.tsx';
import { useStationState } from '../../station/context.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { texts } from '../../ui/texts.ts';
import { LevelChoice } from './LevelChoice.tsx';
import type { Level } from './map/levels.ts';
import styles from './StationHeader.module.css';

type Props = {
  /** How many devices are seen. */
  summary: string;
  input: Ref<HTMLInputElement>;
  search: string;
  onSearch(text: string): void;
  /** Enter. */
  onFind(): void;
  level: Level;
  chooseLevel(level: Level): void;
};

/** The page's name, whether the radio is well, where to find a device, and how close to look. */
export function StationHeader({ summary, input, search, onSearch, onFind, level, chooseLevel }: Props) {
  return (
    <PageHeader title={texts.station.title} note={<Note summary={summary} />}>
      <SearchBox
        label={texts.station.search}
        clearLabel={texts.station.clearSearch}
        input={input}
        value={search}
        onChange={onSearch}
        onSubmit={onFind}
      />
      <LevelChoice level={level} choose={chooseLevel} />
      <SoundButton />
    </PageHeader>
  );
}

/** Where there is no room for all of it, the end is cut: a radio that is down comes first. */
function Note({ summary }: { summary: string }) {
  const turbos = useStationState(({ station }) => station?.turbos) ?? [];
  const down = turbos.find((turbo) => turbo.status !== 'online');
  // The built-in simulator is no hardware.
  const count = turbos.filter(({ transport }) => transport !== 'simulated').length;
  const isSimulated = turbos.some((turbo) => turbo.device_count > 0);
  const none = isSimulated ? texts.station.simulatedOnly : texts.station.noTurbo;
  const radio = count === 0 ? none : texts.station.turbos(count);
  return (
    <>
      {down !== undefined && (
        <span className={styles.care}>
          <TriangleAlert size={16} aria-hidden="true" />
          {texts.station.turboDown(down.name === '' ? down.serial_number : down.name, down.status)}
        </span>
      )}
      {down !== undefined && summary !== '' && ' · '}
      <span role="status">{summary}</span>
      {down === undefined && (summary === '' ? radio : ` · ${radio}`)}
    </>
  );
}
