import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { Router, type AroundNavHandler } from 'wouter';
import { ConfirmDialog } from './Dialog.tsx';
import { browserStorage } from '../../storage.ts';
import * as texts from '../../words/texts.ts';

type Guard = {
  /** Sets whether leaving the page would lose input in the part `id`. */
  mark(id: string, unsaved: boolean): void;
  /** Runs `go` immediately or, if there is unsaved input, after the user has agreed to lose it. */
  leave(go: () => void): void;
};

const Context = createContext<Guard | null>(null);

function useGuard(): Guard {
  const guard = use(Context);
  if (guard === null) throw new Error('A part of the window was drawn outside its LeaveGuard.');
  return guard;
}

/**
 * While `unsaved` is true, asks for confirmation before the page is left by a link, by Back or by closing the window.
 * Returns a function that overrides `unsaved` immediately, for code that leaves the page itself after saving.
 */
export function useLeaveGuard(unsaved: boolean): (unsaved: boolean) => void {
  const id = useId();
  const guard = useGuard();
  useEffect(() => {
    guard.mark(id, unsaved);
    return () => guard.mark(id, false);
  }, [guard, id, unsaved]);
  return useCallback((now) => guard.mark(id, now), [guard, id]);
}

const RELOADED_AT = 'pickstation reloaded at';
const RELOAD_EVERY_MS = 60_000;

/**
 * Returns whether the page may reload itself now, and records the reload. It may do so at most once per minute,
 * because the file that failed to load may be missing from the new page as well.
 */
function takeReload(now: number): boolean {
  const storage = browserStorage('sessionStorage');
  if (now - Number(storage.get(RELOADED_AT) ?? '0') < RELOAD_EVERY_MS) return false;
  storage.set(RELOADED_AT, String(now));
  // Without storage, the page could reload again and again.
  return storage.get(RELOADED_AT) === String(now);
}

/** Returns a function that guards actions that leave the page without a new address, such as signing out. */
export function useLeave(): (go: () => void) => void {
  return useGuard().leave;
}

const isNeverAway = (): boolean => false;

type LeaveGuardProps = {
  children: ReactNode;
  /** Whether the station cannot be reached, so that a reload would end in the browser's error page. */
  isAway?: () => boolean;
};

/** The page's router, which asks for confirmation before unsaved input is lost. */
export function LeaveGuard({ children, isAway = isNeverAway }: LeaveGuardProps) {
  const [waiting, setWaiting] = useState<{ go: () => void }>();
  const unsaved = useRef(new Set<string>());
  const path = useRef('');

  const guard = useMemo<Guard>(
    () => ({
      mark(id, isUnsaved) {
        if (isUnsaved) unsaved.current.add(id);
        else unsaved.current.delete(id);
        path.current = window.location.pathname;
      },
      leave(go) {
        if (unsaved.current.size === 0) go();
        else setWaiting({ go });
      },
    }),
    [],
  );

  // Use a layout effect to listen before the router does: listeners on window run in the order in which they were added.
  useLayoutEffect(() => {
    function closing(event: BeforeUnloadEvent): void {
      if (unsaved.current.size > 0) event.preventDefault();
    }
    // In browsers that announce Back and Forward, cancel the navigation, so that no history entry is lost.
    function going(event: NavigateEvent): void {
      const { url, key } = event.destination;
      if (event.navigationType !== 'traverse' || !event.cancelable || unsaved.current.size === 0) return;
      if (new URL(url).pathname === path.current) return;
      event.preventDefault();
      setWaiting({ go: () => void window.navigation.traverseTo(key) });
    }
    // In other browsers, restore the address of the page that is still shown, and hide the event from the router.
    function wentBack(event: PopStateEvent): void {
      const to = window.location.pathname;
      if (unsaved.current.size === 0 || to === path.current) return;
      event.stopImmediatePropagation();
      window.history.pushState(null, '', path.current);
      setWaiting({ go: () => window.history.back() });
    }
    // A file of this version no longer exists because the station was updated. The new page uses other names.
    function fileIsGone(event: Event): void {
      if (unsaved.current.size > 0 || isAway() || !takeReload(Date.now())) return;
      event.preventDefault();
      window.location.reload();
    }
    const asks = 'navigation' in window ? window.navigation : undefined;
    asks?.addEventListener('navigate', going);
    window.addEventListener('beforeunload', closing);
    window.addEventListener('popstate', wentBack);
    window.addEventListener('vite:preloadError', fileIsGone);
    return () => {
      asks?.removeEventListener('navigate', going);
      window.removeEventListener('beforeunload', closing);
      window.removeEventListener('popstate', wentBack);
      window.removeEventListener('vite:preloadError', fileIsGone);
    };
  }, [isAway]);

  const aroundNav: AroundNavHandler = (navigate, to, options) => {
    if (to === window.location.pathname) navigate(to, options);
    else guard.leave(() => navigate(to, options));
  };

  return (
    <Context value={guard}>
      <Router aroundNav={aroundNav}>{children}</Router>
      <ConfirmDialog
        title={texts.frame.unsaved.title}
        body={texts.frame.unsaved.body}
        confirm={texts.frame.unsaved.leave}
        cancel={texts.frame.unsaved.stay}
        danger
        isOpen={waiting !== undefined}
        onConfirm={() => {
          unsaved.current.clear();
          waiting?.go();
        }}
        onClose={() => setWaiting(undefined)}
      />
    </Context>
  );
}
