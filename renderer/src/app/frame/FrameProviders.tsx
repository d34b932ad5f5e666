import { useEffect, useState, type ReactNode } from 'react';
import { findPage } from '#shared/lib/pageRoutes.ts';
import { DeniedProvider } from '../../kit/denied.ts';
import { LeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import { keepFocus } from '../../kit/keptFocus.ts';
import { createPaletteActions, PaletteActionsProvider } from '../../shop/paletteActions.ts';
import { createToasts, ToastProvider } from '../../shop/toasts.ts';
import { useDenials } from '../../station/context.ts';

/** What every part of the window may use: toasts, actions of the palette, what this person may do, the router and its guard. */
export function FrameProviders({ children }: { children: ReactNode }) {
  const [toasts] = useState(createToasts);
  const [actions] = useState(createPaletteActions);
  const denied = useDenials();
  // On Pick, Enter may belong to a scan, so that page decides what has the focus.
  useEffect(() => keepFocus((path) => findPage(path) === 'pick'), []);
  return (
    <ToastProvider value={toasts}>
      <PaletteActionsProvider value={actions}>
        <DeniedProvider value={denied}>
          <LeaveGuard>{children}</LeaveGuard>
        </DeniedProvider>
      </PaletteActionsProvider>
    </ToastProvider>
  );
}
