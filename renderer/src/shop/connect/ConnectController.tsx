import { useState } from 'react';
import type { FoundControllerEntry, SavedTurboLink, TurboLink } from '#shared/api/turbo.ts';
import { readPattern } from '#shared/lib/places/placePattern.ts';
import { ApiError } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField, LinesField, PasswordField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import styles from './Connect.module.css';
import { FoundControllers } from './FoundControllers.tsx';
import { IdentifyPlaces } from './IdentifyPlaces.tsx';
import { linesFor, linesOf, readLines, withNumbers } from './stripPlaces.ts';

const words = texts.turbos.controller;
const KEY = /^[\s:-]*(?:[0-9a-f][\s:-]*){32}$/i;

type Kind = FoundControllerEntry['kind'];

/** A dialog that connects hardware with its own server on the network. */
export function ConnectController({ kind, onClose }: { kind: Kind; onClose(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ url: '', name: '', places: '', key: '' });
  const [linked, setLinked] = useState<TurboLink>();
  const url = addressOf(kind, draft.url);
  const key = draft.key.trim() === '' ? {} : { key: draft.key };

  /** Connects hardware that was found. */
  async function connectFound(found: FoundControllerEntry): Promise<void> {
    if (found.needs_key && keyProblem(draft.key, true) !== undefined) throw new ApiError('invalid', words.needsKey);
    const name = draft.name.trim() === '' ? found.name : draft.name.trim();
    const link = await api.addTurboLink({
      body: { kind, url: found.url, name, ...key, ...placesIn(draft.places, []) },
    });
    connected(found.url, link);
    // A strip needs places before it can light.
    if (kind === 'wled') setLinked(link);
    else onClose();
  }

  function connected(address: string, { warnings = [] }: SavedTurboLink): void {
    toasts.show([words.done(address), ...warnings].join(' '));
  }

  if (linked?.places.length === 0) return <EditPlaces link={linked} onClose={onClose} />;
  if (linked !== undefined) return <IdentifyPlaces link={linked} onClose={onClose} />;
  return (
    <FormDialog
      title={words[kind].title}
      submit={words.submit}
      draft={draft}
      check={(): FieldMessages => ({
        ...(draft.url.trim() === '' ? { url: words.noAddress } : {}),
        ...keyProblem(draft.key, false),
        ...problemOf(draft.places),
      })}
      save={async () => {
        const link = await api.addTurboLink({
          body: { kind, url, name: draft.name.trim(), ...key, ...placesIn(draft.places, []) },
        });
        connected(url, link);
        if (link.places.length > 0) setLinked(link);
        else onClose();
      }}
      onClose={onClose}
    >
      <p>{words[kind].lead}</p>
      <FoundControllers kind={kind} connect={connectFound} />
      <LineField {...field('url')} label={words.address} help={words[kind].addressHelp} />
      <LineField {...field('name')} label={words.name} help={words.nameHelp} />
      {kind === 'opendisplay' && (
        <PasswordField {...field('key')} label={words.key} help={words.keyHelp} autoComplete="new-password" />
      )}
      {kind === 'wled' && <PlacesField {...field('places')} />}
    </FormDialog>
  );
}

/** A dialog that sets which LEDs of a strip belong to which place, and flashes each place afterwards. */
export function EditPlaces({ link, onClose }: { link: TurboLink; onClose(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ places: linesOf(link.places) });
  const [saved, setSaved] = useState<TurboLink>();
  if (saved !== undefined) return <IdentifyPlaces link={saved} onClose={onClose} />;
  return (
    <FormDialog
      title={words.placesOf(link.name === '' ? link.url : link.name)}
      submit={words.save}
      draft={draft}
      check={() => problemOf(draft.places)}
      save={async () => {
        const { warnings = [], ...changed } = await api.changeTurboLink({
          path: { id: link.id },
          body: placesIn(draft.places, link.places),
        });
        toasts.show([words.saved, ...warnings].join(' '));
        if (changed.places.length > 0) setSaved(changed);
        else onClose();
      }}
      onClose={onClose}
    >
      <PlacesField {...field('places')} />
    </FormDialog>
  );
}

/** A dialog that changes or removes the key of a display. */
export function EditKey({ link, onClose }: { link: TurboLink; onClose(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ key: '' });
  return (
    <FormDialog
      title={words.keyOf(link.name === '' ? link.url : link.name)}
      submit={words.save}
      draft={draft}
      check={() => keyProblem(draft.key, !link.key_set) ?? {}}
      save={async () => {
        await api.changeTurboLink({ path: { id: link.id }, body: { key: draft.key.trim() === '' ? null : draft.key } });
        toasts.show(words.keySaved);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{link.key_set ? words.keySet : words.keyNotSet}</p>
      <PasswordField {...field('key')} label={words.key} help={words.newKeyHelp} autoComplete="new-password" />
    </FormDialog>
  );
}

type PlacesProps = { name: string; value: string; onChange(value: string): void };

/** A field for places, one per line, with a tool that adds many places at once. */
function PlacesField(props: PlacesProps) {
  const [pattern, setPattern] = useState('');
  const [each, setEach] = useState<number | null>(3);
  const read = readPattern(pattern);
  const labels = 'places' in read ? read.places : [];
  const used = readLines(props.value).places.flatMap(({ ranges }) => ranges);
  const behind = Math.max(0, ...used.map(({ start, count }) => start + count));

  function addMany(): void {
    const before = props.value.trimEnd();
    const more = linesFor(labels, behind, each ?? 1);
    props.onChange(before === '' ? more : `${before}\n${more}`);
    setPattern('');
  }

  return (
    <>
      <LinesField {...props} label={words.places} help={words.placesHelp} rows={6} placeholder={words.placesExample} />
      <details className={styles.more}>
        <summary>{words.many}</summary>
        <div>
          <LineField
            name="pattern"
            label={words.pattern}
            help={words.patternHelp}
            value={pattern}
            onChange={setPattern}
          />
          <WholeNumberField name="each" label={words.each} value={each} onChange={setEach} least={1} />
          <Button onPress={addMany} isDisabled={labels.length === 0}>
            {words.add(labels.length, behind)}
          </Button>
        </div>
      </details>
    </>
  );
}

/** Completes a typed address. */
function addressOf(kind: Kind, typed: string): string {
  const text = typed.trim();
  const scheme = kind === 'opendisplay' ? 'opendisplay' : 'http';
  return /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
}

function keyProblem(typed: string, isNeeded: boolean): FieldMessages | undefined {
  const isFine = typed.trim() === '' ? !isNeeded : KEY.test(typed);
  return isFine ? undefined : { key: words.wrongKey };
}

function problemOf(typed: string): FieldMessages {
  const { wrong } = readLines(typed);
  return wrong === undefined ? {} : { places: words.wrongLine(wrong) };
}

function placesIn(typed: string, known: TurboLink['places']) {
  const { places } = readLines(typed);
  return places.length > 0 || known.length > 0 ? { places: withNumbers(places, known) } : {};
}
