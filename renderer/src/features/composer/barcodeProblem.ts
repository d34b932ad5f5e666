import { texts } from '../../ui/texts.ts';

/** Why a barcode cannot say this, in words of the shop; empty where it is not for one of its characters. */
export function barcodeProblem(text: string): string {
  const [foreign] = /[^\x20-\x7e]/u.exec(text) ?? [];
  return foreign === undefined ? '' : texts.form.notInBarcode(foreign);
}
