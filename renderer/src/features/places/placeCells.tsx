import { BatteryLow, Check, CircleDashed, type LucideIcon, Pencil, SignalLow, WifiOff } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import { arrowToPlace } from '#shared/lib/devices/deviceIs.ts';
import { type Care, firstCare, wantsCare } from '#shared/lib/devices/deviceCare.ts';
import type { CellProps } from '../../kit/list/columns.ts';
import parts from '../../kit/parts.module.css';
import { ledWords } from '../../shop/device/deviceWords.ts';
import { ledStyle, MiniLed } from '../../shop/device/Led.tsx';
import { LateScreen } from '../../shop/screen/LateScreen.tsx';
import { deviceAddress } from '../../station/addresses.ts';
import { useDevice } from '../../station/context.ts';
import { seenLight } from '../../station/seenLight.ts';
import { formatAgo, useTimed } from '../../station/time.ts';
import { dotted } from '../../words/dotted.ts';
import * as texts from '../../words/texts.ts';
import { ArrowPaper } from '../../shop/place/ArrowPaper.tsx';
import {
  articleText,
  hasDevice,
  isWaiting,
  type PlaceRow,
  type AnyPlaceRow,
  uptimeMs,
  type WaitingRow,
} from './placeRows.ts';
import styles from './PlaceTable.module.css';
import type { PlaceActions } from './usePlaceActions.ts';

type Cell = CellProps<AnyPlaceRow, PlaceActions>;
type OfDevice = CellProps<PlaceRow, PlaceActions>;

const words = texts.places;

/** Returns a cell that is empty if the place waits for its device. */
function ofDevice(DeviceOnly: ComponentType<OfDevice>) {
  return function CellOfDevice({ row, ...props }: Cell) {
    return hasDevice(row) ? <DeviceOnly row={row} {...props} /> : null;
  };
}

/** Returns the current state of the row's device, because the row may be up to a second old. */
function useLive({ key, device }: PlaceRow): Device {
  return useDevice(key) ?? device;
}

/**
 * The name of the place or of the slot, as a button that edits the label. Below are the place on the map and, in a
 * narrow table, the aliases.
 */
export function PlaceCell({ row, tab, actions }: Cell) {
  const { key, name, aliases, cell, slot } = row;
  const edit = hasDevice(row)
    ? actions.edit && (() => actions.edit?.(row))
    : actions.rename && (() => actions.rename?.(row));
  const notes = dotted(isWaiting(row) ? row.waiting.note : '', cell);
  const isNameless = name === key;
  const said = isNameless ? slot || words.nameless : name;
  const label = (
    <span className={isNameless ? `${parts.plain} ${styles.notes}` : styles.name} title={said}>
      {said}
    </span>
  );
  const also =
    aliases.length === 0
      ? ''
      : words.alsoServes(
          aliases.slice(0, SAID).map((alias) => alias.name),
          Math.max(0, aliases.length - SAID),
        );
  return (
    <span className={styles.place}>
      {edit === undefined ? (
        label
      ) : (
        <AriaButton
          className={styles.edit ?? ''}
          aria-label={isNameless ? `${said}: ${key}` : words.edit(name)}
          excludeFromTabOrder={tab < 0}
          data-control="name"
          onPress={edit}
        >
          {label}
          <Pencil className={styles.pencil} size={14} aria-hidden="true" />
        </AriaButton>
      )}
      {notes !== '' && (
        <span className={`${parts.quiet} ${styles.notes}`} title={notes}>
          {notes}
        </span>
      )}
      {also !== '' && <span className={`${parts.quiet} ${styles.notes} ${styles.alsoBelow}`}>{also}</span>}
    </span>
  );
}

/** The device, or that the place waits for one, with the articles there. */
export function DeviceCell({ row, ...props }: Cell) {
  return hasDevice(row) ? <DeviceLink row={row} {...props} /> : <NoDevice row={row} />;
}

function NoDevice({ row: { waiting } }: { row: WaitingRow }) {
  const articles = waiting.articles.map(articleText);
  const more = articles.length - SAID;
  const said = dotted(...articles.slice(0, SAID), more > 0 ? words.andMore(more) : '');
  return (
    <span className={styles.deviceWords}>
      <span className={styles.notes}>{words.waitsForDevice}</span>
      {said !== '' && (
        <span className={`${parts.quiet} ${styles.notes}`} title={articles.join('\n')}>
          {said}
        </span>
      )}
    </span>
  );
}

/** The device with its light, the alias for which it is lit, and the number of waiting commands. */
function DeviceLink({ row, tab, actions }: OfDevice) {
  const device = useLive(row);
  const { key, aliases } = row;
  const { displayed, commands } = device;
  const shown = commands.find(({ command_id }) => command_id === displayed?.command_id);
  const alias = aliases.find(({ id }) => id === shown?.alias_id);
  const waiting = commands.length - (shown === undefined ? 0 : 1);
  const led = seenLight(device);
  const notes = dotted(alias === undefined ? '' : words.litFor(alias.name), waiting === 0 ? '' : words.waits(waiting));
  return (
    <Link
      href={deviceAddress(key, 'places')}
      className={`${parts.middle2} ${styles.device}`}
      tabIndex={tab}
      data-control="device"
      onClick={(event) => {
        // Keep the other parameters in the address, such as the filter.
        event.preventDefault();
        actions.open(key);
      }}
    >
      <span className={styles.light} style={ledStyle(led)}>
        <MiniLed led={led} />
      </span>
      <span className={styles.deviceWords}>
        <span className={styles.deviceid}>{key}</span>{' '}
        {notes !== '' && (
          <span className={`${parts.quiet} ${styles.notes}`} title={notes}>
            {notes}
          </span>
        )}
        <span className="visuallyHidden">{ledWords(led)}</span>
      </span>
    </Link>
  );
}

/** The screen of the device. Hidden from screen readers, because the panel describes it in words. */
export const ScreenCell = ofDevice(function ScreenOfDevice({ row }: OfDevice) {
  const { displayed, firmware, voltage, screen_size: size } = useLive(row);
  return (
    <span className={styles.screen} aria-hidden="true">
      <LateScreen
        screen={displayed?.screen ?? null}
        firmware={firmware}
        batteryMv={voltage === null ? null : Math.round(voltage * 1_000)}
        size={size}
        scale="fill"
        blankWords={texts.device.blank}
      />
    </span>
  );
});

const SAID = 2;

/** The first aliases of the device, as buttons that edit them, and a button that lists all aliases. */
export const AlsoCell = ofDevice(function AlsoOfDevice({ row, tab, actions }: OfDevice) {
  const { aliases } = row;
  const more = aliases.length - SAID;
  return (
    <span className={styles.also}>
      {aliases.slice(0, SAID).map((alias) => (
        <AliasName key={alias.id} alias={alias} tab={tab} edit={actions.editAlias} />
      ))}
      {more > 0 && (
        <AriaButton
          className={styles.alias ?? ''}
          aria-label={words.allAliases(row.name)}
          excludeFromTabOrder={tab < 0}
          data-control="aliases"
          onPress={() => actions.showAliases(row)}
        >
          {words.andMore(more)}
        </AriaButton>
      )}
    </span>
  );
});

type AliasNameProps = { alias: LocationAlias; tab: 0 | -1; edit: PlaceActions['editAlias'] };

function AliasName({ alias, tab, edit }: AliasNameProps) {
  const { id, name, deviceIs } = alias;
  const drawn = (
    <>
      <ArrowPaper arrow={arrowToPlace(deviceIs)} />
      <span className={styles.notes}>{name}</span>
    </>
  );
  if (edit === undefined) {
    return (
      <span className={styles.alias} title={`${name}: ${deviceIs}`}>
        {drawn}
      </span>
    );
  }
  return (
    <AriaButton
      className={styles.alias ?? ''}
      aria-label={words.edit(name)}
      excludeFromTabOrder={tab < 0}
      data-control={`alias ${id}`}
      onPress={() => edit(alias)}
    >
      {drawn}
    </AriaButton>
  );
}

export const BatteryCell = ofDevice(function BatteryOfDevice({ row }: OfDevice) {
  const device = useLive(row);
  const { battery, voltage } = device;
  return (
    <Figures device={device} row={row} care="lowBattery" value={battery}>
      <Gauge percent={battery ?? 0} />
      <span className={styles.figures}>
        <span>{texts.panel.battery(battery ?? 0)}</span>
        {voltage !== null && <span className={parts.plain}>{texts.panel.volts(voltage)}</span>}
      </span>
    </Figures>
  );
});

export const SignalCell = ofDevice(function SignalOfDevice({ row }: OfDevice) {
  const device = useLive(row);
  const { online, rssi } = device;
  return (
    <Figures device={device} row={row} care="weakSignal" value={online ? rssi : null}>
      <SignalBars dbm={rssi ?? 0} />
      <span>{texts.panel.dbm(rssi ?? 0)}</span>
    </Figures>
  );
});

type FiguresProps = { device: Device; row: PlaceRow; care: Care; value: number | null; children: ReactNode };

function Figures({ device, row, care, value, children }: FiguresProps) {
  return (
    <span className={styles.measured} data-care={wantsCare(device, care, row.limits) || undefined}>
      <Unknown value={value}>{children}</Unknown>
    </span>
  );
}

export const SeenCell = ofDevice(function SeenOfDevice({ row }: OfDevice) {
  const device = useLive(row);
  const seen = useTimed((now) => seenWords(device, now));
  return (
    <span className={styles.measured} data-care={!device.online || undefined}>
      {seen}
    </span>
  );
});

export const FirmwareCell = ofDevice(function FirmwareOfDevice({ row }: OfDevice) {
  const { firmware } = useLive(row);
  return <Unknown value={firmware || null}>{firmware}</Unknown>;
});

export const GatewayCell = ofDevice(function GatewayOfDevice({ row }: OfDevice) {
  const { turbo } = useLive(row);
  return (
    <Unknown value={turbo}>
      <span className={styles.notes} title={turbo ?? undefined}>
        {turbo}
      </span>
    </Unknown>
  );
});

export const UptimeCell = ofDevice(function UptimeOfDevice({ row }: OfDevice) {
  const device = useLive(row);
  const uptime = useTimed((now) => formatAgo(uptimeMs(device, now) ?? 0));
  return <Unknown value={device.online ? device.up_since : null}>{uptime}</Unknown>;
});

const ICONS: Record<Care, LucideIcon> = { silent: WifiOff, lowBattery: BatteryLow, weakSignal: SignalLow };

export function StateCell({ row }: Cell) {
  return hasDevice(row) ? <DeviceState row={row} /> : <State icon={CircleDashed} said={words.noDevice} />;
}

function DeviceState({ row }: { row: PlaceRow }) {
  const care = firstCare(useLive(row), row.limits);
  return (
    <State
      icon={care === undefined ? Check : ICONS[care]}
      said={care === undefined ? words.well : words.cares[care]}
      care={care}
    />
  );
}

function State({ icon: Icon, said, care }: { icon: LucideIcon; said: string; care?: Care | undefined }) {
  return (
    <span className={styles.tag} data-care={care}>
      <Icon size={15} aria-hidden="true" />
      <span className={styles.tagWords}>{said}</span>
    </span>
  );
}

/** Renders the children or, for an unknown value, a dash that screen readers read as "unknown". */
function Unknown({ value, children }: { value: unknown; children: ReactNode }) {
  if (value !== null) return children;
  return (
    <span className={parts.plain}>
      <span aria-hidden="true">{words.unknown}</span>
      <span className="visuallyHidden">{words.notKnown}</span>
    </span>
  );
}

/**
 * Reports younger than this are shown as "now": healthy devices report every few seconds, and changing numbers would
 * distract.
 */
const NOW_MS = 60_000;

function seenWords({ online, last_seen }: Device, now: number): string {
  if (last_seen === null) return words.never;
  const ms = now - Date.parse(last_seen);
  return online && ms < NOW_MS ? words.now : words.ago(formatAgo(ms));
}

/** The charge of a battery. Hidden from screen readers, because the number is next to it. */
function Gauge({ percent }: { percent: number }) {
  return (
    <span className={styles.gaugesBattery} aria-hidden="true">
      <span className={styles.charge} style={{ width: `${percent}%` }} />
    </span>
  );
}

/** Signal strength in dBm above which each bar is full. */
const BARS = [-100, -85, -75, -65] as const;

/** The signal strength in four bars. Hidden from screen readers, because the number is next to it. */
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
