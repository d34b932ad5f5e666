import { MonitorSmartphone, SunMedium } from 'lucide-react';
import type { MenuGroup, MenuRow } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import type { DeviceActions } from './actions.ts';
import type { DeviceRow } from './deviceRows.ts';

const ICON = 16;

/** What can be done with one device. */
export function menuOf(row: DeviceRow, { open, identify }: DeviceActions): MenuGroup[] {
  const words = texts.devices.menu;
  const look: MenuRow[] = [
    { id: 'open', words: words.open, icon: <MonitorSmartphone size={ICON} />, run: () => open(row.key) },
  ];
  if (identify !== undefined) {
    look.push({ id: 'identify', words: words.identify, icon: <SunMedium size={ICON} />, run: () => identify(row) });
  }
  return [{ rows: look }];
}
