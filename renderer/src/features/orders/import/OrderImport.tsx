import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { useLeaveGuard } from '../../../ui/leaveGuard.tsx';
import layout from '../../../ui/Page.module.css';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { texts } from '../../../ui/texts.ts';
import { Busy, ImportChoice, ImportExample } from '../../importing/ImportChoice.tsx';
import view from '../../importing/ImportView.module.css';
import { ImportColumns } from './ImportColumns.tsx';
import { useLastOrderImport } from './ImportedBar.tsx';
import { ImportQuestion } from './ImportQuestion.tsx';
import own from './OrderImport.module.css';
import { OrderPreview } from './OrderPreview.tsx';
import { type PreviewStep, useOrderImport } from './useOrderImport.ts';

const words = texts.orderImport;
const EXAMPLE =
  'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1';
const MAX_BYTES = 16 * 1024 * 1024;
const FILES = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv', 'text/plain'];

/** Imports orders from a file or a spreadsheet: choose it, answer questions, correct rows, import. */
export function OrderImportView({ finish }: { finish(): void }) {
  const { last } = useLastOrderImport();
  const [typed, setTyped] = useState('');
  const { step, failure, ...actions } = useOrderImport({
    before: last?.id,
    finish: () => {
      guard(false);
      finish();
    },
  });
  const guard = useLeaveGuard(step.kind === 'running');
  const name = 'source' in step ? step.source.name : undefined;

  return (
    <div className={layout.page}>
      <PageHeader title={words.title} note={name}>
        <Button words={words.back} onPress={finish} isDisabled={step.kind === 'running'} />
      </PageHeader>
      <main className={view.content}>
        {step.kind === 'choose' && (
          <ImportChoice
            typed={typed}
            onType={setTyped}
            failure={failure}
            check={(text) => actions.choose({ file: new Blob([text], { type: 'text/csv' }), name: words.pasted })}
            asFile={{
              accepted: FILES,
              maxBytes: MAX_BYTES,
              tooLarge: words.tooLarge,
              take: actions.choose,
              takeAddress: (url) => actions.choose({ url, name: URL.parse(url)?.host ?? url }),
            }}
          >
            <p>
              {words.lead} {words.formats}
            </p>
            <ImportExample title={words.example} csv={EXAMPLE} className={own.example} />
          </ImportChoice>
        )}
        {step.kind === 'checking' && <Busy label={words.checking(step.name)} cancel={actions.cancel} />}
        {step.kind === 'running' && <Busy label={words.running(step.orders)} cancel={actions.cancel} />}
        {step.kind === 'question' && (
          <ImportQuestion
            key={step.question.option}
            question={step.question}
            failure={failure}
            answer={actions.answer}
            back={actions.back}
          />
        )}
        {step.kind === 'preview' && <Previewed step={step} failure={failure} {...actions} />}
      </main>
    </div>
  );
}

type Props = Pick<ReturnType<typeof useOrderImport>, 'answer' | 'correct' | 'forget' | 'run' | 'back'> & {
  step: PreviewStep;
  failure: string;
};

/** Shows the columns while there are questions, otherwise the rows. */
function Previewed({ step, failure, answer, correct, forget, run, back }: Props) {
  const { preview, answers } = step;
  const isAsked = preview.questions.length > 0;
  const [isOpen, setOpen] = useState(false);
  if (isAsked || isOpen) {
    return (
      <ImportColumns
        preview={preview}
        answers={answers}
        failure={failure}
        answer={answer}
        close={isAsked ? back : () => setOpen(false)}
      />
    );
  }
  return (
    <OrderPreview
      step={step}
      failure={failure}
      answer={answer}
      correct={correct}
      openColumns={() => setOpen(true)}
      forget={() => void forget()}
      run={() => void run()}
      back={back}
    />
  );
}
