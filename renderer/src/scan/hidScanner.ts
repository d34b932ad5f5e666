import type { Remembered } from '../remembered.ts';
import * as texts from '../words/texts.ts';
import type { HidDevices, ScannerDevice } from './browserDevices.ts';
import { nextReport, NO_BYTES, SCANNER_PAGE, SCANNER_USAGE } from './hidReport.ts';
import { createState, isNoChoice, reasonOf, type ScannerLink } from './scannerLink.ts';

const KEY = 'pickstation.scanner.hid';
/** USB vendor ids of Honeywell scanners, which send no reports until they have received this feature report. */
const NEEDS_FEATURE = new Set([0x0c2e, 0x23d0]);
const FEATURE = 254;

type Parts = {
  /** Undefined if the browser has no WebHID. */
  hid: HidDevices | undefined;
  isSecure: boolean;
  storage: Remembered;
  /** `event` is the report that completed the code. */
  scan(code: string, event: Event): void;
};

/** Creates a link to a scanner in HID POS mode, which reports whole codes instead of keys. */
export function createHidScanner({ hid, isSecure, storage, scan }: Parts): ScannerLink {
  const state = createState({ kind: hid === undefined ? (isSecure ? 'missing' : 'insecure') : 'off' });
  let device: ScannerDevice | undefined;
  let text = NO_BYTES;

  function onReport(event: Event): void {
    const { reportId, data } = event as Event & { reportId: number; data: DataView };
    const step = nextReport(text, reportId, data);
    text = step.state;
    if (step.code !== undefined) scan(step.code, event);
  }

  async function use(next: ScannerDevice): Promise<void> {
    if (device !== undefined) return;
    device = next;
    state.set({ kind: 'connecting' });
    try {
      if (!next.opened) await next.open();
      if (NEEDS_FEATURE.has(next.vendorId)) await next.sendFeatureReport(FEATURE, Uint8Array.of(1));
    } catch (error) {
      device = undefined;
      state.set({ kind: 'failed', reason: reasonOf(error) });
      return;
    }
    text = NO_BYTES;
    next.addEventListener('inputreport', onReport);
    storage.set(KEY, 'on');
    state.set({ kind: 'on' });
  }

  async function useRemembered(): Promise<void> {
    if (hid === undefined || storage.get(KEY) === null) return;
    const next = (await hid.getDevices()).find(isScanner);
    if (next !== undefined) await use(next);
  }

  function pulled(event: Event): void {
    if (device === undefined || (event as Event & { device?: ScannerDevice }).device !== device) return;
    device.removeEventListener('inputreport', onReport);
    device = undefined;
    state.set({ kind: 'lost' });
  }

  async function close(): Promise<void> {
    const mine = device;
    device = undefined;
    mine?.removeEventListener('inputreport', onReport);
    await mine?.close();
  }

  return {
    state: state.get,
    subscribe: state.subscribe,
    async connect() {
      if (hid === undefined || device !== undefined) return;
      try {
        const chosen = await hid.requestDevice({ filters: [{ usagePage: SCANNER_PAGE }] });
        const next = chosen.find(isScanner);
        if (next !== undefined) await use(next);
        else if (chosen.length > 0) state.set({ kind: 'failed', reason: texts.scanner.links.notHidPos });
      } catch (error) {
        if (!isNoChoice(error)) state.set({ kind: 'failed', reason: reasonOf(error) });
      }
    },
    async disconnect() {
      storage.set(KEY, null);
      await close();
      state.set({ kind: 'off' });
    },
    start() {
      hid?.addEventListener('connect', () => void useRemembered().catch(() => undefined));
      hid?.addEventListener('disconnect', pulled);
      void useRemembered().catch(() => undefined);
    },
  };
}

function isScanner({ collections }: ScannerDevice): boolean {
  return collections.some(({ usagePage, usage }) => usagePage === SCANNER_PAGE && usage === SCANNER_USAGE);
}
