import { type ComponentType, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from '../pick/BigButton.tsx';
import { Initial } from './Initial.tsx';
import { Keypad } from './Keypad.tsx';
import styles from './Kiosk.module.css';

const words = texts.kiosk;
/** Polling interval for the names, in milliseconds. Without a session, there is no event stream. */
const LOOK_MS = 20_000;

/** The sign-in page of a kiosk, with the names and a keypad. `SignIn` is the form for people without a PIN. */
export function KioskPage({ SignIn }: { SignIn: ComponentType<{ back(): void }> }) {
  const { session } = useStationContext();
  const kiosk = useStationState((state) => state.kiosk);
  const [path, navigate] = useLocation();
  const [name, setName] = useState<string>();
  const [isByPassword, setByPassword] = useState(false);
  const people = kiosk?.people ?? [];
  const person = people.find(({ username }) => username === name);

  // Return to the choice of orders, so that the next person does not start in the previous person's order.
  useEffect(() => {
    if (findPage(path) === 'pick' && path !== '/pick') navigate('/pick', { replace: true });
  }, [path, navigate]);

  useEffect(() => {
    const look = () => void session.lookAtKiosk().catch(() => undefined);
    look();
    const timer = window.setInterval(look, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [session]);

  if (isByPassword) return <SignIn back={() => setByPassword(false)} />;
  if (person !== undefined) return <Keypad key={person.username} person={person} back={() => setName(undefined)} />;
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <h1 className={styles.title}>{words.title}</h1>
        <span className={styles.note}>{kiosk?.kiosk?.name}</span>
      </header>
      <main className={styles.main}>
        <h2 className={styles.question}>{people.length === 0 ? words.nobody : words.who}</h2>
        {people.length === 0 ? (
          <p className={styles.says}>{words.nobodyHint}</p>
        ) : (
          <ul className={styles.people}>
            {people.map(({ username, color }) => (
              <li key={username}>
                <BigButton onPress={() => setName(username)}>
                  <Initial name={username} color={color} />
                  <span className={styles.name}>{username}</span>
                </BigButton>
              </li>
            ))}
          </ul>
        )}
      </main>
      <footer className={styles.foot}>
        <Button look="quiet" words={words.byPassword} onPress={() => setByPassword(true)} />
      </footer>
    </div>
  );
}
