import type { IpcMain, WebContents } from 'electron';

/** IPC channels of the preload script. `electron/preload/preload.ts` uses the same names. */
export const PRINTERS = 'pickstation:printers';
export const PRINT = 'pickstation:print';

/** A printer of this computer. `name` identifies it; `text` is its name in the system. */
type Printer = { name: string; text: string };

/** Result of a print job. It is `gone` if this computer does not have the printer, and `failed` if the system refused the job. */
export type PrintAnswer = 'printed' | 'gone' | 'failed';

/** Paper size in millimeters. */
type Paper = { width: number; height: number };

const SHORTEST_MM = 10;
const LONGEST_MM = 3_000;
const MICRONS = 1_000;

/** Lets the page of the station at `origin` print without a dialog. */
export function printWithoutDialog(ipc: Pick<IpcMain, 'handle'>, origin: string): void {
  /** Whether the request comes from the page itself, rather than from a frame in it or from another page. */
  const isOwn = ({ senderFrame, sender }: Pick<Electron.IpcMainInvokeEvent, 'senderFrame' | 'sender'>): boolean =>
    senderFrame !== null && senderFrame.origin === origin && senderFrame === sender.mainFrame;

  ipc.handle(PRINTERS, async (event): Promise<Printer[]> => {
    return isOwn(event) ? listPrinters(event.sender) : [];
  });
  ipc.handle(PRINT, async (event, wanted: unknown): Promise<PrintAnswer> => {
    const job = isOwn(event) ? parseJob(wanted) : undefined;
    if (job === undefined) return 'failed';
    const printers = await listPrinters(event.sender);
    if (!printers.some(({ name }) => name === job.printer)) return 'gone';
    return (await printPage(event.sender, job.printer, job.paper)) ? 'printed' : 'failed';
  });
}

async function listPrinters(contents: WebContents): Promise<Printer[]> {
  const printers = await contents.getPrintersAsync().catch(() => []);
  return printers.map(({ name, displayName }) => ({ name, text: displayName === '' ? name : displayName }));
}

function printPage(contents: WebContents, deviceName: string, { width, height }: Paper): Promise<boolean> {
  return new Promise((resolve) => {
    const pageSize = { width: Math.round(width * MICRONS), height: Math.round(height * MICRONS) };
    try {
      // Do not pass margins, so that the page's style sheet determines them.
      contents.print({ silent: true, deviceName, pageSize }, (isPrinted) => resolve(isPrinted));
    } catch {
      resolve(false);
    }
  });
}

/** Parses a print job. Returns undefined if it is invalid. */
function parseJob(value: unknown): { printer: string; paper: Paper } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { printer, width, height }: { printer?: unknown; width?: unknown; height?: unknown } = value;
  if (typeof printer !== 'string' || !isLength(width) || !isLength(height)) return undefined;
  return { printer, paper: { width, height } };
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= SHORTEST_MM && value <= LONGEST_MM;
}
