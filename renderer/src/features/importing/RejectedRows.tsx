import { Download } from 'lucide-react';
import { rejectedRows } from '#shared/lib/rejectedRows.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/download.ts';
import { texts } from '../../ui/texts.ts';

type Props = {
  /** The file as it was chosen. */
  csv: string;
  /** Whether its first row names the columns. */
  hasHead: boolean;
  /** Those that are left out. */
  rows: readonly { line: number; message: string }[];
};

/** Saves the rows that an import leaves out, each with its reason. */
export function RejectedRows({ csv, hasHead, rows }: Props) {
  if (rows.length === 0) return null;
  const reasons = () => new Map(rows.map(({ line, message }) => [line, message]));
  return (
    <Button onPress={() => saveFile('rejected.csv', 'text/csv;charset=utf-8', rejectedRows(csv, reasons(), hasHead))}>
      <Download size={16} aria-hidden="true" />
      {texts.importing.saveRejected}
    </Button>
  );
}
