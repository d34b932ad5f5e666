import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { DeniedProvider } from '../../kit/denied.ts';
import { LeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import { keepFocus } from '../../kit/keptFocus.ts';
import { createPaletteActions, PaletteActionsProvider } from '../../shop/paletteActions.ts';
import { createToasts, ToastProvider } from '../../shop/toasts.ts';
import { useDenials, useStationContext } from '../../station/context.ts';

/** Pages that manage the focus themselves, because an Enter key press on them can belong to a scan. */
const TAKES_ENTER: ReadonlySet<ReturnType<typeof findPage>> = new Set(['pick', 'pack', 'setUp']);

/** Provides toasts, palette actions, the person's denied rights, and the guard against leaving unsaved input. */
export function FrameProviders({ children }: { children: ReactNode }) {
  const [toasts] = useState(createToasts);
  const [actions] = useState(createPaletteActions);
  const denied = useDenials();
  const { store } = useStationContext();
  const isAway = useCallback(() => !navigator.onLine || store.getState().connection.kind === 'lost', [store]);
  useEffect(() => keepFocus((path) => TAKES_ENTER.has(findPage(path))), []);
  return (
    <ToastProvider value={toasts}>
      <PaletteActionsProvider value={actions}>
        <DeniedProvider value={denied}>
          <LeaveGuard isAway={isAway}>{children}</LeaveGuard>
        </DeniedProvider>
      </PaletteActionsProvider>
    </ToastProvider>
  );
}
