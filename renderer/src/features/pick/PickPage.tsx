import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { pickCartAddress, useCartOfPick, useRouteId } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useAwake } from '../../kit/useAwake.ts';
import { ChooseOrder } from './ChooseOrder.tsx';
import { PickOrder } from './PickOrder.tsx';
import type { Said } from './sessionTypes.ts';

const BatchMode = lazy(async () => {
  const { BatchMode: component } = await import('./batch/BatchMode.tsx');
  return { default: component };
});

/** What do I do next? For a bench monitor, a tablet on a cart or a phone: one instruction at a time. */
export function PickPage() {
  const named = useRouteId();
  const cartId = useCartOfPick();
  const orderNumber = cartId === undefined ? named : undefined;
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [, navigate] = useLocation();
  const [before, setBefore] = useState<{ of: string | undefined; said: Said | undefined }>();
  const open = (number: string | undefined, said?: Said) => {
    setBefore({ of: number, said });
    navigate(number === undefined ? '/pick' : `/pick/${encodeURIComponent(number)}`);
  };
  const openCart = (id: number) => navigate(pickCartAddress(id));
  useAwake();
  if (cartId !== undefined) {
    return (
      <Suspense fallback={null}>
        <BatchMode key={`${me}/${cartId}`} cartId={cartId} leave={() => navigate('/pick')} openCart={openCart} />
      </Suspense>
    );
  }
  return orderNumber === undefined ? (
    <ChooseOrder open={open} openCart={openCart} />
  ) : (
    <PickOrder
      key={`${me}/${orderNumber}`}
      orderNumber={orderNumber}
      open={open}
      said={before?.of === orderNumber ? before.said : undefined}
    />
  );
}
