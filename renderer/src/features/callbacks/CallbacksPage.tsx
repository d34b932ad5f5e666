import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { useSettings } from '../../station/useSettings.ts';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import layout from '../../kit/page/Page.module.css';
import { ReceiverStrip } from '../../shop/ReceiverStrip.tsx';
import { Strip } from '../../kit/feedback/Strip.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import styles from './callbacks.module.css';
import { DeliveryList, type NamedReceiver } from './DeliveryList.tsx';
import { DeliveryView } from './DeliveryView.tsx';
import { Destination } from './Destination.tsx';
import { type DeliveryFilter } from './useDeliveries.ts';

const words = texts.callbacks;
/**
 * Address of the receivers. In a narrow window, they replace the list; otherwise, they are next to the list while no
 * delivery is open.
 */
const TO = '/connections/callbacks/to';

/** The Callbacks page, which shows deliveries and receivers. */
export function CallbacksPage() {
  const isAdmin = useRight('manage_callbacks');
  return (
    <div className={layout.page}>
      <div>
        {isAdmin ? <Head /> : <PageHeader title={words.title} />}
        <ReceiverStrip />
      </div>
      <main className={styles.content}>{isAdmin ? <Deliveries /> : <AdminOnly {...words.adminOnly} />}</main>
    </div>
  );
}

function Head() {
  const { api } = useStationContext();
  const { value: counts } = useStationQuery(['deliveryCounts'], () => api.countCallbacks());
  return (
    <>
      <PageHeader
        title={words.title}
        note={
          <span role="status" data-whole>
            {counts === undefined ? '' : words.note(counts.pending, counts.dead)}
          </span>
        }
      >
        {counts !== undefined && counts.dead > 0 && <ReplayAll count={counts.dead} />}
        <ButtonLink words={words.to.title} to={TO} look="plain" />
      </PageHeader>
      {counts !== undefined && counts.held !== null && (
        <div role="status">
          <Strip icon={KeyRound} needsCare>
            {counts.held}
          </Strip>
        </div>
      )}
    </>
  );
}

function ReplayAll({ count }: { count: number }) {
  const { api, toasts } = useServices();
  const { value: settings } = useSettings();
  const [asks, setAsks] = useState(false);
  const { value: further = [] } = useStationQuery(['callbackReceivers'], () => api.listCallbackReceivers());
  const receivers = [
    ...[settings?.callback_url ?? '', settings?.mqtt_url ?? ''].filter((url) => url !== ''),
    ...further.filter(({ failed }) => failed > 0).map(({ name }) => name),
  ];
  return (
    <>
      <Button onPress={() => setAsks(true)}>{words.replayAll(count)}</Button>
      <ConfirmDialog
        title={words.replayAllTitle(count)}
        body={words.replayAllBody(receivers)}
        confirm={words.replayAllConfirm}
        isOpen={asks}
        onConfirm={async () => {
          const { replayed } = await api.replayDeadCallbacks({ body: { state: 'dead' } });
          toasts.show(words.replayedAll(replayed));
        }}
        onClose={() => setAsks(false)}
      />
    </>
  );
}

/** Returns the receivers that are configured in the settings. */
function ofSettings({ callback_url, mqtt_url }: SettingsAnswer): NamedReceiver[] {
  return [
    ...(callback_url === '' ? [] : [{ id: 'http', name: words.receivers['http'] ?? '' }]),
    ...(mqtt_url === '' ? [] : [{ id: 'mqtt', name: words.receivers['mqtt'] ?? '' }]),
  ];
}

/** The list of deliveries, with the open delivery next to it. A narrow window shows only one of the two. */
function Deliveries() {
  const { api } = useStationContext();
  const [path] = useLocation();
  const [wanted, setWanted] = useState<DeliveryFilter>({ state: 'all', family: 'all', receiver: 'all' });
  const settings = useSettings();
  const { value: further } = useStationQuery(['callbackReceivers'], () => api.listCallbackReceivers());
  const [, open = ''] = /^\/connections\/callbacks\/([^/]+)/.exec(path) ?? [];
  const isTo = open === '' || path.startsWith(TO);
  return (
    <div className={styles.columns} data-open={open !== '' || undefined}>
      <div className={styles.list}>
        <DeliveryList
          wanted={wanted}
          onWanted={setWanted}
          open={open}
          receivers={settings.value && further && [...ofSettings(settings.value), ...further]}
        />
      </div>
      <div className={styles.pane}>
        {open !== '' && (
          <ButtonLink words={words.open.back} to="/connections/callbacks" className={styles.back ?? ''} look="plain" />
        )}
        {isTo ? <Destination settings={settings} /> : <DeliveryView key={open} id={open} />}
      </div>
    </div>
  );
}
