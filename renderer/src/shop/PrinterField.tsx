import { ChoiceField } from '../kit/field/choiceFields.tsx';
import { printers as words } from '../words/printers.ts';
import type { PrinterChoice } from './printers.ts';

/** Field of the desktop window for the printer that prints without a dialog. */
export function PrinterField({ printers, printer, choose }: PrinterChoice) {
  const isThere = printers.some(({ name }) => name === printer);
  if (printers.length === 0 && printer === '') return null;
  return (
    <ChoiceField
      label={words.printer}
      name="printer"
      // Prefix the ids, because react-aria cannot select an empty id.
      value={`:${printer}`}
      onChange={(id) => choose(id.slice(1))}
      choices={[
        { id: ':', text: words.dialog },
        ...printers.map(({ name, text }) => ({ id: `:${name}`, text })),
        ...(isThere || printer === '' ? [] : [{ id: `:${printer}`, text: words.gone(printer) }]),
      ]}
    />
  );
}
