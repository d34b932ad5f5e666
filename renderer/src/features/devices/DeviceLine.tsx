import {
  BatteryLow,
  Check,
  type LucideIcon,
  MonitorSmartphone,
  Repeat2,
  SignalLow,
  SunMedium,
  Trash2,
  WifiOff,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import { type Care, firstCare, wantsCare } from '#shared/lib/deviceCare.ts';
import { deviceAddress } from '../../station/addresses.ts';
import { useDevice } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { formatAgo, useTimed } from '../../station/time.ts';
import { type MenuGroup, MoreMenu, menuOf } from '../../kit/menu/Menu.tsx';
import { Cells } from '../../kit/list/Grid.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { dotted } from '../../words/dotted.ts';
import { type DeviceTableRow, uptimeMs } from './deviceRows.ts';
import styles from './DeviceTable.module.css';

type Props = {
  row: DeviceTableRow;
  /** On the way of Tab. */
  isCurrent: boolean;
  actions: DeviceActions;
};

const ALIASES_SAID = 2;
/** A device that is well is heard every few seconds: figures that run would only disturb. */
const NOW_MS = 60_000;
const ICONS: Record<Care, LucideIcon> = { silent: WifiOff, lowBattery: BatteryLow, weakSignal: SignalLow };

/** The cells of one device, beside its checkbox. */
export const DeviceLine = memo(function DeviceLine({ row, isCurrent, actions }: Props) {
  // The row may be a second old.
  const device = useDevice(row.key) ?? row.device;
  const seen = useTimed((now) => seenWords(device, now));
  const uptime = useTimed((now) => formatAgo(uptimeMs(device, now) ?? 0));
  const needsCare = (care: Care) => ({ 'data-care': wantsCare(device, care, row.limits) || undefined });
  const cells = {
    care: <CareTag care={firstCare(device, row.limits)} />,
    place: <PlaceLink row={row} tab={isCurrent ? 0 : -1} />,
    battery: (
      <Unknown value={device.battery}>
        <Gauge percent={device.battery ?? 0} />
        <span className={styles.figures}>
          <span>{texts.panel.battery(device.battery ?? 0)}</span>
          {device.voltage !== null && <span className={parts.plain}>{texts.panel.volts(device.voltage)}</span>}
        </span>
      </Unknown>
    ),
    signal: (
      <Unknown value={device.online ? device.rssi : null}>
        <SignalBars dbm={device.rssi ?? 0} />
        <span>{texts.panel.dbm(device.rssi ?? 0)}</span>
      </Unknown>
    ),
    seen,
    firmware: <Unknown value={device.firmware || null}>{device.firmware}</Unknown>,
    turbo: <Unknown value={device.turbo}>{device.turbo}</Unknown>,
    uptime: <Unknown value={device.online ? device.up_since : null}>{uptime}</Unknown>,
    actions: <MoreMenu label={texts.devices.more(row.name)} groups={deviceMenu(row, actions)} isCurrent={isCurrent} />,
  };
  const marks = {
    battery: needsCare('lowBattery'),
    signal: needsCare('weakSignal'),
    seen: { 'data-care': !device.online || undefined },
    turbo: { title: device.turbo ?? undefined },
  };
  return <Cells look={styles} of={cells} marks={marks} />;
});

function CareTag({ care }: { care: Care | undefined }) {
  const Icon = care === undefined ? Check : ICONS[care];
  return (
    <span className={styles.tag} data-care={care}>
      <Icon size={15} aria-hidden="true" />
      <span className={styles.tagWords}>{care === undefined ? texts.devices.well : texts.devices.cares[care]}</span>
    </span>
  );
}

function PlaceLink({ row: { key, name, aliases, cell }, tab }: { row: DeviceTableRow; tab: 0 | -1 }) {
  const further = aliases.length - ALIASES_SAID;
  const called = texts.devices.aliases(aliases.slice(0, ALIASES_SAID), Math.max(0, further));
  const notes = dotted(name === key ? '' : key, aliases.length === 0 ? '' : called, cell);
  return (
    <Link
      href={deviceAddress(key)}
      className={styles.link ?? ''}
      tabIndex={tab}
      data-control="device"
      onClick={() => wantPanelFocus(key)}
    >
      <span className={styles.name} title={name}>
        {name}
      </span>{' '}
      {notes !== '' && (
        <span className={`${parts.quiet} ${styles.notes}`} title={notes}>
          {notes}
        </span>
      )}
    </Link>
  );
}

/** A dash for an unknown value, read as "unknown" by screen readers. */
function Unknown({ value, children }: { value: unknown; children: ReactNode }) {
  if (value !== null) return children;
  return (
    <span className={parts.plain}>
      <span aria-hidden="true">{texts.devices.unknown}</span>
      <span className="visuallyHidden">{texts.devices.notKnown}</span>
    </span>
  );
}

function seenWords({ online, last_seen }: Device, now: number): string {
  if (last_seen === null) return texts.devices.never;
  const ms = now - Date.parse(last_seen);
  return online && ms < NOW_MS ? texts.devices.now : texts.devices.ago(formatAgo(ms));
}

/** How full a battery is. A picture only: the figure is beside it. */
function Gauge({ percent }: { percent: number }) {
  return (
    <span className={styles.gaugesBattery} aria-hidden="true">
      <span className={styles.charge} style={{ width: `${percent}%` }} />
    </span>
  );
}

/** From which strength on, in dBm, a bar is full. */
const BARS = [-100, -85, -75, -65] as const;

/** How strong a device is heard, in four bars. A picture only: the figure is beside it. */
function SignalBars({ dbm }: { dbm: number }) {
  return (
    <svg className={styles.bars} viewBox="0 0 18 14" aria-hidden="true">
      {BARS.map((from, index) => (
        <rect
          key={from}
          x={index * 5}
          y={9 - index * 3}
          width={3}
          height={5 + index * 3}
          rx={0.5}
          data-full={dbm > from || undefined}
        />
      ))}
    </svg>
  );
}

/** What can be done with one device. */
function deviceMenu(row: DeviceTableRow, { open, identify, replace, remove }: DeviceActions): MenuGroup[] {
  const words = texts.devices.menu;
  const needs = 'manage_devices';
  return menuOf(
    [
      { id: 'open', words: words.open, icon: MonitorSmartphone, run: () => open(row.key) },
      identify !== undefined && { id: 'identify', words: words.identify, icon: SunMedium, run: () => identify(row) },
      { id: 'replace', words: words.replace, icon: Repeat2, needs, run: () => replace?.(row) },
    ],
    [{ id: 'remove', words: words.remove, icon: Trash2, needs, run: () => remove?.(row) }],
  );
}

/** What can be done with a row. Undefined: not by this person. */
export type DeviceActions = {
  open(deviceid: string): void;
  identify: ((row: DeviceTableRow) => void) | undefined;
  replace: ((row: DeviceTableRow) => void) | undefined;
  remove: ((row: DeviceTableRow) => void) | undefined;
};
