import { useState } from 'react';
import { useLocation } from 'wouter';
import { useDenied } from '../../station/context.ts';
import { Denied } from '../../ui/Denied.tsx';
import { texts } from '../../ui/texts.ts';
import { ImportView } from './ImportView.tsx';
import { PrintView } from './PrintView.tsx';
import { NOTHING_CHOSEN, PlacesView } from './PlacesView.tsx';

/** Which device stands for which place? */
export function LocationsPage() {
  const [path, navigate] = useLocation();
  const denied = useDenied('import');
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  /** What is printed; undefined: every place with a name. */
  const [printed, setPrinted] = useState<readonly string[]>();

  if (path === '/locations/import') {
    if (denied !== undefined) return <Denied title={texts.locations.importing.title} denied={denied} />;
    return <ImportView finish={() => navigate('/locations')} />;
  }
  if (path === '/locations/print') return <PrintView keys={printed} />;
  return (
    <PlacesView
      chosen={chosen}
      setChosen={setChosen}
      print={(keys) => {
        setPrinted(keys);
        navigate('/locations/print');
      }}
    />
  );
}
