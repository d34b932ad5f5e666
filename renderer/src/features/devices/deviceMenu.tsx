import { MonitorSmartphone, Repeat2, SunMedium, Trash2 } from 'lucide-react';
import type { MenuGroup, MenuRow } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import type { DeviceActions } from './actions.ts';
import type { DeviceRow } from './deviceRows.ts';

const ICON = 16;

/** What can be done with one device. */
export function menuOf(row: DeviceRow, { open, identify, replace, remove }: DeviceActions): MenuGroup[] {
  const words = texts.devices.menu;
  const look: MenuRow[] = [
    { id: 'open', words: words.open, icon: <MonitorSmartphone size={ICON} />, run: () => open(row.key) },
  ];
  if (identify !== undefined) {
    look.push({ id: 'identify', words: words.identify, icon: <SunMedium size={ICON} />, run: () => identify(row) });
  }
  const manage = (given: MenuRow): MenuRow => ({ ...given, needs: 'manage_devices' });
  look.push(manage({ id: 'replace', words: words.replace, icon: <Repeat2 size={ICON} />, run: () => replace?.(row) }));
  const away = manage({ id: 'remove', words: words.remove, icon: <Trash2 size={ICON} />, run: () => remove?.(row) });
  return [{ rows: look }, { rows: [away] }];
}
