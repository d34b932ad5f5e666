import { useEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import styles from './App.module.css';
import { startBlinking } from './device/blink.ts';
import { SignInPage } from './features/signIn/SignInPage.tsx';
import { StationPage } from './features/station/StationPage.tsx';
import { PaperProvider, useThemePaper } from './screen/paper.ts';
import { StationProvider, useStationState, type StationContext } from './station/context.ts';
import { ConnectionBar } from './ui/ConnectionBar.tsx';
import { Rail } from './ui/Rail.tsx';
import { texts } from './ui/texts.ts';

/** The window. */
export function App({ context }: { context: StationContext }) {
  const paper = useThemePaper();
  useEffect(() => startBlinking(document.documentElement, window.matchMedia('(prefers-reduced-motion: reduce)')), []);
  return (
    <I18nProvider locale="en-US">
      <StationProvider value={context}>
        <PaperProvider value={paper}>
          <Pages />
        </PaperProvider>
      </StationProvider>
    </I18nProvider>
  );
}

function Pages() {
  const session = useStationState((state) => state.session);
  const hasStation = useStationState(({ station }) => station !== null);
  const signedOut = session === 'signedOut';

  useEffect(() => {
    document.title = texts.pageTitle(signedOut ? texts.signIn.title : texts.station.title);
  }, [signedOut]);

  if (session === 'unknown' && !hasStation) {
    return (
      <div className={styles.window}>
        <ConnectionBar />
        <p className={styles.connecting}>{texts.connection.connecting}</p>
      </div>
    );
  }

  return (
    <>
      {signedOut && <SignInPage />}
      {/* A session that ends by itself takes nothing that was typed: the page stays, out of sight. */}
      {hasStation && (
        <div className={styles.window} hidden={signedOut}>
          <ConnectionBar />
          <div className={styles.shell}>
            <Rail />
            <StationPage />
          </div>
        </div>
      )}
    </>
  );
}
