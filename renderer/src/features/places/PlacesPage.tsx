import { lazy, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { useDenied } from '../../kit/denied.ts';
import { Denied } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import { ImportPage } from '../../import/ImportPage.tsx';
import { LOCATION_FILES } from './locationImport.tsx';
import { PlacesView } from './PlacesView.tsx';

const PrintView = lazy(async () => {
  const { PrintView: component } = await import('../../shop/place/PrintView.tsx');
  return { default: component };
});

const BatteriesView = lazy(async () => {
  const { BatteriesView: component } = await import('./BatteriesView.tsx');
  return { default: component };
});

/** Which device serves which place, and which of them needs care? */
export function PlacesPage() {
  const [path, navigate] = useLocation();
  const denied = useDenied('import_locations');
  /** What is printed; undefined: every place with a name. */
  const [printed, setPrinted] = useState<readonly string[]>();
  const print = useCallback(
    (keys: readonly string[] | undefined) => {
      setPrinted(keys);
      navigate('/places/print');
    },
    [navigate],
  );

  if (path === '/places/import') {
    if (denied !== undefined) return <Denied title={texts.locations.importing.title} denied={denied} />;
    return <ImportPage kind={LOCATION_FILES} finish={() => navigate('/places')} />;
  }
  if (path === '/places/print') return <PrintView keys={printed} />;
  return path === '/places/batteries' ? <BatteriesView /> : <PlacesView print={print} />;
}
