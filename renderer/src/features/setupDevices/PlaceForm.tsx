import { Check, SkipForward, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import { useDevice } from '../../station/context.ts';
import { LineField } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { BigButton } from '../pick/BigButton.tsx';
import type { DeviceSetup } from './setup.ts';
import styles from './SetupDevices.module.css';
import type { Done, Picked } from './steps.ts';
import type { Places } from './usePlaces.ts';

type Props = {
  setup: DeviceSetup;
  picked: Picked;
  last: Done | undefined;
  isBusy: boolean;
  places: Places;
};

/**
 * How many milliseconds a submit is ignored after the next device has appeared, because a double Enter is intended for
 * the previous device.
 */
const SURPRISE_MS = 300;

/** Assigns a place to the current device. Enter has the same effect as the large button. */
export function PlaceForm({ setup, picked, last, isBusy, places }: Props) {
  const label = useDevice(picked.deviceid)?.locationoverride ?? '';
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const here = form.current;
    focusIn(here);
    here?.addEventListener('keydown', ignoreHeldEnter);
    return () => here?.removeEventListener('keydown', ignoreHeldEnter);
  }, []);
  const typed = text.trim();
  const { next } = places;
  const isDone = last !== undefined && last.before.deviceid === picked.deviceid;
  // A device that is pressed again keeps its place.
  const isKept = label !== '' && (next === undefined || isDone || places.keeps(label) || label === picked.tried);
  const main = typed !== '' ? words.place.take(typed) : isKept ? words.place.keep(label) : nextWords(next);

  function submit(): void {
    if (picked.at === last?.at && Date.now() - last.at < SURPRISE_MS) return;
    if (typed !== '') void setup.take(typed);
    else if (isKept) setup.pass();
    else void setup.take(next ?? '');
  }

  return (
    <Form
      ref={form}
      className={styles.form ?? ''}
      aria-label={words.place.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <BigButton
        type="submit"
        look="main"
        icon={Check}
        data-main
        isDisabled={typed === '' && !isKept && next === undefined}
        hint={words.place.enter}
      >
        {isBusy ? words.place.saving : main}
      </BigButton>
      {label !== '' && !isKept && <p className={parts.care}>{words.place.replaces(label)}</p>}
      <LineField
        name="place"
        label={words.place.field}
        hint={words.place.hint}
        value={text}
        onChange={setText}
        autoComplete="off"
      />
      <div className={styles.choices}>
        {isKept && next !== undefined && (
          <BigButton onPress={() => void setup.take(next)}>{words.place.change(next)}</BigButton>
        )}
        {last !== undefined && (
          <BigButton
            icon={Undo2}
            isDisabled={isBusy}
            hint={words.place.backHint(last.place)}
            onPress={() => void setup.back()}
          >
            {words.place.back}
          </BigButton>
        )}
        {!isKept && (
          <BigButton icon={SkipForward} hint={words.place.skipHint} onPress={setup.pass}>
            {words.place.skip}
          </BigButton>
        )}
      </div>
    </Form>
  );
}

function nextWords(next: string | undefined): string {
  return next === undefined ? words.place.none : words.place.take(next);
}

function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}

/**
 * Focuses the field or, on a touch screen, the button, because a focused field would open the keyboard. Does nothing
 * while the person types in another field.
 */
function focusIn(form: HTMLFormElement | null): void {
  const here = document.activeElement;
  if (form === null || (here instanceof HTMLInputElement && !form.contains(here))) return;
  const isTouched = window.matchMedia('(pointer: coarse)').matches;
  form.querySelector<HTMLElement>(isTouched ? '[data-main]' : 'input')?.focus({ preventScroll: true });
}
