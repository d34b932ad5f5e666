import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Dialog, I18nProvider, Modal, ModalOverlay } from 'react-aria-components';
import { useLocation } from 'wouter';
import { findPage, homeOf, isMoved, isPagePath, movedTo } from '#shared/lib/station/pageRoutes.ts';
import styles from './App.module.css';
import { startBlinking } from '../shop/device/blink.ts';
import { DesktopAlerts } from '../features/alerts/DesktopAlerts.tsx';
import { KioskStrip } from '../features/kiosk/KioskStrip.tsx';
import { SignInPage } from '../features/signIn/SignInPage.tsx';
import { bellOf, destinationsOf, type Page, PAGES } from './pages.tsx';
import { isScannerConnected } from '../scan/windowScans.ts';
import { PaperProvider, useThemePaper } from '../shop/screen/paper.ts';
import { soundChoice } from '../sound/choice.ts';
import { startSounds } from '../sound/windowSounds.ts';
import {
  type StationContext,
  StationProvider,
  useIsLocked,
  useKiosk,
  useRight,
  useStationState,
} from '../station/context.ts';
import { useCarriers } from '../station/useCarriers.ts';
import { useUpdateNews } from '../station/updates.ts';
import { ConnectionBar } from './frame/ConnectionBar.tsx';
import { FrameProviders } from './frame/FrameProviders.tsx';
import { notifyChoice } from '../shop/notifyChoice.ts';
import { PageBoundary, PartBoundary, UnknownPage } from './frame/PageBoundary.tsx';
import { PageParts } from './frame/PageParts.tsx';
import { Rail } from './frame/Rail.tsx';
import { stayWhileHidden } from './frame/stayWhileHidden.ts';
import * as texts from '../words/texts.ts';
import { useSearchKey } from './search/useSearchKey.ts';
import { type ThemeChoice, useTheme } from '../shop/theme.ts';
import { ToastRegion } from './frame/ToastRegion.tsx';
import { isTypedIn } from '../kit/field/SearchBox.tsx';
import { useSingleKeys } from '../kit/field/useSingleKeys.ts';
import { useIsNarrow } from '../kit/useIsNarrow.ts';

const WelcomePage = lazy(async () => {
  const { WelcomePage: component } = await import('../features/firstRun/WelcomePage.tsx');
  return { default: component };
});

// Load the search early but without delaying the page, so that it opens even while the station is offline.
const Palette = lazy(async () => {
  const { Palette: component } = await import('./search/Palette.tsx');
  return { default: component };
});

const KioskPage = lazy(async () => {
  const { KioskPage: component } = await import('../features/kiosk/KioskPage.tsx');
  return { default: component };
});

export function App({ context, theme }: { context: StationContext; theme: ThemeChoice }) {
  // Redraw when the theme changes, because parts of the page read colors from the tokens.
  useTheme(theme);
  const paper = useThemePaper();
  useEffect(() => startBlinking(document.documentElement, window.matchMedia('(prefers-reduced-motion: reduce)')), []);
  useEffect(() => startSounds(context.store), [context.store]);
  useEffect(() => stayWhileHidden(() => notifyChoice.isOn() || soundChoice.get().on || isScannerConnected()), []);
  return (
    <I18nProvider locale="en-US">
      <StationProvider value={context}>
        <PaperProvider value={paper}>
          <FrameProviders>
            <PageBoundary reload={reload}>
              <Window theme={theme} />
            </PageBoundary>
            <PartBoundary part="notices">
              <DesktopAlerts />
              <ToastRegion />
            </PartBoundary>
          </FrameProviders>
        </PaperProvider>
      </StationProvider>
    </I18nProvider>
  );
}

function Window({ theme }: { theme: ThemeChoice }) {
  const session = useStationState((state) => state.session);
  const hasStation = useStationState(({ station }) => station !== null);
  const shopName = useStationState(({ station }) => station?.shop_name ?? '');
  const isNew = useStationState(({ station }) => station?.setup === 'pending');
  const [path, navigate] = useLocation();
  const isLocked = useIsLocked();
  const isKioskKnown = useStationState(({ kiosk }) => kiosk !== undefined);
  const page = findPage(path);
  useMoved();
  const signedOut = session === 'signedOut';
  useSingleKeys(
    (key) => (key === '?' && !signedOut && !isLocked && page !== 'welcome' ? () => navigate('/help') : undefined),
    isTypedIn,
  );
  const [searching, setSearching] = useState(false);
  const hasSearch = hasStation && !signedOut && !isLocked && page !== 'welcome';
  useSearchKey(
    hasSearch,
    useCallback(() => setSearching((isOpen) => !isOpen), []),
  );
  const pages = usePages();
  const mayPack = useRight('work');
  const carriers = useCarriers(hasStation && !signedOut && !isLocked && mayPack).value;
  const hasCarriers = carriers !== undefined && carriers.length > 0;
  const destinations = useMemo(() => destinationsOf(pages, hasCarriers), [pages, hasCarriers]);
  const bell = useMemo(() => bellOf(pages), [pages]);
  const destination = PAGES.find(({ id }) => id === page)?.destination;

  useEffect(() => {
    if (isNew && page !== 'welcome') navigate('/welcome', { replace: true });
  }, [isNew, page, navigate]);

  // A kiosk shows only Pick, at every address.
  useEffect(() => {
    if (isLocked && page !== 'pick') navigate('/pick', { replace: true });
  }, [isLocked, page, navigate]);

  useEffect(() => {
    const word = PAGES.find(({ id }) => id === page)?.word;
    const here = page === 'welcome' ? texts.frame.welcome : (word ?? texts.frame.unknown.title);
    document.title = texts.pageTitle(signedOut ? texts.signIn.title : here, signedOut ? '' : shopName);
  }, [signedOut, page, shopName]);

  if ((session === 'unknown' && !hasStation) || !isKioskKnown || (isLocked && page !== 'pick')) {
    return (
      <div className={styles.window}>
        <ConnectionBar />
        <p className={styles.connecting}>{texts.connection.connecting}</p>
      </div>
    );
  }

  return (
    <>
      {signedOut && (
        <PageBoundary reload={reload}>
          <SignIn isAgain={hasStation} />
        </PageBoundary>
      )}
      {/* If the session expires, hide the page instead of unmounting it, so that typed input is kept. */}
      {hasStation && (
        <div className={styles.window} hidden={signedOut}>
          <div>
            <PartBoundary part="bars">
              <ConnectionBar />
              {!isLocked && <KioskStrip />}
            </PartBoundary>
          </div>
          {page === 'welcome' || page === 'pick' ? (
            <PageBoundary key={page} reload={reload}>
              <Suspense fallback={<Loading />}>{page === 'pick' ? <PageAt path={path} /> : <WelcomePage />}</Suspense>
            </PageBoundary>
          ) : (
            <div className={styles.shell}>
              <PartBoundary part="rail">
                <Rail
                  pages={destinations}
                  bell={bell}
                  open={destination ?? page}
                  theme={theme}
                  search={() => setSearching(true)}
                />
              </PartBoundary>
              <div className={styles.page}>
                <div>
                  {destination !== undefined && (
                    <PartBoundary part="rail">
                      <PageParts
                        of={texts.rail.destinations[destination]}
                        parts={pages.filter((each) => each.destination === destination)}
                        page={page}
                      />
                    </PartBoundary>
                  )}
                </div>
                <PageBoundary key={page} reload={reload}>
                  <Suspense fallback={<Loading />}>
                    <PageAt path={path} />
                  </Suspense>
                </PageBoundary>
              </div>
            </div>
          )}
        </div>
      )}
      {hasSearch && (
        <PartBoundary part="search">
          <Suspense>
            <Palette isOpen={searching} onOpenChange={setSearching} pages={pages} theme={theme} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
}

/** Returns the pages that this person can see. The Settings page has a badge while an update is available. */
function usePages(): readonly Page[] {
  const rights = useStationState(({ station }) => station?.user.rights);
  const hasFleet = useStationState(({ station }) => station?.fleet === true);
  const news = useUpdateNews();
  return useMemo(
    () =>
      PAGES.filter(
        ({ right, ofFleet = false }) =>
          (right === undefined || rights?.includes(right) === true) && (hasFleet || !ofFleet),
      ).map((each) =>
        each.id === 'settings' && news !== '' ? { ...each, count: { of: () => 1, words: () => news } } : each,
      ),
    [rights, hasFleet, news],
  );
}

/** Redirects `/` and addresses from earlier versions to current pages. */
function useMoved(): void {
  const [, navigate] = useLocation();
  const isPicker = useStationState(({ station }) => station?.user.scope === 'picker');
  const isKnown = useStationState(({ station, kiosk }) => station !== null && kiosk !== undefined);
  const isNarrow = useIsNarrow();
  useEffect(() => {
    if (!isKnown) return;
    const to = movedTo(window.location, homeOf({ isPicker, isNarrow }));
    if (to !== undefined) navigate(to, { replace: true });
  });
}

/** The sign-in page: names of pickers with a PIN on a kiosk, name and password in other browsers. */
function SignIn({ isAgain }: { isAgain: boolean }) {
  const isKiosk = useKiosk() !== null;
  if (!isKiosk) return isAgain ? <SignInAgain /> : <SignInPage />;
  return (
    <Suspense fallback={<Loading />}>
      <KioskPage SignIn={SignInPage} />
    </Suspense>
  );
}

/** The sign-in form over the current page. The page and its dialogs stay open below it and keep their input. */
function SignInAgain() {
  return (
    <ModalOverlay className={styles.cover ?? ''} isOpen isKeyboardDismissDisabled>
      <Modal>
        <Dialog className={styles.coverPage ?? ''} aria-label={texts.signIn.title}>
          <SignInPage />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PageAt({ path }: { path: string }) {
  const id = findPage(path);
  const page = PAGES.find((candidate) => candidate.id === id);
  // Do not draw the page before a redirect: `/orders/import` would load the order `import`.
  if (page !== undefined && !isMoved(window.location.pathname)) return <page.component />;
  return isPagePath(path) ? <Loading /> : <UnknownPage path={path} />;
}

function Loading() {
  return <p className={styles.connecting}>{texts.frame.loading}</p>;
}

function reload(): void {
  window.location.reload();
}
