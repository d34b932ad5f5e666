import { useState } from 'react';
import { useLocation } from 'wouter';
import { ImportView } from './ImportView.tsx';
import { PrintView } from './PrintView.tsx';
import { NOTHING_CHOSEN, PlacesView } from './PlacesView.tsx';

/** Which device stands for which place? */
export function LocationsPage() {
  const [path, navigate] = useLocation();
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  /** What is printed; undefined: every place with a name. */
  const [printed, setPrinted] = useState<readonly string[]>();

  if (path === '/locations/import') return <ImportView finish={() => navigate('/locations')} />;
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
