import { type FormerPicker, MAX_FORMER } from '../../domain/orders/formerPickers.ts';
import { storedJson } from '../storedJson.ts';

const ADDED = "json_insert(coalesce(former_pickers, '[]'), '$[#]', json_array(picker, :now))";

/** SQL that adds the picker of a row to its former pickers if `:picker` is another one. */
export const KEEP_FORMER = `former_pickers = CASE
  WHEN picker IS :picker THEN former_pickers
  WHEN json_array_length(former_pickers) >= ${MAX_FORMER} THEN json_remove(${ADDED}, '$[0]')
  ELSE ${ADDED} END`;

/** Parses the former pickers of a row, which are null if it had none. */
export function parseFormer(text: string | null): readonly FormerPicker[] {
  return text === null ? [] : ((storedJson('items.former_pickers', text) as readonly FormerPicker[] | undefined) ?? []);
}
