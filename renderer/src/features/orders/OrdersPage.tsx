import { lazy, useCallback, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useServices } from '../../shop/toasts.ts';
import { useRouteId } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';
import { OrdersView } from './OrdersView.tsx';
import { OrderView } from './OrderView.tsx';

const OrderPrint = lazy(async () => {
  const { OrderPrint: component } = await import('./OrderPrint.tsx');
  return { default: component };
});

const OrdersPrint = lazy(async () => {
  const { OrdersPrint: component } = await import('./OrderPrint.tsx');
  return { default: component };
});

const PRINT = /^\/orders\/[^/]+\/print\/?$/;

const PRINT_VIEW = 'print';
/** Maximum number of orders to print together. */
const MAX_PRINTED = 200;

/** The Orders page, which shows the list, one order, or what to print. */
export function OrdersPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const { toasts } = useServices();
  const view = new URLSearchParams(useSearch()).get('view');
  /** Numbers of the orders to print, or undefined before any were chosen. */
  const [printed, setPrinted] = useState<readonly string[]>();
  const printAll = useCallback(
    (numbers: readonly string[]) => {
      if (numbers.length > MAX_PRINTED) return toasts.fail(texts.orders.printing.tooMany(MAX_PRINTED));
      setPrinted(numbers);
      return navigate(`/orders?view=${PRINT_VIEW}`);
    },
    [navigate, toasts],
  );
  if (orderNumber === undefined)
    return view === PRINT_VIEW && printed !== undefined ? (
      <OrdersPrint numbers={printed} />
    ) : (
      <OrdersView printAll={printAll} />
    );
  const isPrint = PRINT.test(window.location.pathname);
  if (isPrint) return <OrderPrint key={orderNumber} orderNumber={orderNumber} />;
  return <OrderView key={orderNumber} orderNumber={orderNumber} />;
}
