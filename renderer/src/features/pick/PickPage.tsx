import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRouteId } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useAwake } from '../../kit/useAwake.ts';
import { ChooseOrder } from './ChooseOrder.tsx';
import { PickOrder } from './PickOrder.tsx';
import type { Said } from './sessionTypes.ts';

/** What do I do next? For a bench monitor, a tablet on a cart or a phone: one instruction at a time. */
export function PickPage() {
  const orderNumber = useRouteId();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [, navigate] = useLocation();
  const [before, setBefore] = useState<{ of: string | undefined; said: Said | undefined }>();
  const open = (number: string | undefined, said?: Said) => {
    setBefore({ of: number, said });
    navigate(number === undefined ? '/pick' : `/pick/${encodeURIComponent(number)}`);
  };
  useAwake();
  return orderNumber === undefined ? (
    <ChooseOrder open={open} />
  ) : (
    <PickOrder
      key={`${me}/${orderNumber}`}
      orderNumber={orderNumber}
      open={open}
      said={before?.of === orderNumber ? before.said : undefined}
    />
  );
}
