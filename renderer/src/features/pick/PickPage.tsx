import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHeldScans } from '../../scan/useScans.ts';
import { packAddress, pickCarrierAddress, useCarrierOfPick, useRouteId } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useAwake } from '../../kit/useAwake.ts';
import { ChooseOrder } from './ChooseOrder.tsx';
import { PickOrder } from './PickOrder.tsx';
import type { PickMessage } from './session/sessionTypes.ts';
import { PressesContext, usePressesOf } from './whose/usePresses.ts';

const loadBatchMode = () => import('./batch/BatchMode.tsx');
const BatchMode = lazy(async () => {
  const { BatchMode: component } = await loadBatchMode();
  return { default: component };
});

/** What the previous content of this page asked of the order or list that it opened. */
type Before = { of: string | undefined; message: PickMessage | undefined; takesNext: boolean };

/** Shows one instruction at a time, on a bench monitor, a tablet on a cart or a phone. */
export function PickPage() {
  const named = useRouteId();
  const carrier = useCarrierOfPick();
  const orderNumber = carrier === undefined ? named : undefined;
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [, navigate] = useLocation();
  const [before, setBefore] = useState<Before>();
  const open = (number: string | undefined, message?: PickMessage, takesNext = false) => {
    setBefore({ of: number, message, takesNext });
    navigate(number === undefined ? '/pick' : `/pick/${encodeURIComponent(number)}`);
  };
  /** The person and order on the page, for answers that arrive after the person has moved on. */
  const shown = useRef<string>(undefined);
  const shownKey = orderNumber === undefined ? undefined : `${me}/${orderNumber}`;
  useLayoutEffect(() => {
    shown.current = shownKey;
    return () => void (shown.current = undefined);
  }, [shownKey]);
  const openCarrier = (named: Parameters<typeof pickCarrierAddress>[0]) => {
    setBefore(undefined);
    navigate(pickCarrierAddress(named));
  };
  // Load the page of carts in advance, because scans follow the code of a cart quickly. A failure is reported when the page is opened.
  useEffect(() => void loadBatchMode().catch(() => undefined), []);
  useHeldScans();
  useAwake();
  return <PressesContext value={usePressesOf()}>{page()}</PressesContext>;

  function page(): ReactNode {
    if (carrier !== undefined) {
      return (
        <Suspense fallback={null}>
          <BatchMode
            key={`${me}/${carrier.kind}/${carrier.id}`}
            carrier={carrier}
            leave={() => navigate('/pick')}
            pack={() => navigate(packAddress(carrier.id))}
            openCarrier={openCarrier}
          />
        </Suspense>
      );
    }
    return orderNumber === undefined ? (
      <ChooseOrder
        open={open}
        openCarrier={openCarrier}
        takesNext={before?.of === undefined && before?.takesNext === true}
      />
    ) : (
      <PickOrder
        key={shownKey}
        orderNumber={orderNumber}
        open={open}
        isShown={(number) => shown.current === `${me}/${number}`}
        message={before?.of === orderNumber ? before.message : undefined}
      />
    );
  }
}
