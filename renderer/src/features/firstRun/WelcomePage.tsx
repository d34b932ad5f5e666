import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { GreetingDevice } from '../../device/GreetingDevice.tsx';
import { useRight, useStationState } from '../../station/context.ts';
import { useFlash } from '../../station/useDemoShop.ts';
import { texts } from '../../ui/texts.ts';
import { ChoosePassword } from './ChoosePassword.tsx';
import { ChooseStart } from './ChooseStart.tsx';
import { ConnectTurbo } from './ConnectTurbo.tsx';
import styles from './WelcomePage.module.css';

const words = texts.welcome;
const LED = { mode: 'steady', hex: '#00ff00', letter: 'G' } as const;

/** The first start: a password, then the first devices, then the Station page with one of them flashing. */
export function WelcomePage() {
  const flash = useFlash();
  const isNew = useStationState(({ station }) => station?.setup === 'pending');
  const isAdmin = useRight('set_up');
  const [connecting, setConnecting] = useState(false);
  const [, navigate] = useLocation();

  /** To the Station page, where `deviceid` flashes. */
  function finish(deviceid: string | undefined): void {
    navigate('/');
    flash(deviceid);
  }

  if (!isAdmin) {
    return (
      <Frame title={words.title} lead={words.adminOnly} step={undefined}>
        <Link href="/">{texts.frame.unknown.home}</Link>
      </Frame>
    );
  }
  if (isNew) {
    return (
      <Frame title={words.title} lead={words.lead} step={1}>
        <ChoosePassword />
      </Frame>
    );
  }
  if (connecting) {
    return (
      <Frame title={words.connect.title} lead={words.connect.lead} step={2}>
        <ConnectTurbo back={() => setConnecting(false)} finish={finish} />
      </Frame>
    );
  }
  return (
    <Frame title={words.start.title} lead={words.start.lead} step={2}>
      <ChooseStart connect={() => setConnecting(true)} finish={finish} />
    </Frame>
  );
}

type FrameProps = { title: string; lead: string; step: 1 | 2 | undefined; children: ReactNode };

function Frame({ title, lead, step, children }: FrameProps) {
  return (
    <main className={styles.page}>
      <div className={styles.column} data-narrow={step === 1 || undefined}>
        {step === 1 && <GreetingDevice screen={words.screen} led={LED} />}
        <header className={styles.head}>
          {step !== undefined && <p className={styles.step}>{words.step(step, 2)}</p>}
          {/* A new step begins at its title, for those who hear the page too. */}
          <h1 key={title} tabIndex={-1} ref={step === 1 ? undefined : focusHere}>
            {title}
          </h1>
          <p>{lead}</p>
        </header>
        {children}
      </div>
    </main>
  );
}

function focusHere(title: HTMLElement | null): void {
  title?.focus({ preventScroll: true });
}
