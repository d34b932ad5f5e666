import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRouteId } from '../../station/addresses.ts';
import { useAwake } from '../../ui/useAwake.ts';
import { ChooseOrder } from './ChooseOrder.tsx';
import { PickOrder } from './PickOrder.tsx';
import { useConfirmations } from './useConfirmations.ts';
import type { PickMessage } from './usePick.ts';

/** What do I do next? For a bench monitor, a tablet on a cart or a phone: one instruction at a time. */
export function PickPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const [said, setSaid] = useState<{ of: string | undefined; says: PickMessage | undefined }>();
  const open = (number: string | undefined, says?: PickMessage) => {
    setSaid({ of: number, says });
    navigate(number === undefined ? '/pick' : `/pick/${encodeURIComponent(number)}`);
  };
  const kept = useConfirmations();
  useAwake();
  return orderNumber === undefined ? (
    <ChooseOrder open={open} kept={kept} />
  ) : (
    <PickOrder
      key={orderNumber}
      orderNumber={orderNumber}
      open={open}
      kept={kept}
      said={said?.of === orderNumber ? said.says : undefined}
    />
  );
}
