import { countText } from '#shared/lib/text/locale.ts';
import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import type { Alert } from '#shared/api/alert.ts';
import { ledOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { alertWords } from '../../shop/device/deviceWords.ts';
import { subjectHref, subjectName } from '../../shop/alertSubject.ts';
import { openAlerts } from '../../station/alerts.ts';
import { orderAddress } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useIsLate } from '../../station/useIsLate.ts';
import { useOpenOrders } from '../../station/useWork.ts';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { countLate, dayOf, type DayPicture, type PickerAtOrder } from './dayOf.ts';
import styles from './Day.module.css';

const StockFigures = lazy(async () => {
  const { StockFigures: component } = await import('./StockFigures.tsx');
  return { default: component };
});

const words = texts.day;
const FIGURES = ['open', 'in_progress', 'short', 'late'] as const;
/** Figures that are highlighted unless they are 0. */
const CARES: ReadonlySet<string> = new Set(['short', 'late']);
/** Number of alerts and pickers to list. A link tells how many more there are. */
const SHOWN = 3;

/** The day at a glance: waiting, running, short and late orders, pickers, and alerts. */
export function Day() {
  const open = useOpenOrders();
  const orders = open.value;
  const day = useMemo(() => orders && dayOf(orders), [orders]);
  const late = Number(useTimed((now) => String(countLate(orders ?? [], now))));
  return (
    <section className={styles.day} aria-label={words.title}>
      {day === undefined && <LoadFailure of={open} failed={words.failed} />}
      <div className={styles.stack}>
        {day !== undefined && <Figures day={{ ...day, late }} />}
        <Suspense fallback={null}>
          <StockFigures />
        </Suspense>
      </div>
      {day !== undefined && day.open + day.in_progress > 0 && <PickingList picking={day.picking} />}
      <Cares />
    </section>
  );
}

/** The numbers of waiting, running, short and late orders, each with a link to these orders. */
function Figures({ day }: { day: DayPicture & { late: number } }) {
  if (day.open + day.in_progress === 0) {
    return (
      <div className={styles.none}>
        <p>{words.none}</p>
        <ButtonLink words={words.import} to="/import?what=orders" />
      </div>
    );
  }
  return (
    <ul className={styles.figures}>
      {FIGURES.map((id) => (
        <li key={id}>
          <Link
            href={`/orders?show=${id}`}
            className={`${parts.card} ${styles.figure}`}
            data-care={(CARES.has(id) && day[id] > 0) || undefined}
          >
            <span className={styles.count}>{countText(day[id])}</span>
            <span className={styles.name}>{words.figures[id]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function PickingList({ picking }: { picking: readonly PickerAtOrder[] }) {
  return (
    <div className={styles.part}>
      <h2>{words.picking}</h2>
      {picking.length === 0 && <p className={parts.cut}>{words.nobody}</p>}
      <ul className={styles.list}>
        {picking.slice(0, SHOWN).map((each) => (
          <PickingLine key={`${each.picker} ${each.orderNumber}`} at={each} />
        ))}
      </ul>
      {picking.length > SHOWN && <Link href="/orders?show=in_progress">{words.more(picking.length - SHOWN)}</Link>}
    </div>
  );
}

function PickingLine({ at: { picker, color, orderNumber, done, all, isPaused, order } }: { at: PickerAtOrder }) {
  const isOverdue = useIsLate(order);
  return (
    <li className={styles.line}>
      <LedDot led={ledOf('pick', color)} />
      <span className={parts.clip}>{isPaused ? words.paused(picker) : picker}</span>
      <Link href={orderAddress(orderNumber)} className={parts.clip ?? ''}>
        {orderNumber}
      </Link>
      <span className={parts.figures}>{words.of(done, all)}</span>
      {isOverdue && <span className={parts.careStrong}>{words.figures.late}</span>}
    </li>
  );
}

/** Lists the alerts, except order alerts, which the figures already include. */
function Cares() {
  const alerts = useStationState(openAlerts);
  const others = useMemo(() => alerts.filter(({ kind }) => kind !== 'order_attention').toReversed(), [alerts]);
  return (
    <div className={styles.part} data-care={others.length > 0 || undefined}>
      <h2>{words.care}</h2>
      {others.length === 0 && <p>{words.allWell}</p>}
      <ul className={styles.list}>
        {others.slice(0, SHOWN).map((alert) => (
          <CareLine key={alert.id} alert={alert} />
        ))}
      </ul>
      {others.length > SHOWN && <Link href="/alerts">{words.more(others.length - SHOWN)}</Link>}
    </div>
  );
}

/** One alert, with a link to its subject. */
function CareLine({ alert }: { alert: Alert }) {
  const name = useStationState(({ station }) => subjectName(station, alert));
  return (
    <li className={styles.line}>
      <span className={parts.clip}>{alertWords(alert)}</span>
      <Link href={subjectHref(alert)} className={parts.clip ?? ''}>
        {name}
      </Link>
    </li>
  );
}
