import {
  BatteryMedium,
  Bell,
  ChartColumn,
  CircleQuestionMark,
  ClipboardList,
  LayoutGrid,
  Lightbulb,
  ListOrdered,
  MapPin,
  MapPinPlus,
  Network,
  PackageCheck,
  RadioTower,
  Scale,
  ScanBarcode,
  Settings,
  SquareTerminal,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { lazy, type ComponentType } from 'react';
import type { Right } from '#shared/api/rights.ts';
import { countOrderAttention, countStuck, countUnseen } from '../station/alerts.ts';
import type { RailPage } from './frame/Rail.tsx';
import * as texts from '../words/texts.ts';

/** A page. Its addresses are in `shared/lib/pagePaths.ts`. */
export type Page = RailPage & {
  component: ComponentType;
  /** Only those who have it see the page in the rail; the page itself tells others why. */
  right?: Right;
  /** Rail and palette have it only where the station shows all stations. */
  ofFleet?: true;
};

const StationPage = lazy(async () => {
  const { StationPage: component } = await import('../features/station/StationPage.tsx');
  return { default: component };
});

const SettingsPage = lazy(async () => {
  const { SettingsPage: component } = await import('../features/settings/SettingsPage.tsx');
  return { default: component };
});

const AlertsPage = lazy(async () => {
  const { AlertsPage: component } = await import('../features/alerts/AlertsPage.tsx');
  return { default: component };
});

const OrdersPage = lazy(async () => {
  const { OrdersPage: component } = await import('../features/orders/OrdersPage.tsx');
  return { default: component };
});

const SequencesPage = lazy(async () => {
  const { SequencesPage: component } = await import('../features/sequences/SequencesPage.tsx');
  return { default: component };
});

const LocationsPage = lazy(async () => {
  const { LocationsPage: component } = await import('../features/locations/LocationsPage.tsx');
  return { default: component };
});

const DevicesPage = lazy(async () => {
  const { DevicesPage: component } = await import('../features/devices/DevicesPage.tsx');
  return { default: component };
});

const TurbosPage = lazy(async () => {
  const { TurbosPage: component } = await import('../features/turbos/TurbosPage.tsx');
  return { default: component };
});

const CallbacksPage = lazy(async () => {
  const { CallbacksPage: component } = await import('../features/callbacks/CallbacksPage.tsx');
  return { default: component };
});

const HistoryPage = lazy(async () => {
  const { HistoryPage: component } = await import('../features/history/HistoryPage.tsx');
  return { default: component };
});

const UsersPage = lazy(async () => {
  const { UsersPage: component } = await import('../features/users/UsersPage.tsx');
  return { default: component };
});

const DeveloperPage = lazy(async () => {
  const { DeveloperPage: component } = await import('../features/developer/DeveloperPage.tsx');
  return { default: component };
});

const HelpPage = lazy(async () => {
  const { HelpPage: component } = await import('../features/help/HelpPage.tsx');
  return { default: component };
});

const LicencesPage = lazy(async () => {
  const { LicencesPage: component } = await import('../features/licences/LicencesPage.tsx');
  return { default: component };
});

const PickPage = lazy(async () => {
  const { PickPage: component } = await import('../features/pick/PickPage.tsx');
  return { default: component };
});

const ScannerPage = lazy(async () => {
  const { ScannerPage: component } = await import('../features/scanner/ScannerPage.tsx');
  return { default: component };
});

const LocatePage = lazy(async () => {
  const { LocatePage: component } = await import('../features/locate/LocatePage.tsx');
  return { default: component };
});

const FleetPage = lazy(async () => {
  const { FleetPage: component } = await import('../features/fleet/FleetPage.tsx');
  return { default: component };
});

const SetupDevicesPage = lazy(async () => {
  const { SetupDevicesPage: component } = await import('../features/setupDevices/SetupDevicesPage.tsx');
  return { default: component };
});

/** The pages in the order of the rail: a new page is one row here and one in `pagePaths.ts`. */
export const PAGES: readonly Page[] = [
  { id: 'station', href: '/', word: texts.rail.station, icon: LayoutGrid, component: StationPage },
  {
    id: 'alerts',
    href: '/alerts',
    word: texts.pages.alerts.title,
    icon: Bell,
    component: AlertsPage,
    also: texts.pages.alerts.also,
    count: { of: countUnseen, words: texts.pages.alerts.unseen },
  },
  {
    id: 'fleet',
    href: '/fleet',
    word: texts.pages.fleet.title,
    icon: Network,
    component: FleetPage,
    also: texts.pages.fleet.also,
    ofFleet: true,
  },
  {
    id: 'orders',
    href: '/orders',
    word: texts.pages.orders.title,
    icon: ClipboardList,
    component: OrdersPage,
    also: texts.pages.orders.also,
    count: { of: countOrderAttention, words: texts.pages.orders.waiting },
  },
  {
    id: 'pick',
    href: '/pick',
    word: texts.pages.pick.title,
    icon: PackageCheck,
    component: PickPage,
    also: texts.pages.pick.also,
  },
  {
    id: 'sequences',
    href: '/sequences',
    word: texts.pages.sequences.title,
    icon: ListOrdered,
    component: SequencesPage,
    also: texts.pages.sequences.also,
  },
  { id: 'locations', href: '/locations', word: texts.pages.locations.title, icon: MapPin, component: LocationsPage },
  {
    id: 'devices',
    href: '/devices',
    word: texts.pages.devices.title,
    icon: BatteryMedium,
    component: DevicesPage,
    also: texts.pages.devices.also,
  },
  {
    id: 'turbos',
    href: '/turbos',
    word: texts.pages.turbos.title,
    icon: RadioTower,
    component: TurbosPage,
    also: texts.pages.turbos.also,
  },
  {
    id: 'callbacks',
    href: '/callbacks',
    word: texts.pages.callbacks.title,
    icon: Webhook,
    component: CallbacksPage,
    right: 'manage_callbacks',
    count: { of: countStuck, words: texts.pages.callbacks.waiting },
    also: texts.pages.callbacks.also,
  },
  {
    id: 'history',
    href: '/history',
    word: texts.pages.history.title,
    icon: ChartColumn,
    component: HistoryPage,
    also: texts.pages.history.also,
  },
  {
    id: 'users',
    href: '/users',
    word: texts.pages.users.title,
    icon: UsersRound,
    component: UsersPage,
    right: 'manage_people',
    also: texts.pages.users.also,
  },
  {
    id: 'developer',
    href: '/developer',
    word: texts.pages.developer.title,
    icon: SquareTerminal,
    component: DeveloperPage,
    right: 'diagnose',
    also: texts.pages.developer.also,
  },
  { id: 'settings', href: '/settings', word: texts.rail.settings, icon: Settings, component: SettingsPage },
  {
    id: 'help',
    href: '/help',
    word: texts.pages.help.title,
    icon: CircleQuestionMark,
    component: HelpPage,
    also: texts.pages.help.also,
    isOutsideRail: true,
  },
  {
    id: 'licences',
    href: '/licences',
    word: texts.pages.licences.title,
    icon: Scale,
    component: LicencesPage,
    also: texts.pages.licences.also,
    isOutsideRail: true,
  },
  {
    id: 'locate',
    href: '/locate',
    word: texts.pages.locate.title,
    icon: Lightbulb,
    component: LocatePage,
    also: texts.pages.locate.also,
    isOutsideRail: true,
  },
  {
    id: 'scanner',
    href: '/scanner',
    word: texts.pages.scanner.title,
    icon: ScanBarcode,
    component: ScannerPage,
    also: texts.pages.scanner.also,
    isOutsideRail: true,
  },
  {
    id: 'setupDevices',
    href: '/setup-devices',
    word: texts.pages.setUp.title,
    icon: MapPinPlus,
    component: SetupDevicesPage,
    right: 'edit_labels',
    also: texts.pages.setUp.also,
    isOutsideRail: true,
  },
];
