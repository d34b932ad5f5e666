import { useState, type ReactNode } from 'react';
import { LeaveGuard } from './leaveGuard.tsx';
import { createPaletteActions, PaletteActionsProvider } from './paletteActions.ts';
import { createToasts, ToastProvider } from './toasts.ts';

/** What every part of the window may use: toasts, actions of the palette, the router and its guard. */
export function FrameProviders({ children }: { children: ReactNode }) {
  const [toasts] = useState(createToasts);
  const [actions] = useState(createPaletteActions);
  return (
    <ToastProvider value={toasts}>
      <PaletteActionsProvider value={actions}>
        <LeaveGuard>{children}</LeaveGuard>
      </PaletteActionsProvider>
    </ToastProvider>
  );
}
