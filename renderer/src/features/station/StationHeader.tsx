import { BatteryLow, Layers, Lightbulb, type LucideIcon, TriangleAlert, WifiOff } from 'lucide-react';
import type { Ref } from 'react';
import type { Zone } from '#shared/api/map.ts';
import { SoundButton } from '../../sound/SoundControls.tsx';
import { type Concern, CONCERNS } from '../../station/conditions.ts';
import { useCounts, useStationState } from '../../station/context.ts';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import { SearchBox } from '../../kit/field/SearchBox.tsx';
import * as texts from '../../words/texts.ts';
import { type Level, LEVELS } from './map/levels.ts';
import parts from '../../kit/parts.module.css';
import styles from './StationHeader.module.css';

type Props = {
  /** Text about the number of visible devices. */
  summary: string;
  input: Ref<HTMLInputElement>;
  search: string;
  onSearch(text: string): void;
  /** Called when Enter is pressed in the search field. */
  onFind(): void;
  level: Level;
  chooseLevel(level: Level): void;
};

/** The header with the title, the state of the turbos, the search, and the zoom level. */
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

/** A short status. A turbo that is not online comes first, because the end of the text may be cut off. */
function Note({ summary }: { summary: string }) {
  const turbos = useStationState(({ station }) => station?.turbos) ?? [];
  const down = turbos.find((turbo) => turbo.status !== 'online');
  // The built-in simulator does not count as a turbo.
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

const CHOICES = LEVELS.map((id) => ({ id, words: texts.map.levels[id] }));

/** Chooses the zoom level. */
function LevelChoice({ level, choose }: { level: Level; choose(level: Level): void }) {
  return <Segments label={texts.map.level} choices={CHOICES} value={level} onChange={choose} />;
}

const ALL = 'all';
/** Adds a prefix to a zone's id, because an id can be any text, even the same as `ALL`. */
const keyOf = (id: string) => `zone ${id}`;

type ZoneChoiceProps = { zones: readonly Zone[]; zone: Zone | undefined; choose(id: string | undefined): void };

/** Chooses which zone is visible. */
export function ZoneChoice({ zones, zone, choose }: ZoneChoiceProps) {
  return (
    <div className={styles.choice}>
      <ChoiceField
        name="zone"
        label={texts.zones.choose}
        value={zone === undefined ? ALL : keyOf(zone.id)}
        onChange={(key) => choose(zones.find(({ id }) => keyOf(id) === key)?.id)}
        choices={[{ id: ALL, text: texts.zones.all }, ...zones.map(({ id, name }) => ({ id: keyOf(id), text: name }))]}
      />
    </div>
  );
}

const ICONS: Record<Concern, LucideIcon> = {
  lit: Lightbulb,
  waiting: Layers,
  offline: WifiOff,
  lowBattery: BatteryLow,
};
/** Figures that are highlighted unless they are 0. */
const CARES: ReadonlySet<Concern> = new Set(['offline', 'lowBattery']);

type CountCardsProps = { concern: Concern | undefined; onChange(concern: Concern | undefined): void };

/** Figures about the devices. A click shows only the counted devices; a second click shows all again. */
export function CountCards({ concern, onChange }: CountCardsProps) {
  const counts = useCounts();
  return (
    <div role="group" aria-label={texts.station.filters} className={styles.cards}>
      {CONCERNS.map((each) => {
        const Icon = ICONS[each];
        return (
          <button
            key={each}
            type="button"
            className={`${parts.card} ${styles.card}`}
            aria-pressed={each === concern}
            data-care={(CARES.has(each) && counts[each] > 0) || undefined}
            onClick={() => onChange(each === concern ? undefined : each)}
          >
            <span className={`${parts.middle2} ${styles.name}`}>
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
