import { useNamed } from '../work/addresses.ts';
import { OrdersView } from './OrdersView.tsx';
import { OrderView } from './OrderView.tsx';

/** How far is each order? */
export function OrdersPage() {
  const orderNumber = useNamed();
  return orderNumber === undefined ? <OrdersView /> : <OrderView key={orderNumber} orderNumber={orderNumber} />;
}
