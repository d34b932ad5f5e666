import { lazy, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { useSelection } from '../../station/addresses.ts';
import { BesidePanel } from '../../shop/devicePanel/BesidePanel.tsx';
import * as texts from '../../words/texts.ts';
import { PlacesView } from './PlacesView.tsx';

const LabelsView = lazy(async () => {
  const { LabelsView: component } = await import('../../shop/labels/LabelsView.tsx');
  return { default: component };
});

const BatteriesView = lazy(async () => {
  const { BatteriesView: component } = await import('./BatteriesView.tsx');
  return { default: component };
});

const LABELS = ['place', 'both'] as const;
const BACK = { words: texts.locations.printing.back, to: '/places' };

/** The Places page: places with their devices, batteries to change, and labels to print. */
export function PlacesPage() {
  const [path, navigate] = useLocation();
  /** Keys of the labels to print, or undefined for all labels. */
  const [printed, setPrinted] = useState<readonly string[]>();
  const { selected, select } = useSelection('places');
  const close = useCallback(() => {
    const left = selected;
    select(undefined);
    if (left === undefined) return;
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-control="device"][href*="${left}"]`)?.focus(),
    );
  }, [selected, select]);
  const print = useCallback(
    (keys: readonly string[] | undefined) => {
      setPrinted(keys);
      navigate('/places/print');
    },
    [navigate],
  );

  if (path === '/places/print') return <LabelsView keys={printed} templates={LABELS} back={BACK} />;
  if (path === '/places/batteries') return <BatteriesView />;
  return (
    <BesidePanel selected={selected} close={close}>
      <PlacesView print={print} />
    </BesidePanel>
  );
}
