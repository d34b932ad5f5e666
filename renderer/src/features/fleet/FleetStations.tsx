import { Bell, Network, Send, Unplug } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { FleetAnswer } from '#shared/api/fleet.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { SearchedProvider } from '../../kit/Marked.tsx';
import { Strip } from '../../kit/feedback/Strip.tsx';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { useListParams, useListSearch } from '../../kit/list/useListParams.ts';
import { useServices } from '../../shop/toasts.ts';
import { NewOrderDialog } from '../../shop/order/NewOrderDialog.tsx';
import { FoundList } from './FoundList.tsx';
import * as rowsOf from './fleetRows.ts';
import { StationTable } from './StationTable.tsx';
import { useFleetFind } from './useFleetFind.ts';

const words = texts.fleet;

/** The table of stations or, during a search, the search results. */
export function FleetStations({ fleet }: { fleet: FleetAnswer }) {
  const { toasts } = useServices();
  const [, navigate] = useLocation();
  const search = useListSearch();
  const { filter, setFilter } = useListParams(rowsOf.FILTERS, 'all');
  const rows = useMemo(() => rowsOf.fleetRows(fleet.stations), [fleet.stations]);
  const counts = useMemo(() => rowsOf.countFilters(rows), [rows]);
  const shown = useMemo(() => rows.filter((row) => rowsOf.isLeft(row, filter)), [rows, filter]);
  const wanted = search.typed.trim();
  const found = useFleetFind(wanted);
  const hits = useMemo(
    () => (wanted === '' ? [] : rowsOf.fleetHits(rows, found.value ?? [], wanted)),
    [rows, found.value, wanted],
  );
  const [isSending, setSending] = useState(false);
  const online = fleet.stations.filter(({ availability, protocol }) => availability === 'online' && protocol !== null);
  const isConnected = fleet.state === 'connected';

  const own = fleet.stations.find((station) => station.own)?.station ?? '';
  const isNothing = hits.length === 0 && !found.isUnderWay && found.status !== 'failed';
  return (
    <TablePage
      words={words}
      note={
        wanted !== ''
          ? words.hits(hits.length)
          : filter === 'all'
            ? words.summary(rows.length, counts.away, counts.care)
            : words.some(shown.length, rows.length)
      }
      search={search}
      buttons={
        <>
          <Button
            icon={Bell}
            words={words.alerts(fleet.alerts.length)}
            onPress={() => navigate('/connections/stations/alerts')}
          />
          <Button
            icon={Send}
            look="primary"
            words={words.send}
            needs="create_orders"
            onPress={() => (online.length === 0 ? toasts.show(words.noneOnline) : setSending(true))}
          />
        </>
      }
      instead={
        rows.length === 0 && isConnected ? (
          <EmptyState picture={<Network size={36} strokeWidth={1.6} />} {...words.empty} />
        ) : undefined
      }
      above={
        !isConnected && (
          <Strip icon={Unplug} needsCare>
            {words.connection[fleet.state]} {fleet.problem}
          </Strip>
        )
      }
      filter={{ filters: rowsOf.FILTERS, counts, value: filter, onChange: setFilter }}
      table={
        wanted === ''
          ? shown.length > 0 && <StationTable rows={shown} isLast={!isConnected} />
          : !isNothing && (
              <SearchedProvider value={wanted}>
                <FoundList key={wanted} hits={hits} finding={found} own={own} />
              </SearchedProvider>
            )
      }
    >
      {isSending && (
        <NewOrderDialog
          close={() => setSending(false)}
          stations={online.map(({ station }) => ({ id: station, text: station }))}
        />
      )}
    </TablePage>
  );
}
