import { useRouteId } from '../../station/addresses.ts';
import { SequencesView } from './SequencesView.tsx';
import { SequenceView } from './SequenceView.tsx';

/** Where does it stand, or why does it halt? */
export function SequencesPage() {
  const id = useRouteId();
  return id === undefined ? <SequencesView /> : <SequenceView key={id} id={id} />;
}
