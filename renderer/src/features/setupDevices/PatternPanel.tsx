import { LayoutGrid } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import { isSame } from '../../kit/isSame.ts';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { withCellsFor } from './places.ts';
import type { DeviceSetup } from './setup.ts';
import styles from './SetupDevices.module.css';
import type { Places } from './usePlaces.ts';

const NO_MAP = { racks: [], places: [], zones: [] };
/** Maximum number of places in a pattern for which racks are offered. No map has more cells. */
const MAX_CELLS = 10_000;

/** A pattern of consecutive places, with its preview and a button that creates racks for these places. */
export function PatternPanel({ places, say }: { places: Places; say: DeviceSetup['showMessage'] }) {
  const { api } = useStationContext();
  const racks = useStationState(({ station }) => station?.map.racks ?? NO_MAP.racks);
  const { text, setText, problem, pattern, takenCount } = places;
  const [isMaking, setMaking] = useState(false);
  const lacksCells = useMemo(
    () => pattern.length <= MAX_CELLS && withCellsFor({ ...NO_MAP, racks }, pattern) !== undefined,
    [racks, pattern],
  );
  const wrong = problem === undefined ? '' : words.pattern.problem(problem);

  async function makeRacks(): Promise<void> {
    setMaking(true);
    try {
      const now = await api.getMap();
      const wanted = withCellsFor(now, pattern);
      if (wanted !== undefined) await api.replaceMap(wanted, (map) => isSame(map, now));
      say({ kind: 'right', text: words.pattern.racksMade });
    } catch (error) {
      say({ kind: 'wrong', text: `${words.pattern.racksFailed} ${sentenceOf(error)}` });
    } finally {
      setMaking(false);
    }
  }

  return (
    <section className={`${parts.card} ${styles.pattern}`} aria-labelledby="pattern">
      <h2 id="pattern" className={styles.heading}>
        {words.pattern.title}
      </h2>
      <ProblemForm className={parts.stack2 ?? ''} problems={{ pattern: wrong }} onSubmit={() => undefined}>
        <LineField
          name="pattern"
          label={words.pattern.field}
          help={racks.length === 0 ? words.pattern.help : words.pattern.helpOnMap}
          placeholder={words.pattern.placeholder}
          value={text}
          onChange={setText}
          autoComplete="off"
        />
      </ProblemForm>
      <div role="status" className={parts.stack2}>
        {pattern.length > 0 && <p className={styles.preview}>{words.pattern.preview(pattern)}</p>}
        {takenCount > 0 && <p className={parts.quiet}>{words.pattern.taken(takenCount, pattern.length)}</p>}
      </div>
      {lacksCells && (
        <div className={parts.stack1}>
          <p className={parts.quiet}>{words.pattern.racksHint}</p>
          <Button icon={LayoutGrid} needs="edit_map" busy={isMaking} onPress={() => void makeRacks()}>
            {isMaking ? words.pattern.makingRacks : words.pattern.makeRacks}
          </Button>
        </div>
      )}
    </section>
  );
}
