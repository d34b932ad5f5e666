import { type ReactNode, useState } from 'react';
import type { AnyImportRow } from '#shared/api/imports.ts';
import { Button } from '../kit/button/Button.tsx';
import { useLeaveGuard } from '../kit/dialog/leaveGuard.tsx';
import layout from '../kit/page/Page.module.css';
import { PageHeader } from '../kit/page/PageHeader.tsx';
import * as texts from '../words/texts.ts';
import { Busy, ImportChoice } from './ImportChoice.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { ImportQuestion } from './ImportQuestion.tsx';
import view from './ImportPage.module.css';
import type { ImportKind } from './kind.ts';
import { useImport } from './useImport.ts';
import type { PreviewStep } from './useImportStep.ts';

const words = texts.importing;

type StepsProps<Row extends AnyImportRow> = {
  kind: ImportKind<Row>;
  /** A switch to other kinds of files, shown until a file is chosen. */
  choice: ReactNode;
  finish(): void;
};

/** Imports a file or a spreadsheet: choose it, answer questions, correct rows, import. */
export function ImportSteps<Row extends AnyImportRow>({ kind, choice, finish }: StepsProps<Row>) {
  const [typed, setTyped] = useState('');
  const { step, failure, source, ...actions } = useImport(kind.kind, (rows) =>
    kind.orderKeys?.(rows.filter(kind.isRow)),
  );
  const guard = useLeaveGuard(step.kind === 'running');
  const name = 'source' in step ? step.source.name : undefined;

  return (
    <div className={layout.page}>
      <PageHeader title={kind.words.title} note={name}>
        <Button words={kind.words.back} onPress={finish} isDisabled={step.kind === 'running'} />
      </PageHeader>
      <main className={view.content}>
        {step.kind === 'choose' && (
          <ImportChoice
            choice={choice}
            lead={kind.words.lead}
            examples={kind.examples}
            typed={typed}
            onType={setTyped}
            failure={failure}
            source={source}
            choose={actions.choose}
          />
        )}
        {step.kind === 'checking' && <Busy label={words.checking(step.name)} cancel={actions.cancel} />}
        {step.kind === 'running' && <Busy label={kind.words.running(step.counts)} cancel={actions.cancel} />}
        {step.kind === 'question' && (
          <ImportQuestion
            key={step.question.option}
            question={step.question}
            sheetLabel={kind.words.sheet}
            failure={failure}
            answer={actions.answer}
            back={actions.back}
          />
        )}
        {step.kind === 'preview' && (
          <Previewed
            kind={kind}
            step={step}
            failure={failure}
            {...actions}
            run={() =>
              void actions.run(() => {
                guard(false);
                finish();
              })
            }
          />
        )}
      </main>
    </div>
  );
}

type Props<Row extends AnyImportRow> = Pick<
  ReturnType<typeof useImport>,
  'answer' | 'correct' | 'forget' | 'back' | 'setAside' | 'clearFailure'
> & {
  kind: ImportKind<Row>;
  step: PreviewStep;
  failure: string;
  run(): void;
};

/** Shows the columns while the station has questions about them, otherwise the rows. */
function Previewed<Row extends AnyImportRow>(props: Props<Row>) {
  const { kind, step, failure, answer, correct, forget, run, back, setAside, clearFailure } = props;
  const { preview, answers } = step;
  const isAsked = preview.questions.length > 0;
  const [isOpen, setOpen] = useState(false);
  if (isAsked || isOpen) {
    return (
      <ImportColumns
        kind={kind}
        preview={preview}
        answers={answers}
        failure={failure}
        answer={answer}
        change={clearFailure}
        close={isAsked ? back : () => setOpen(false)}
      />
    );
  }
  return (
    <ImportPreview
      kind={kind}
      step={step}
      failure={failure}
      answer={answer}
      correct={correct}
      setAside={setAside}
      openColumns={() => setOpen(true)}
      forget={() => void forget()}
      run={run}
      back={back}
    />
  );
}
