import { useLocation } from 'wouter';
import { BatteriesView } from './BatteriesView.tsx';
import { DevicesView } from './DevicesView.tsx';

/** Which devices need care? */
export function DevicesPage() {
  const [path] = useLocation();
  return path.startsWith('/places/batteries') ? <BatteriesView /> : <DevicesView />;
}
