import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
import { type FieldMessages, problemsOf } from '../../kit/field/fieldProblems.ts';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { useChangePlaces } from '../../station/useDarkPlaces.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import { renamePlace } from './renamePlace.ts';

const FIELDS = new Set(['from', 'to']);
const words = texts.locations.rename;

/** Renames a place. Without `from`, the person chooses one of the places with goods but without a light, or enters another one. */
export function RenamePlaceDialog({ from, close }: { from?: string; close(): void }) {
  const { api, toasts } = useServices();
  const changePlaces = useChangePlaces();
  const { draft, field } = useForm({ from: from ?? '', to: '' });
  const old = draft.from.trim();
  const name = draft.to.trim();

  async function save(): Promise<void> {
    const warnings = await changePlaces(() => renamePlace(api, old, name));
    toasts.show([words.done(old, name), ...warnings].join(' '), {
      undo: async () => void (await changePlaces(() => renamePlace(api, name, old))),
    });
    close();
  }

  function check(): FieldMessages {
    return { ...(old === '' ? { from: words.noFrom } : {}), ...(name === '' ? { to: words.noTo } : {}) };
  }

  return (
    <FormDialog
      title={from === undefined ? words.title : words.titleOf(from)}
      submit={words.save}
      working={words.saving}
      draft={draft}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p className={parts.quiet}>{words.lead}</p>
      {from === undefined && <DarkPlaceField {...field('from')} />}
      <LineField {...field('to')} label={words.to} autoFocus={from !== undefined} />
    </FormDialog>
  );
}

/** The field for a place, which suggests places with goods but without a light. */
function DarkPlaceField(props: { name: string; value: string; onChange(text: string): void }) {
  const { api } = useServices();
  const loaded = useStationQuery(['darkPlaces'], () => api.listPlaces({ query: { light: '0', empty: '0' } }));
  const choices = (loaded.value ?? []).map(({ name }) => ({ id: name, text: name }));
  return <SuggestionField {...props} label={words.from} choices={choices} autoFocus />;
}
