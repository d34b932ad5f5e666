import { Grid3x3, ShoppingCart } from 'lucide-react';
import type { BatchProgress } from '#shared/api/batch.ts';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { useDenied } from '../../kit/denied.ts';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import page from '../../kit/list/ListPage.module.css';
import list from '../../kit/list/lists.module.css';
import { BackButton, Denied, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { ListPart, Rows } from '../../shop/ListPart.tsx';
import { packAddress, useRouteId } from '../../station/addresses.ts';
import { useStationContext } from '../../station/context.ts';
import { type KnownCarrier, useCarriers } from '../../station/useCarriers.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { pack as words } from '../../words/pack.ts';
import { carts } from '../../words/carts.ts';
import * as texts from '../../words/texts.ts';
import { PackBatch } from './PackBatch.tsx';

/** The Pack page. Shows the complete slots of the wall or cart in the address, or a choice of walls and carts. */
export function PackPage() {
  const denied = useDenied('work');
  const id = useRouteId();
  if (denied !== undefined) return <Denied title={texts.pages.pack.title} denied={denied} />;
  return id === undefined ? <Choice /> : <OneCarrier key={id} id={Number(id)} />;
}

function useCarriersAndBatches() {
  const { api } = useStationContext();
  const carriers = useCarriers();
  const batches = useStationQuery(['batches'], () => api.listBatches());
  return { carriers, batches };
}

/** Returns the unfinished batch that uses the slots of this wall or cart. */
function batchOf({ kind, id }: KnownCarrier, batches: readonly BatchProgress[]): BatchProgress | undefined {
  return batches.find(({ state, mode, [kind]: carrier }) => state !== 'done' && mode === kind && carrier === id);
}

function Choice() {
  const { carriers, batches } = useCarriersAndBatches();
  // List walls first, because people pack more often from walls.
  const shown = (carriers.value ?? []).toSorted((a, b) => Number(a.kind === 'cart') - Number(b.kind === 'cart'));
  return (
    <div className={page.page}>
      <PageHeader title={texts.pages.pack.title} />
      <main className={page.content}>
        <div className={page.inner}>
          <ListPart lead={words.lead} loaded={carriers}>
            <Rows
              label={words.list}
              nothing={<EmptyState picture={<Grid3x3 size={32} strokeWidth={1.6} />} {...words.none} />}
            >
              {shown.map((carrier) => {
                const { id, kind, name } = carrier;
                const batch = batchOf(carrier, batches.value ?? []);
                const Icon = kind === 'cart' ? ShoppingCart : Grid3x3;
                return (
                  <li key={id} className={list.row}>
                    <span className={list.sign} aria-hidden="true">
                      <Icon size={20} />
                    </span>
                    <p className={list.who}>
                      <span className={list.name}>{name}</span>
                      <span className={parts.quiet}>{carts.kinds[kind]}</span>
                    </p>
                    <p className={list.facts}>
                      <span className={parts.quiet}>
                        {batch === undefined ? words.noBatch : carts.batchStates[batch.state]}
                      </span>
                    </p>
                    <div className={list.do}>
                      <ButtonLink
                        to={packAddress(id)}
                        words={words.open}
                        aria-label={words.openOf(name)}
                        {...(batch === undefined ? {} : { look: 'primary' as const })}
                      />
                    </div>
                  </li>
                );
              })}
            </Rows>
          </ListPart>
        </div>
      </main>
    </div>
  );
}

function OneCarrier({ id }: { id: number }) {
  const { carriers, batches } = useCarriersAndBatches();
  const carrier = carriers.value?.find((each) => each.id === id);
  const batch = carrier && batches.value && batchOf(carrier, batches.value);
  if (carrier !== undefined && batch !== undefined) return <PackBatch key={batch.id} carrier={carrier} id={batch.id} />;
  const read = carriers.status === 'loaded' ? batches : carriers;
  return (
    <div className={page.page}>
      <PageHeader title={carrier === undefined ? texts.pages.pack.title : words.title(carrier.name)}>
        <BackButton words={words.back} to={pageAddress('pack')} />
      </PageHeader>
      <main className={page.content}>
        {read.status !== 'loaded' ? (
          <NotLoaded
            title={words.failed}
            of={{
              ...read,
              reload() {
                carriers.reload();
                batches.reload();
              },
            }}
          />
        ) : (
          <EmptyState
            picture={<Grid3x3 size={32} strokeWidth={1.6} />}
            {...(carrier === undefined ? words.unknown : words.idle)}
          />
        )}
      </main>
    </div>
  );
}
