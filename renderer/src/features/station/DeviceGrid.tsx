import type { KeyboardEvent } from 'react';
import { texts } from '../../ui/texts.ts';
import styles from './DeviceGrid.module.css';
import { DeviceTile } from './DeviceTile.tsx';

type Props = { deviceids: readonly string[]; selected: string | undefined; open(deviceid: string): void };

/** The devices, each in its tile. Tab goes through everything; arrow keys go from tile to tile. */
export function DeviceGrid({ deviceids, selected, open }: Props) {
  return (
    <>
      <p id="map-keys" className="visuallyHidden">
        {texts.station.keys}
      </p>
      <ul className={styles.grid} aria-label={texts.station.map} aria-describedby="map-keys" onKeyDown={moveFocus}>
        {deviceids.map((deviceid) => (
          <DeviceTile key={deviceid} deviceid={deviceid} selected={deviceid === selected} open={open} />
        ))}
      </ul>
    </>
  );
}

/** Moves between the links of the tiles as they stand on the screen. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const link = event.target;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const tiles = [...event.currentTarget.children];
  const from = tiles.findIndex((tile) => tile.contains(link));
  const to = targetOf(event.key, from, tiles);
  const target = to === undefined ? undefined : tiles[to]?.querySelector('a');
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function targetOf(key: string, from: number, tiles: readonly Element[]): number | undefined {
  const top = tiles[0]?.getBoundingClientRect().top;
  const firstOfSecondRow = tiles.findIndex((tile) => tile.getBoundingClientRect().top !== top);
  const columns = firstOfSecondRow < 0 ? tiles.length : firstOfSecondRow;
  switch (key) {
    case 'ArrowRight':
      return from + 1;
    case 'ArrowLeft':
      return from - 1;
    case 'ArrowDown':
      return from + columns;
    case 'ArrowUp':
      return from - columns;
    case 'Home':
      return 0;
    case 'End':
      return tiles.length - 1;
    default:
      return undefined;
  }
}
