import { lazy } from 'react';
import { useRouteId } from '../../station/addresses.ts';
import { OrdersView } from './OrdersView.tsx';
import { OrderView } from './OrderView.tsx';

const OrderPrint = lazy(async () => {
  const { OrderPrint: component } = await import('./OrderPrint.tsx');
  return { default: component };
});

const PRINT = /^\/orders\/[^/]+\/print\/?$/;

/** The Orders page, which shows the list or one order. */
export function OrdersPage() {
  const orderNumber = useRouteId();
  if (orderNumber === undefined) return <OrdersView />;
  const isPrint = PRINT.test(window.location.pathname);
  if (isPrint) return <OrderPrint key={orderNumber} orderNumber={orderNumber} />;
  return <OrderView key={orderNumber} orderNumber={orderNumber} />;
}
