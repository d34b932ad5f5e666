import {
  Bell,
  Boxes,
  Cable,
  ChartColumn,
  ClipboardList,
  LayoutGrid,
  type LucideIcon,
  MapPin,
  PackageCheck,
  PackageOpen,
  Settings,
} from 'lucide-react';
import { lazy, type ComponentType } from 'react';
import type { Right } from '#shared/api/rights.ts';
import { countOrderAttention, countStuck, countUnseen } from '../station/alerts.ts';
import { type DestinationId, DESTINATIONS, type PageId, pageAddress } from '#shared/lib/station/pageRoutes.ts';
import type { RailPage } from './frame/Rail.tsx';
import type { ConnectionSettings } from '../features/settings/ConnectionSettingsPage.tsx';
import * as texts from '../words/texts.ts';

/** A page. Its addresses are in `shared/lib/station/pageRoutes.ts`. */
export type Page = {
  id: PageId;
  word: string;
  /** Additional search terms for the page. */
  also?: string;
  /** The rail entry that contains the page, or undefined if only links and the search lead to the page. */
  destination?: DestinationId;
  /** The badge number on the rail entry and the text that screen readers read for it. */
  count?: RailPage['count'];
  component: ComponentType;
  /** The right required to see the page in the rail. People without this right who open the page see which right is missing. */
  right?: Right;
  /** Whether the page exists only at stations that show their fleet. */
  ofFleet?: true;
  /** Whether the page is in the rail only if the shop has carts or walls. */
  ofCarriers?: true;
  /** Whether the page is listed only for people who have switched advanced pages on. */
  isAdvanced?: true;
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

const ArticlesPage = lazy(async () => {
  const { ArticlesPage: component } = await import('../features/articles/ArticlesPage.tsx');
  return { default: component };
});

const SequencesPage = lazy(async () => {
  const { SequencesPage: component } = await import('../features/sequences/SequencesPage.tsx');
  return { default: component };
});

const PlacesPage = lazy(async () => {
  const { PlacesPage: component } = await import('../features/places/PlacesPage.tsx');
  return { default: component };
});

const ImportPage = lazy(async () => {
  const { ImportPage: component } = await import('../features/import/ImportPage.tsx');
  return { default: component };
});

const GatewaysPage = lazy(async () => {
  const { GatewaysPage: component } = await import('../features/gateways/GatewaysPage.tsx');
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

const PeoplePage = lazy(async () => {
  const { PeoplePage: component } = await import('../features/people/PeoplePage.tsx');
  return { default: component };
});

const ProgramsPage = lazy(async () => {
  const { ProgramsPage: component } = await import('../features/people/ProgramsPage.tsx');
  return { default: component };
});

const SettingsOf = {
  callbackSettings: settingsPage('callbacks'),
  mqtt: settingsPage('mqtt'),
  folders: settingsPage('folders'),
  mail: settingsPage('mail'),
};

/** Creates a Connections page that consists of settings. */
function settingsPage(page: ConnectionSettings): ComponentType {
  return lazy(async () => {
    const { ConnectionSettingsPage } = await import('../features/settings/ConnectionSettingsPage.tsx');
    return { default: () => <ConnectionSettingsPage page={page} /> };
  });
}

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

const CartsPage = lazy(async () => {
  const { CartsPage: component } = await import('../features/carts/CartsPage.tsx');
  return { default: component };
});

const PackPage = lazy(async () => {
  const { PackPage: component } = await import('../features/pack/PackPage.tsx');
  return { default: component };
});

const words = texts.pages;

/** All pages. Pages of the same destination are in tab order. */
export const PAGES: readonly Page[] = [
  { id: 'today', destination: 'today', ...named(words.today), component: StationPage },
  {
    id: 'orders',
    destination: 'orders',
    ...named(words.orders),
    component: OrdersPage,
    count: { of: countOrderAttention, words: words.orders.waiting },
  },
  { id: 'pick', destination: 'pick', ...named(words.pick), component: PickPage },
  { id: 'articles', destination: 'articles', ...named(words.articles), component: ArticlesPage },
  { id: 'places', destination: 'places', ...named(words.places), component: PlacesPage },
  { id: 'setUp', destination: 'places', ...named(words.setUp), right: 'edit_labels', component: SetupDevicesPage },
  { id: 'carts', destination: 'places', ...named(words.carts), component: CartsPage },
  { id: 'pack', destination: 'pack', ...named(words.pack), right: 'work', ofCarriers: true, component: PackPage },
  { id: 'history', destination: 'history', ...named(words.history), component: HistoryPage },
  { id: 'gateways', destination: 'connections', ...named(words.gateways), component: GatewaysPage },
  {
    id: 'programs',
    destination: 'connections',
    ...named(words.programs),
    right: 'manage_people',
    component: ProgramsPage,
  },
  {
    id: 'callbacks',
    destination: 'connections',
    ...named(words.callbacks),
    right: 'manage_callbacks',
    component: CallbacksPage,
    count: { of: countStuck, words: words.callbacks.waiting },
  },
  {
    id: 'callbackSettings',
    destination: 'connections',
    ...named(words.callbackSettings),
    right: 'change_settings',
    component: SettingsOf.callbackSettings,
  },
  {
    id: 'mqtt',
    destination: 'connections',
    ...named(words.mqtt),
    right: 'change_settings',
    component: SettingsOf.mqtt,
  },
  {
    id: 'folders',
    destination: 'connections',
    ...named(words.folders),
    right: 'change_settings',
    component: SettingsOf.folders,
  },
  {
    id: 'mail',
    destination: 'connections',
    ...named(words.mail),
    right: 'change_settings',
    component: SettingsOf.mail,
  },
  { id: 'sequences', destination: 'connections', ...named(words.sequences), component: SequencesPage },
  { id: 'fleet', destination: 'connections', ...named(words.fleet), ofFleet: true, component: FleetPage },
  {
    id: 'developer',
    destination: 'connections',
    ...named(words.developer),
    right: 'diagnose',
    isAdvanced: true,
    component: DeveloperPage,
  },
  { id: 'settings', destination: 'settings', ...named(words.settings), component: SettingsPage },
  { id: 'people', destination: 'settings', ...named(words.people), right: 'manage_people', component: PeoplePage },
  {
    id: 'alerts',
    ...named(words.alerts),
    component: AlertsPage,
    count: { of: countUnseen, words: words.alerts.unseen },
  },
  { id: 'import', ...named(words.import), right: 'import_orders', component: ImportPage },
  { id: 'help', ...named(words.help), component: HelpPage },
  { id: 'licences', ...named(words.licences), component: LicencesPage },
  { id: 'locate', ...named(words.locate), component: LocatePage },
  { id: 'scanner', ...named(words.scanner), component: ScannerPage },
];

function named({ title, also }: { title: string; also?: string }): Pick<Page, 'word' | 'also'> {
  return also === undefined ? { word: title } : { word: title, also };
}

const ICONS: Readonly<Record<DestinationId, LucideIcon>> = {
  today: LayoutGrid,
  orders: ClipboardList,
  pick: PackageCheck,
  pack: PackageOpen,
  articles: Boxes,
  places: MapPin,
  history: ChartColumn,
  connections: Cable,
  settings: Settings,
};

/**
 * Returns the rail entries. Each entry opens the first page of its destination, and its badge shows the sum of the
 * counts of the destination's pages.
 */
export function destinationsOf(pages: readonly Page[], hasCarriers: boolean): RailPage[] {
  return DESTINATIONS.flatMap((id) => {
    const own = pages.filter(
      ({ destination, ofCarriers = false }) => destination === id && (hasCarriers || !ofCarriers),
    );
    const [first] = own;
    if (first === undefined) return [];
    const counts = own.flatMap(({ count }) => count ?? []);
    return {
      id,
      href: pageAddress(first.id),
      word: texts.rail.destinations[id],
      icon: ICONS[id],
      ...(counts.length === 0 ? {} : { count: summed(counts) }),
    };
  });
}

/** Returns the rail entry of the bell, which leads to the alerts, or undefined if the person cannot see alerts. */
export function bellOf(pages: readonly Page[]): RailPage | undefined {
  const alerts = pages.find(({ id }) => id === 'alerts');
  if (alerts?.count === undefined) return undefined;
  return { id: 'alerts', href: pageAddress('alerts'), word: alerts.word, icon: Bell, count: alerts.count };
}

function summed(counts: readonly NonNullable<RailPage['count']>[]): NonNullable<RailPage['count']> {
  const [only] = counts;
  if (only !== undefined && counts.length === 1) return only;
  return { of: (state) => counts.reduce((sum, { of }) => sum + of(state), 0), words: texts.rail.waiting };
}
