import { useEffect, useState } from 'react';
import { browserStorage } from '../../storage.ts';

const PRINTER = 'pickstation.pack.printer';

type Printer = { name: string; text: string };

/** Sizes in millimeters. */
export type PrintJob = { printer: string; width: number; height: number };

/** The functions of electron/preload/preload.ts. Older windows do not have them, and browsers always show their dialog. */
type Shell = {
  printers(): Promise<readonly Printer[]>;
  print(job: PrintJob): Promise<'printed' | 'gone' | 'failed'>;
};

function findShell(): Shell | undefined {
  const { pickstation: shell }: { pickstation?: Partial<Shell> } = window as object;
  const { printers, print } = shell ?? {};
  return printers === undefined || print === undefined ? undefined : { printers, print };
}

export type PrinterChoice = {
  /** Empty in a browser, and on a computer without printers. */
  printers: readonly Printer[];
  /** The name of the chosen printer. Empty: print through the dialog. */
  printer: string;
  choose(name: string): void;
  /** Prints without a dialog. */
  print(job: PrintJob): Promise<'printed' | 'gone' | 'failed'>;
};

/** The printers of this computer, and the one that this window remembers. Undefined in a browser. */
export function usePrinters(): PrinterChoice | undefined {
  const [shell] = useState(findShell);
  const [storage] = useState(() => browserStorage());
  const [printers, setPrinters] = useState<readonly Printer[]>([]);
  const [printer, setPrinter] = useState(() => storage.get(PRINTER) ?? '');
  useEffect(() => {
    let isOpen = true;
    shell
      ?.printers()
      .then((found) => isOpen && setPrinters(found))
      .catch(() => undefined);
    return () => {
      isOpen = false;
    };
  }, [shell]);
  if (shell === undefined) return undefined;
  return {
    printers,
    printer,
    choose(name) {
      setPrinter(name);
      storage.set(PRINTER, name === '' ? null : name);
    },
    print: (job) => shell.print(job).catch(() => 'failed' as const),
  };
}
