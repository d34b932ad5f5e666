import { useState } from 'react';
import { useLocation } from 'wouter';
import type { NewSequence, Sequence } from '#shared/api/sequence.ts';
import { sequenceAddress } from '../../station/addresses.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { useSequence } from '../../station/useWork.ts';
import { LinesField } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages, FieldProblems } from '../../kit/field/fieldProblems.ts';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import rows from '../../shop/work/DraftRows.module.css';
import * as drafts from './sequenceDraft.ts';
import { SequenceForm } from './SequenceForm.tsx';

const words = texts.sequences.form;

/** Creates a sequence. If `from` is the id of a sequence, the form begins with a copy of it. */
export function NewSequenceDialog({ from, close }: { from: string | undefined; close(): void }) {
  return from === undefined ? <Add draft={drafts.NEW_SEQUENCE} close={close} /> : <Copy from={from} close={close} />;
}

function Copy({ from, close }: { from: string; close(): void }) {
  const { status, value } = useSequence(from);
  // If the sequence to copy cannot be loaded, offer an empty form.
  if (status === 'failed' || status === 'missing') return <Add draft={drafts.NEW_SEQUENCE} close={close} />;
  if (value === undefined) return null;
  return (
    <Add draft={{ ...drafts.draftOf(drafts.newSequenceOf(value)), sequenceid: words.copyOf(from) }} close={close} />
  );
}

function Add({ draft, close }: { draft: drafts.SequenceDraft; close(): void }) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  return (
    <SequenceEditor
      title={words.addTitle}
      submit={words.make}
      first={draft}
      save={async (sequence) => {
        const { sequenceid: id, warnings } = await api.addSequence({ body: sequence });
        toasts.show([words.added(id), ...warnings].join(' '));
        close();
        navigate(sequenceAddress(id));
      }}
      close={close}
    />
  );
}

/** Replaces the steps of an existing sequence. */
export function EditSequenceDialog({ sequence, close }: { sequence: Sequence; close(): void }) {
  const { api, toasts } = useServices();
  const { sequenceid: id } = sequence;
  // Keep the draft when the sequence changes during editing.
  const [first] = useState(() => drafts.draftOf(drafts.newSequenceOf(sequence)));
  return (
    <SequenceEditor
      title={words.editTitle(id)}
      submit={words.save}
      hint={sequence.start_time === null ? '' : words.editHint}
      first={first}
      isNamed
      save={async ({ sequenceid: _id, ...changed }) => {
        const { warnings } = await api.replaceSequence({ path: { seqID: id }, body: changed });
        toasts.show([words.changed(id), ...warnings].join(' '));
        close();
      }}
      close={close}
    />
  );
}

type Props = {
  title: string;
  submit: string;
  hint?: string;
  first: drafts.SequenceDraft;
  /** Whether the id is fixed, because the sequence exists already. */
  isNamed?: boolean;
  save(sequence: NewSequence): Promise<void>;
  close(): void;
};

function SequenceEditor({ title, submit, hint = '', first, isNamed = false, save, close }: Props) {
  const [draft, setDraft] = useState(first);
  /** The typed JSON, or undefined if the sequence is edited in the form. */
  const [json, setJson] = useState<string>();
  const [jsonProblem, setJsonProblem] = useState('');

  /** Returns the sequence to send, or its problems. */
  function read(): { sequence: NewSequence } | { problems: FieldMessages } {
    if (json === undefined) {
      const problems = drafts.sequenceProblems(draft);
      return Object.keys(problems).length > 0 ? { problems } : { sequence: drafts.draftedSequence(draft) };
    }
    const result = drafts.readSequenceJson(json);
    return result.ok ? { sequence: result.sequence } : { problems: { json: result.message } };
  }

  function show(view: 'form' | 'json'): void {
    setJsonProblem('');
    if (view === 'json') return setJson(`${JSON.stringify(drafts.draftedSequence(draft), null, 2)}\n`);
    const result = drafts.readSequenceJson(json ?? '');
    if (!result.ok) return setJsonProblem(result.message);
    setDraft(drafts.draftOf(result.sequence));
    setJson(undefined);
  }

  return (
    <FormDialog
      title={title}
      submit={submit}
      working={words.saving}
      size="large"
      draft={json ?? drafts.draftedSequence(draft)}
      check={() => {
        const result = read();
        return 'problems' in result ? result.problems : {};
      }}
      save={async () => {
        const result = read();
        if ('sequence' in result) await save(result.sequence);
      }}
      problemsOf={(error) => problemsOf(error, draft, json !== undefined)}
      onClose={close}
    >
      <div className={parts.row}>
        <Segments
          label={words.views}
          value={json === undefined ? 'form' : 'json'}
          onChange={show}
          choices={[
            { id: 'form', words: words.asForm },
            { id: 'json', words: words.asJson },
          ]}
        />
      </div>
      {hint !== '' && <p>{hint}</p>}
      {json === undefined ? (
        <SequenceForm draft={draft} set={setDraft} isNamed={isNamed} />
      ) : (
        <div className={rows.json}>
          <LinesField
            name="json"
            label={words.json}
            help={words.jsonHelp}
            rows={16}
            value={json}
            onChange={(text) => {
              setJson(text);
              setJsonProblem('');
            }}
          />
          <Failure>{jsonProblem}</Failure>
        </div>
      )}
    </FormDialog>
  );
}

/** Form fields of a step, by the names that the API uses. */
const STEP_FIELDS = new Map(
  Object.entries<string>({
    order: 'order',
    device: 'place',
    location: 'place',
    line1: 'line1',
    line2: 'line2',
    quantity: 'quantity',
    color: 'color',
    seconds: 'seconds',
  }),
);

/** Assigns the station's errors to form fields. Errors without a form field are listed with the path of their value. */
function problemsOf(error: unknown, { steps }: drafts.SequenceDraft, isJson: boolean): FieldProblems {
  if (!(error instanceof ApiError)) return { byField: {}, rest: sentenceOf(error) };
  if (error.code === 'conflict' && !isJson) return { byField: { sequenceid: error.message }, rest: '' };
  if (error.fields.length === 0) return { byField: {}, rest: error.message };
  const byField: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of error.fields) {
    const [, index = '', field = ''] = /^\/steps\/(\d+)\/(\w+)$/.exec(path) ?? [];
    const id = steps[Number(index)]?.id;
    const name = STEP_FIELDS.get(field);
    if (!isJson && id !== undefined && name !== undefined) byField[`${name} ${id}`] = message;
    else rest.push(words.badShape(path.slice(1), message));
  }
  return { byField, rest: rest.join(' ') };
}
