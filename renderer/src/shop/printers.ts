import { useEffect, useState } from 'react';
import { browserStorage } from '../storage.ts';
import { printers as words } from '../words/printers.ts';

/** Storage keys of the chosen printer, by paper, because slips and labels need different printers. */
const REMEMBERED = { slips: 'pickstation.pack.printer', labels: 'pickstation.labels.printer' } as const;

/** Time to wait for the pictures of the sheets. A sheet without its logo is better than none. */
const PICTURES_MS = 3_000;

type Printer = { name: string; text: string };

/** A print job. Its sizes are in millimeters. */
type PrintJob = { printer: string; width: number; height: number };

/**
 * Functions that electron/preload/preload.ts exposes. Older versions of the desktop app do not have them. Browsers do
 * not have them either; there, printing opens the dialog.
 */
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
  /** The computer's printers; empty on a computer without printers. */
  printers: readonly Printer[];
  /** Name of the chosen printer; empty to print through the dialog. */
  printer: string;
  choose(name: string): void;
  /** Prints without a dialog. */
  print(job: PrintJob): Promise<'printed' | 'gone' | 'failed'>;
};

/**
 * Prints the page on the chosen printer, without a dialog. If no printer is chosen, opens the dialog. If printing
 * failed, calls `failed` with the reason and then opens the dialog. Returns whether the page was printed without the
 * dialog.
 */
export async function printPage(
  choice: PrinterChoice | undefined,
  size: Omit<PrintJob, 'printer'>,
  failed: (reason: string) => void,
): Promise<boolean> {
  await picturesOfSheets();
  if (choice !== undefined && choice.printer !== '') {
    const answer = await choice.print({ printer: choice.printer, ...size });
    if (answer === 'printed') return true;
    failed(words.notPrinted[answer](choice.printer));
  }
  window.print();
  return false;
}

/** Waits until the pictures of the sheets are loaded, because a printout lacks the others; at most `PICTURES_MS`. */
function picturesOfSheets(): Promise<unknown> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('[data-sheets] img')];
  const loaded = Promise.allSettled(pictures.map((picture) => picture.decode()));
  return pictures.length === 0 ? loaded : Promise.race([loaded, waited(PICTURES_MS)]);
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Returns this computer's printers and the one chosen in this window, or undefined in a browser. */
export function usePrinters(paper: keyof typeof REMEMBERED): PrinterChoice | undefined {
  const key = REMEMBERED[paper];
  const [shell] = useState(findShell);
  const [storage] = useState(() => browserStorage());
  const [printers, setPrinters] = useState<readonly Printer[]>([]);
  const [printer, setPrinter] = useState(() => storage.get(key) ?? '');
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
      storage.set(key, name === '' ? null : name);
    },
    print: (job) => shell.print(job).catch(() => 'failed' as const),
  };
}
