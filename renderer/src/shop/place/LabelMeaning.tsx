import { nameKey } from '#shared/lib/text/nameKey.ts';
import { ChoiceList } from '../../kit/field/ChoiceList.tsx';
import { useRight } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';

/** What a person means by another name: the device hangs elsewhere, or the place has a new name. Empty before the choice. */
export type LabelChange = '' | 'move' | 'rename';

const words = texts.locations.meaning;

/** Whether another name for a device can mean either, so that the page asks. */
export function isAmbiguous(before: string, label: string): boolean {
  return before.trim() !== '' && label.trim() !== '' && nameKey(before) !== nameKey(label);
}

type Props = { before: string; label: string; value: LabelChange; onChange(meaning: LabelChange): void };

/** Asks whether a device moves or a place is renamed, if its name changes. */
export function LabelMeaning({ before, label, value, onChange }: Props) {
  const mayRename = useRight('edit_stock');
  if (!isAmbiguous(before, label)) return null;
  const move = { id: 'move', word: words.move, help: words.moveHelp(before) } as const;
  const rename = { id: 'rename', word: words.rename, help: words.renameHelp(before, label.trim()) } as const;
  return (
    <ChoiceList<LabelChange>
      name="meaning"
      label={words.label(before)}
      choices={mayRename ? [move, rename] : [move]}
      value={value}
      onChange={onChange}
    />
  );
}
