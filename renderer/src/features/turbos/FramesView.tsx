import { ArrowLeft, Download, Eraser, ListFilter, Pause, Play, RadioTower } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { pathOf } from '#shared/api/client.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import button from '../../ui/Button.module.css';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import { useFindKey } from '../../ui/useFindKey.ts';
import { FrameRow } from './FrameRow.tsx';
import styles from './Frames.module.css';
import { findFrames, KINDS, type Kind } from './findFrames.ts';
import { nameOf } from './joinLinks.ts';
import page from './TurbosPage.module.css';
import { useFrames } from './useFrames.ts';

const words = texts.turbos.frames;
const KIND_CHOICES = KINDS.map((id) => ({ id, words: words.kinds[id] }));

/** What passes between the station and one turbo, as it passes. */
export function FramesView({ serialNumber }: { serialNumber: string }) {
  const isAdmin = useRight('manage_turbos');
  const name = useStationState(({ station }) => {
    const turbo = station?.turbos.find(({ serial_number }) => serial_number === serialNumber);
    return turbo === undefined ? serialNumber : nameOf(turbo);
  });
  return (
    <div className={page.page}>
      <PageHeader title={words.title} note={words.noteOf(name)}>
        <Link className={button.button ?? ''} href="/turbos">
          <ArrowLeft size={16} aria-hidden="true" />
          {words.back}
        </Link>
      </PageHeader>
      <main className={page.content}>
        {isAdmin ? <Log serialNumber={serialNumber} /> : <EmptyState {...words.adminOnly} />}
      </main>
    </div>
  );
}

function Log({ serialNumber }: { serialNumber: string }) {
  const [isOn, setOn] = useState(true);
  const { frames, isLoaded, failure, clear } = useFrames(serialNumber, isOn);
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const box = useRef<HTMLInputElement>(null);
  useFindKey(box);
  const found = useMemo(() => findFrames(frames, { kind, search }), [frames, kind, search]);
  const isFiltered = found.length < frames.length;
  return (
    <div className={styles.log}>
      <div className={styles.tools}>
        <SearchBox
          label={words.search}
          clearLabel={words.clearSearch}
          input={box}
          value={search}
          onChange={setSearch}
        />
        <Segments label={words.kindsLabel} choices={KIND_CHOICES} value={kind} onChange={setKind} />
        <div className={styles.buttons}>
          <Button onPress={() => setOn(!isOn)}>
            {isOn ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
            {isOn ? words.pause : words.goOn}
          </Button>
          <Button isDisabled={frames.length === 0} onPress={clear}>
            <Eraser size={16} aria-hidden="true" />
            {words.clear}
          </Button>
          <a className={button.button} href={pathOf('exportTurboFrames', { SerialNo: serialNumber })} download>
            <Download size={16} aria-hidden="true" />
            {words.download}
          </a>
        </div>
      </div>
      <p className={styles.said}>
        {isFiltered ? words.found(found.length, frames.length) : (isOn ? words.live : words.paused)(frames.length)}
      </p>
      <p role="alert" className={styles.failure}>
        {failure === '' ? '' : `${words.failed} ${failure}`}
      </p>
      {found.length > 0 && (
        <ol className={styles.list} aria-label={words.list}>
          {found.map((frame, place) => (
            <FrameRow key={frame.number} frame={frame} lost={isFiltered ? 0 : lostBefore(frame, found[place + 1])} />
          ))}
        </ol>
      )}
      {isLoaded && frames.length === 0 && (
        <EmptyState picture={<RadioTower size={32} strokeWidth={1.6} />} {...words.nothing} />
      )}
      {frames.length > 0 && found.length === 0 && (
        <EmptyState
          picture={<ListFilter size={32} strokeWidth={1.6} />}
          {...words.noMatch}
          action={
            <Button
              onPress={() => {
                setSearch('');
                setKind('all');
              }}
            >
              {words.showAll}
            </Button>
          }
        />
      )}
    </div>
  );
}

/** Frames between this one and the one before it that the station had dropped before they were read. */
function lostBefore({ number }: { number: number }, before: { number: number } | undefined): number {
  return before === undefined ? 0 : number - before.number - 1;
}
