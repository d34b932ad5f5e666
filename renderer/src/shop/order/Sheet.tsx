import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { CodeBox } from '../../kit/print/labelCode.ts';
import { browserStorage } from '../../storage.ts';
import { timeWords } from '../../words/moments.ts';
import styles from './Sheet.module.css';

export const SHEET_PAPERS = ['a4', 'letter', 'receipt'] as const;
export type SheetPaper = (typeof SHEET_PAPERS)[number];

/** Space for the barcode or QR code of the order number, in millimeters. */
export const SHEET_CODES: Readonly<Record<SheetPaper, CodeBox>> = {
  a4: { barcode: { width: 82, height: 15 }, qrcode: 24 },
  letter: { barcode: { width: 82, height: 15 }, qrcode: 24 },
  receipt: { barcode: { width: 70, height: 14 }, qrcode: 26 },
};

const MM_A_PIXEL = 25.4 / 96;
const RECEIPT_MM = 80;
/** Size of the paper in millimeters. The length of a receipt is measured on the page. */
const SIZES_MM = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
  receipt: { width: RECEIPT_MM, height: 297 },
} as const satisfies Record<SheetPaper, unknown>;

/** A sheet of paper about an order. */
export function Sheet({ paper, label, children }: { paper: SheetPaper; label: string; children: ReactNode }) {
  const sheet = useRef<HTMLElement>(null);
  const page = `receipt${useId().replaceAll(/\W/g, '')}`;
  useReceiptLength(sheet, paper === 'receipt' ? page : undefined);
  return (
    <section
      ref={sheet}
      className={styles.sheet}
      data-paper={paper}
      aria-label={label}
      style={paper === 'receipt' ? { page } : undefined}
    >
      {children}
    </section>
  );
}

/** Formats a time with its day, even for today, because paper may be read later. */
export function onPaper(iso: string): string {
  const at = Date.parse(iso);
  return timeWords(at, 0).replace(/:\d\d$/, '');
}

/** Returns the size of the printed sheet in millimeters. */
export function paperSizeMm(paper: SheetPaper): { width: number; height: number } {
  if (paper !== 'receipt') return SIZES_MM[paper];
  const sheet = document.querySelector<HTMLElement>('[data-sheets] [data-paper]');
  return sheet === null ? SIZES_MM.receipt : { width: RECEIPT_MM, height: lengthMm(sheet) };
}

const PAPER = 'pickstation.pack.paper';

/** The paper format for orders, which is stored in this browser. */
export function useSheetPaper(): { paper: SheetPaper; setPaper(next: SheetPaper): void } {
  const [storage] = useState(() => browserStorage());
  const [paper, setPaper] = useState<SheetPaper>(
    () => SHEET_PAPERS.find((each) => each === storage.get(PAPER)) ?? 'a4',
  );
  return {
    paper,
    setPaper(next) {
      setPaper(next);
      storage.set(PAPER, next);
    },
  };
}

function lengthMm({ offsetHeight }: HTMLElement): number {
  return Math.max(40, Math.ceil(offsetHeight * MM_A_PIXEL) + 1);
}

/** Makes the named page of a receipt as long as its content. A roll printer would otherwise feed a whole page, or cut the receipt in two. */
function useReceiptLength(sheet: RefObject<HTMLElement | null>, page: string | undefined): void {
  useLayoutEffect(() => {
    const { current } = sheet;
    if (page === undefined || current === null || typeof CSSStyleSheet !== 'function') return undefined;
    const rule = new CSSStyleSheet();
    const measure = () => {
      rule.replaceSync(`@page ${page} { size: ${RECEIPT_MM}mm ${lengthMm(current)}mm; margin: 0; }`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rule];
    return () => {
      observer.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== rule);
    };
  }, [sheet, page]);
}
