import { Search, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, Group, Input, SearchField } from 'react-aria-components';
import { useStationState } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import styles from './StationHeader.module.css';

type Props = { search: string; onSearch(text: string): void };

/** The page's name, whether the radio is well, and where to find a device. */
export function StationHeader({ search, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    function jump(event: KeyboardEvent): void {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    }
    document.addEventListener('keydown', jump);
    return () => document.removeEventListener('keydown', jump);
  }, []);

  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{texts.station.title}</h1>
      <Turbos />
      <SearchField className={styles.search ?? ''} aria-label={texts.station.search} value={search} onChange={onSearch}>
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
    </header>
  );
}

function Turbos() {
  const turbos = useStationState(({ station }) => station?.turbos);
  if (turbos === undefined) return <span className={styles.turbos} />;
  const down = turbos.find((turbo) => turbo.status !== 'online');
  if (down === undefined) {
    const words = turbos.length === 0 ? texts.station.noTurbo : texts.station.turbos(turbos.length);
    return <span className={styles.turbos}>{words}</span>;
  }
  const name = down.name === '' ? down.serial_number : down.name;
  return (
    <span className={styles.turbos} data-care="true">
      <TriangleAlert size={16} aria-hidden="true" />
      {texts.station.turboDown(name, down.status)}
    </span>
  );
}
