import { RadioTower, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/access/passwordRule.ts';
import { GreetingDevice } from '../../shop/device/GreetingDevice.tsx';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { PasswordField, useForm } from '../../kit/field/fields.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { useSubmit } from '../../kit/field/useSubmit.ts';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import * as texts from '../../words/texts.ts';
import { ConnectMenu } from '../../shop/connect/ConnectMenu.tsx';
import { useDemoShop, useFlash } from '../../shop/tour/useDemoShop.ts';
import styles from './WelcomePage.module.css';

const words = texts.welcome;
const LED = { mode: 'steady', hex: '#00ff00', letter: 'G' } as const;

/**
 * Guides the admin through the first start: choosing a password, and connecting the first devices. Then opens the map,
 * with one device flashing.
 */
export function WelcomePage() {
  const flash = useFlash();
  const isNew = useStationState(({ station }) => station?.setup === 'pending');
  const isAdmin = useRight('set_up');
  const [connecting, setConnecting] = useState(false);
  const [, navigate] = useLocation();

  /** Opens the map and lets the device flash. */
  function finish(deviceid: string | undefined): void {
    navigate('/today');
    flash(deviceid);
  }

  if (!isAdmin) {
    return (
      <Frame title={texts.frame.welcome} lead={words.adminOnly} step={undefined}>
        <Link href="/">{texts.frame.unknown.home}</Link>
      </Frame>
    );
  }
  if (isNew) {
    return (
      <Frame title={texts.frame.welcome} lead={words.lead} step={1}>
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
      <ChooseStart connect={() => setConnecting(true)} />
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
          {/* Focus the title of a new step, so that screen readers continue there. */}
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

/** Sets the password of the first admin. The step ends when the station confirms it. */
function ChoosePassword() {
  const { api } = useStationContext();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const { draft, field } = useForm({ password: '' });
  const missing = MIN_PASSWORD_CHARACTERS - draft.password.length;
  const { problems, failure, busy, submit } = useSubmit({
    draft,
    check: (): FieldMessages => (missing > 0 ? { password: words.tooShort(missing) } : {}),
    save: () => api.finishSetup({ body: { password: draft.password } }),
  });

  return (
    <ProblemForm className={parts.stack4 ?? ''} onSubmit={submit} problems={problems} aria-label={words.passwordForm}>
      <input type="text" autoComplete="username" value={user} readOnly hidden />
      <PasswordField
        {...field('password')}
        label={words.password(user)}
        help={texts.password.rule(MIN_PASSWORD_CHARACTERS)}
        autoComplete="new-password"
        autoFocus
      />
      <Button look="primary" type="submit" busy={busy}>
        {busy ? texts.settings.saving : words.next}
      </Button>
      <Failure>{failure}</Failure>
    </ProblemForm>
  );
}

const chooseStartWords = texts.welcome.start;

/** Asks how to begin: with simulated devices, or with hardware. */
function ChooseStart({ connect }: { connect(): void }) {
  const demo = useDemoShop();

  return (
    <>
      <div className={`${parts.stack4} ${styles.choices}`}>
        <AriaButton className={`${parts.stack2} ${styles.choice}`} data-first="true" onPress={demo.run}>
          <Sparkles size={22} strokeWidth={1.8} aria-hidden="true" />
          <span className={styles.choiceTitle}>{demo.busy ? chooseStartWords.making : chooseStartWords.demo}</span>
          <span className={`${parts.quiet} ${styles.choiceWords}`}>{chooseStartWords.demoWords}</span>
        </AriaButton>
        <AriaButton className={`${parts.stack2} ${styles.choice}`} onPress={connect}>
          <RadioTower size={22} strokeWidth={1.8} aria-hidden="true" />
          <span className={styles.choiceTitle}>{chooseStartWords.turbo}</span>
          <span className={`${parts.quiet} ${styles.choiceWords}`}>{chooseStartWords.turboWords}</span>
        </AriaButton>
      </div>
      <Failure>{demo.status === 'failed' && demo.failure}</Failure>
      <Link className={styles.skip ?? ''} href="/">
        {chooseStartWords.skip}
      </Link>
    </>
  );
}

const connectTurboWords = texts.welcome.connect;

/** Connects a turbo and lists its devices as soon as they report. */
function ConnectTurbo({ back, finish }: { back(): void; finish(deviceid: string | undefined): void }) {
  const turbos = useStationState(({ station }) => station?.turbos ?? NONE);
  const first = useStationState(({ places }) => places[0]);
  return (
    <>
      <section className={`${parts.card} ${styles.turbos}`} aria-label={connectTurboWords.heard}>
        <header className={`${parts.rowMiddle} ${styles.turbosHead}`}>
          <h2>{connectTurboWords.heard}</h2>
          <ConnectMenu />
        </header>
        {turbos.length === 0 ? (
          <p className={parts.quiet} role="status">
            {connectTurboWords.none}
          </p>
        ) : (
          <ul>
            {turbos.map((turbo) => (
              <li key={turbo.serial_number} className={styles.turbo}>
                <span className={parts.medium}>{turbo.name === '' ? turbo.serial_number : turbo.name}</span>
                <span className={parts.quiet}>
                  {[
                    connectTurboWords.transport[turbo.transport],
                    turbo.status,
                    texts.station.devices(turbo.device_count),
                  ].join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <div className={`${parts.row} ${styles.actions}`}>
        <Button onPress={back}>{connectTurboWords.back}</Button>
        <Button look={first === undefined ? 'plain' : 'primary'} onPress={() => finish(first?.deviceid)}>
          {first === undefined ? connectTurboWords.go : connectTurboWords.goAndFlash(first.name)}
        </Button>
      </div>
    </>
  );
}

const NONE = [] as const;
