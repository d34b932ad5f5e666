import { DATE_CASES } from './cases/dates.ts';
import { DONE_CASES } from './cases/done.ts';
import type { FileCase } from './cases/fileCase.ts';
import { FORM_CASES } from './cases/fileForm.ts';
import { GOODS_CASES } from './cases/goods.ts';
import { NAME_CASES } from './cases/names.ts';
import { FORMAT_CASES, QUANTITY_CASES, UNIT_CASES } from './cases/quantities.ts';
import { PROGRAM_CASES } from './cases/programs.ts';
import { ROW_CASES } from './cases/rows.ts';
import { STATE_CASES } from './cases/states.ts';
import { VALUE_CASES } from './cases/values.ts';

/** Small order files, each with the result that a person would expect from importing it. */
export const CASES: readonly FileCase[] = [
  ...FORM_CASES,
  ...NAME_CASES,
  ...QUANTITY_CASES,
  ...UNIT_CASES,
  ...FORMAT_CASES,
  ...ROW_CASES,
  ...STATE_CASES,
  ...DONE_CASES,
  ...VALUE_CASES,
  ...GOODS_CASES,
  ...DATE_CASES,
  ...PROGRAM_CASES,
];
