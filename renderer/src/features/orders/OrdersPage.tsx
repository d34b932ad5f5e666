import { lazy, useCallback, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useRouteId } from '../../station/addresses.ts';
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

/** The Orders page, which shows the list, one order, or what to print. */
export function OrdersPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const view = new URLSearchParams(useSearch()).get('view');
  /** Numbers of the orders to print, or undefined before any were chosen. */
  const [printed, setPrinted] = useState<readonly string[]>();
  const printAll = useCallback(
    (numbers: readonly string[]) => {
      setPrinted(numbers);
      navigate(`/orders?view=${PRINT_VIEW}`);
    },
    [navigate],
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
