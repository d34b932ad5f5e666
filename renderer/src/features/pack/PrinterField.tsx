import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { pack as words } from '../../words/pack.ts';
import styles from './Pack.module.css';
import type { PrinterChoice } from './printers.ts';

/** In the desktop window: the printer that prints slips without a dialog. */
export function PrinterField({ printers, printer, choose }: PrinterChoice) {
  const isThere = printers.some(({ name }) => name === printer);
  if (printers.length === 0 && printer === '') return null;
  return (
    <div className={styles.printer}>
      <ChoiceField
        label={words.printer}
        name="printer"
        // react-aria does not select an empty id.
        value={`:${printer}`}
        onChange={(id) => choose(id.slice(1))}
        choices={[
          { id: ':', text: words.dialog },
          ...printers.map(({ name, text }) => ({ id: `:${name}`, text })),
          ...(isThere || printer === '' ? [] : [{ id: `:${printer}`, text: words.printerGone(printer) }]),
        ]}
      />
    </div>
  );
}
