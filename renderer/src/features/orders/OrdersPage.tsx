import { lazy } from 'react';
import { useLocation } from 'wouter';
import { ORDER_IMPORT, useRouteId } from '../../station/addresses.ts';
import { useDenied } from '../../kit/denied.ts';
import { Denied } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import { ImportPage } from '../../import/ImportPage.tsx';
import { ORDER_FILES } from './orderImport.tsx';
import { OrdersView } from './OrdersView.tsx';
import { OrderView } from './OrderView.tsx';

const OrderPrint = lazy(async () => {
  const { OrderPrint: component } = await import('./OrderPrint.tsx');
  return { default: component };
});

const PRINT = /^\/orders\/[^/]+\/print\/?$/;

/** How far is each order? */
export function OrdersPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const denied = useDenied('import_orders');
  if (orderNumber === undefined) return <OrdersView />;
  const isPrint = PRINT.test(window.location.pathname);
  if (isPrint) return <OrderPrint key={orderNumber} orderNumber={orderNumber} />;
  // The router's path is decoded: an order of that number would look alike.
  if (window.location.pathname.replace(/\/$/, '') !== ORDER_IMPORT) {
    return <OrderView key={orderNumber} orderNumber={orderNumber} />;
  }
  if (denied !== undefined) return <Denied title={texts.orderImport.title} denied={denied} />;
  return <ImportPage kind={ORDER_FILES} finish={() => navigate('/orders')} />;
}
