import { useEffect, useState } from 'react';
import { findDevice } from '#shared/api/reducer.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { useStationState } from '../../station/context.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import { rangesText } from './stripPlaces.ts';

const words = texts.turbos.controller.identify;

/** A dialog that flashes the places of a strip one after another, so that a person can compare them with the shelf. */
export function IdentifyPlaces({ link: { id, name, url, places }, onClose }: { link: TurboLink; onClose(): void }) {
  const [at, setAt] = useState(0);
  const [flashes, setFlashes] = useState(0);
  const link = useStationState(({ station }) => station?.links.find((each) => each.id === id));
  const place = places[at];
  const deviceid = link?.places.find(({ number }) => number === place?.number)?.deviceid ?? '';
  const isOnline = useStationState(({ station }) => findDevice(station?.devices ?? [], deviceid)?.online === true);
  if (place === undefined) return null;
  const isLast = at === places.length - 1;

  return (
    <Dialog
      title={words.title(name === '' ? url : name)}
      isOpen
      onClose={onClose}
      actions={
        <>
          {!isLast && <Button onPress={onClose}>{words.stop}</Button>}
          <Button onPress={() => setFlashes(flashes + 1)} isDisabled={!isOnline}>
            {words.again}
          </Button>
          <Button look="primary" onPress={() => (isLast ? onClose() : setAt(at + 1))}>
            {isLast ? words.done : words.next}
          </Button>
        </>
      }
    >
      <div role="status" className={parts.stack4}>
        <p>
          <strong>{words.place(place.label, rangesText(place.ranges))}</strong> {words.of(at + 1, places.length)}
        </p>
        {isOnline ? <Flash key={`${deviceid} ${flashes}`} deviceid={deviceid} /> : <Offline link={link} />}
      </div>
    </Dialog>
  );
}

/** Says that a place is offline, and why if this is known. */
function Offline({ link }: { link: TurboLink | undefined }) {
  const known = [link?.problem ?? '', ...(link?.problems ?? [])].filter((problem) => problem !== '');
  return [words.waiting, ...known].map((sentence) => <p key={sentence}>{sentence}</p>);
}

/** Flashes a device once, and ends the flash on unmount. */
function Flash({ deviceid }: { deviceid: string }) {
  const { api } = useServices();
  const [outcome, setOutcome] = useState<{ failure: string }>();

  useEffect(() => {
    let isOver = false;
    const end = (failure: string): void => {
      if (!isOver) setOutcome({ failure });
    };
    const path = { DeviceID: deviceid };
    const sent = api.identifyDevice({ path });
    sent.then(
      () => end(''),
      (error: unknown) => end(sentenceOf(error)),
    );
    return () => {
      isOver = true;
      // The flash may have ended by itself, so ignore a refusal.
      sent
        .then(({ command_id: id }) => api.removeCommand({ path: { ...path, command_id: id } }))
        .catch(() => undefined);
    };
  }, [api, deviceid]);

  if (outcome === undefined) return <p>{words.sending}</p>;
  return outcome.failure === '' ? <p>{words.compare}</p> : <Failure>{outcome.failure}</Failure>;
}
