import { useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { findDevice } from '#shared/api/reducer.ts';
import { hasConcern, type Concern } from '../../station/conditions.ts';
import { useStationState } from '../../station/context.ts';
import type { StationState } from '../../station/store.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { DevicePanel } from '../devicePanel/DevicePanel.tsx';
import { CountCards } from './CountCards.tsx';
import { DeviceGrid } from './DeviceGrid.tsx';
import { EmptyStation } from './EmptyStation.tsx';
import { StationHeader } from './StationHeader.tsx';
import styles from './StationPage.module.css';
import { tileLinkId } from './tileLinkId.ts';
import { useSelection } from './useSelection.ts';

/** What is lit, and what needs me? */
export function StationPage() {
  const [search, setSearch] = useState('');
  const [concern, setConcern] = useState<Concern>();
  const { selected, select } = useSelection();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const all = useStationState(({ places }) => places.length);
  const matches = useMemo(() => matchingDevices(search, concern), [search, concern]);
  const shown = useStationState(useShallow(matches));

  function close(): void {
    const left = selected;
    select(undefined);
    if (left !== undefined) document.getElementById(tileLinkId(left))?.focus();
  }

  function showAll(): void {
    setSearch('');
    setConcern(undefined);
  }

  return (
    <div className={styles.page} data-stale={stale || undefined} data-panel={selected !== undefined || undefined}>
      <div className={styles.main}>
        <StationHeader search={search} onSearch={setSearch} />
        <main className={styles.content}>
          {all === 0 ? (
            <EmptyStation />
          ) : (
            <>
              <div className={styles.strip}>
                <CountCards concern={concern} onChange={setConcern} />
                <p className={styles.summary} role="status">
                  {shown.length < all ? texts.station.some(shown.length, all) : texts.station.devices(all)}
                </p>
              </div>
              {shown.length === 0 ? (
                <div className={styles.none}>
                  <h2>{texts.station.noMatch}</h2>
                  <p>{texts.station.noMatchHint}</p>
                  <Button onPress={showAll}>{texts.station.showAll}</Button>
                </div>
              ) : (
                <DeviceGrid deviceids={shown} selected={selected} open={select} />
              )}
            </>
          )}
        </main>
      </div>
      {selected !== undefined && <DevicePanel deviceid={selected} close={close} />}
    </div>
  );
}

/** A selector for the DeviceIDs that match both, in the order of the map. */
function matchingDevices(search: string, concern: Concern | undefined): (state: StationState) => readonly string[] {
  const wanted = search.trim().toLowerCase();
  return ({ station, places }) => {
    if (station === null) return [];
    return places
      .filter(({ deviceid, name }) => {
        if (wanted !== '' && !name.toLowerCase().includes(wanted) && !deviceid.toLowerCase().includes(wanted))
          return false;
        if (concern === undefined) return true;
        const device = findDevice(station.devices, deviceid);
        return device !== undefined && hasConcern(device, concern);
      })
      .map(({ deviceid }) => deviceid);
  };
}
