import { Eraser, PowerOff, SlidersHorizontal, SunMedium, Trash2 } from 'lucide-react';
import { BulkBar } from '../../ui/BulkBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import type { Bulk, BulkKind } from './useBulk.ts';

const ICON = 16;
const words = texts.devices.bulk;

type Props = {
  chosen: readonly string[];
  /** How many of them filter and search leave out. */
  hidden: number;
  bulk: Bulk;
  /** What asks before it is done. */
  ask(kind: Exclude<BulkKind, 'identify'>): void;
  clear(): void;
};

/** What can be done with all devices that are chosen. */
export function DeviceBulkBar({ chosen, ask, ...bar }: Props) {
  return (
    <BulkBar {...bar} said={words} many={chosen.length}>
      <Button onPress={() => void bar.bulk.run('identify', chosen)}>
        <SunMedium size={ICON} aria-hidden="true" />
        {words.identify}
      </Button>
      <Button needs="edit_labels" onPress={() => ask('settings')}>
        <SlidersHorizontal size={ICON} aria-hidden="true" />
        {words.settings}
      </Button>
      <Button needs="send" onPress={() => ask('kill')}>
        <PowerOff size={ICON} aria-hidden="true" />
        {words.kill}
      </Button>
      <Button needs="edit_labels" onPress={() => ask('statics')}>
        <Eraser size={ICON} aria-hidden="true" />
        {words.statics}
      </Button>
      <Button needs="manage_devices" onPress={() => ask('remove')}>
        <Trash2 size={ICON} aria-hidden="true" />
        {words.remove}
      </Button>
    </BulkBar>
  );
}
