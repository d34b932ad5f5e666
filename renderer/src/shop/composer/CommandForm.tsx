import { Eraser } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Device } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { parseColor } from '#shared/led/color.ts';
import { LINE_NAMES } from '#shared/screen/content.ts';
import { colorProblem } from '../device/colorProblem.ts';
import { ApiError } from '../../words/apiError.ts';
import { useDenied } from '../../kit/denied.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { Button } from '../../kit/button/Button.tsx';
import { type FieldProblems, NO_PROBLEMS, problemsOf, assignErrors } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { useAct } from '../../useAct.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import { AsCode } from './AsCode.tsx';
import * as drafts from './commandDraft.ts';
import { CommandFields } from './CommandFields.tsx';
import styles from './CommandForm.module.css';
import composer from './composer.module.css';
import { useStoredDraft } from './useStoredDraft.ts';
import { useObstacle, SubmitRow } from './SubmitRow.tsx';
import { barcodeProblem, lightOf, readCommand, USUAL_DEFAULTS } from './readRequest.ts';
import { ScreenPreview } from './ScreenPreview.tsx';
import { type Outcome, sendCommand, SentCommand, SentToMany } from './SentCommand.tsx';

type Props = {
  /** Ids of one or more devices, which all get the same command. */
  deviceids: readonly string[];
  /** The last known state of a device that was removed. */
  lastKnown?: Device;
};

const MARKED = `${texts.form.failed} ${texts.form.seeFields}`;

const FIELDS: ReadonlySet<string> = new Set(drafts.DRAFT_FIELDS);

/** Fields for words. A partly typed word is not an error yet. */
const WORDY = ['color', 'sound'] as const;

/**
 * Sends a command and shows its progress. Keeps the input until the user clears it, even for other devices and later
 * visits.
 */
export function CommandForm({ deviceids, lastKnown }: Props) {
  const denied = useDenied('send');
  if (denied !== undefined) return <p className={parts.quiet}>{denied}</p>;
  return <DeviceForm deviceids={deviceids} {...(lastKnown === undefined ? {} : { lastKnown })} />;
}

function DeviceForm({ deviceids, lastKnown }: Props) {
  const { api, toasts } = useServices();
  const defaults = useStationState(({ station }) => station?.defaults);
  const known = useStationState(
    useShallow(({ station }) => deviceids.flatMap((id) => findDevice(station?.devices ?? [], id) ?? [])),
  );
  const [draft, setDraft] = useStoredDraft('command', drafts.parseCommandDraft);
  const [problems, setProblems] = useState<FieldProblems>(NO_PROBLEMS);
  const [outcome, setOutcome] = useState<Outcome>();
  const { typing, setTyping, leave, press } = useTyping();
  /** Ids of the devices to which the last command was sent and the shown result belongs. */
  const [tried, setTried] = useState(deviceids);
  const isAbout = sameIds(tried, deviceids);

  const device = known[0] ?? lastKnown;
  const request = drafts.draftRequest(draft);
  const reading = readCommand(request, defaults ?? USUAL_DEFAULTS, device?.locationoverride ?? '');
  const found = assignErrors(reading.errors, FIELDS);
  const wrong = { ...found.byField, ...drafts.draftProblems(draft) };
  if (wrong['color'] !== undefined) wrong['color'] = colorProblem(draft.color) || wrong['color'];
  if (wrong['barcode'] !== undefined) wrong['barcode'] = barcodeProblem(draft.barcode) || wrong['barcode'];
  const byField = { ...problems.byField, ...without(wrong, typing) };
  const led = parseColor(draft.color.trim() === '' ? (defaults?.color ?? '') : draft.color);
  const obstacle = useObstacle(known.length > 0);

  function change(next: Partial<drafts.CommandDraft>): void {
    setDraft({ ...draft, ...next });
    setTyping(WORDY.find((field) => field in next) ?? '');
    const changed = new Set([...Object.keys(next), ...('lines' in next ? LINE_NAMES : [])]);
    setProblems(({ byField, rest }) => {
      const left = Object.entries(byField).filter(([field]) => !changed.has(field));
      return { byField: Object.fromEntries(left), rest: rest === MARKED ? '' : rest };
    });
  }

  const { busy, run: send } = useAct(async () => {
    setTried(deviceids);
    setProblems(NO_PROBLEMS);
    setOutcome(undefined);
    try {
      const { warnings } = reading;
      setOutcome(unsaid(await sendCommand(api, deviceids, request), warnings));
    } catch (error) {
      const { byField: fields, rest } = problemsOf(error, FIELDS);
      const doubt = error instanceof ApiError && error.code === 'unreachable' ? texts.form.unknown : '';
      const words = rest === '' ? MARKED : [texts.form.failed, rest, doubt].filter((part) => part !== '').join(' ');
      setProblems({ byField: fields, rest: words });
    }
  });

  function submit(): void {
    if (busy || obstacle !== '') return;
    setTyping('');
    if (Object.keys(wrong).length === 0 && found.rest === '') return send();
    setTried(deviceids);
    setOutcome(undefined);
    setProblems({ byField: {}, rest: found.rest === '' ? MARKED : `${texts.form.failed} ${found.rest}` });
  }

  function clear(): void {
    const before = draft;
    setDraft(undefined);
    setProblems(NO_PROBLEMS);
    toasts.show(texts.form.cleared, { undo: () => setDraft(before) });
  }

  if (device === undefined) return <p className={parts.quiet}>{texts.form.none}</p>;
  const name = nameOf(device);
  const many = deviceids.length > 1;
  const submitWords = many ? texts.form.submitMany(deviceids.length) : texts.form.submit(name);
  return (
    <section className={composer.section} aria-label={texts.form.title} onPointerDownCapture={press}>
      <ProblemForm className={composer.form ?? ''} onSubmit={submit} problems={byField}>
        <ScreenPreview
          caption={many ? texts.form.previewOf(name) : texts.form.preview}
          screen={reading.screen}
          device={device}
          light={lightOf(reading, draft.sound)}
          warnings={reading.warnings}
          refusal={found.rest}
        />
        <div className={composer.fields} onBlur={leave}>
          <CommandFields
            draft={draft}
            change={change}
            defaults={defaults}
            led={led}
            encoding={'sound' in wrong ? '' : (reading.content?.sound ?? '')}
            problems={byField}
          />
        </div>
        <div className={composer.foot}>
          <SubmitRow
            words={busy ? texts.form.busy : submitWords}
            busy={busy}
            obstacle={obstacle}
            failure={isAbout ? problems.rest : ''}
          >
            {!isEmpty(draft) && <Button icon={Eraser} words={texts.form.clear} look="quiet" onPress={clear} />}
          </SubmitRow>
          <div role="status" className={styles.outcome}>
            {isAbout && outcome?.kind === 'one' && <SentCommand key={outcome.commandId} device={device} {...outcome} />}
            {isAbout && outcome?.kind === 'many' && <SentToMany {...outcome} />}
          </div>
        </div>
      </ProblemForm>
      <AsCode deviceids={deviceids} request={request} />
    </section>
  );
}

/** Removes warnings that the preview already shows. */
function unsaid(outcome: Outcome | undefined, said: readonly string[]): Outcome | undefined {
  return outcome && { ...outcome, warnings: outcome.warnings.filter((warning) => !said.includes(warning)) };
}

function without(problems: Readonly<Record<string, string>>, field: string): Record<string, string> {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => name !== field));
}

function isEmpty(draft: drafts.CommandDraft): boolean {
  return JSON.stringify(draft) === JSON.stringify(drafts.EMPTY_DRAFT);
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((id, place) => id === b[place]));
}

/**
 * Tracks the word field in which the person is typing, so that a partly typed word is not reported as an error. The
 * field's name is empty if there is none.
 */
function useTyping() {
  const [typing, setTyping] = useState('');
  const isPressing = useRef(false);
  return {
    typing,
    setTyping,
    /**
     * Called when the field loses the focus. Reports the field's errors, but not while a button is being pressed,
     * because the message would move the button.
     */
    leave(): void {
      if (!isPressing.current) return setTyping('');
      onRelease(() => setTimeout(() => setTyping('')));
    },
    /** Called when a press on the buttons starts. */
    press(): void {
      isPressing.current = true;
      onRelease(() => {
        isPressing.current = false;
      });
    },
  };
}

function onRelease(run: () => void): void {
  const done = new AbortController();
  const end = () => {
    done.abort();
    run();
  };
  for (const event of ['pointerup', 'pointercancel']) window.addEventListener(event, end, { signal: done.signal });
}
