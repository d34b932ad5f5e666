import { Circle, CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { FirstDay, FirstStep } from '#shared/api/setup.ts';
import { importAddress, taskAddress } from '../../station/addresses.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import { RemoveDemo } from '../../shop/tour/RemoveDemo.tsx';
import { useAttempt } from '../../shop/toasts.ts';
import { demoShop, firstDay as words } from '../../words/firstDay.ts';
import styles from './FirstDayList.module.css';

/** The page for each step. Some of these addresses also start the task. */
const ADDRESSES: Readonly<Record<FirstStep, string>> = {
  name: '/settings?field=shop_name#shop',
  shelves: taskAddress('today', 'rack'),
  hardware: taskAddress('gateways', 'connect'),
  places: '/places/set-up',
  articles: importAddress('articles'),
  orders: importAddress('orders'),
  pick: '/pick',
  system: taskAddress('programs', 'key'),
};

/** Lists an owner's first steps until all are done or the list is dismissed. The station determines which are done. */
export function FirstDayList() {
  const { api, queries } = useStationContext();
  const { value } = useStationQuery(['firstDay'], () => api.getFirstDay());
  const [showsAll, setShowsAll] = useState(false);
  const [removes, setRemoves] = useState(false);
  const { busy, run } = useAttempt(words.dismissFailed, async () => {
    await api.changeFirstDay({ body: { dismissed: true } });
    queries.refresh(['firstDay']);
  });
  if (value === undefined || value.dismissed) return null;
  const { steps, demo } = value;
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  const next = steps.find((step) => !step.done)?.step;
  return (
    <section className={`${parts.card} ${styles.list}`} aria-label={words.title}>
      <header className={styles.head}>
        <h2>{words.title}</h2>
        <p className={parts.figures}>{words.progress(done, steps.length)}</p>
        <div className={`${parts.rowMiddle} ${styles.actions}`}>
          <span className={styles.more}>
            <Button
              look="quiet"
              words={showsAll ? words.fewer : words.all}
              aria-expanded={showsAll}
              onPress={() => setShowsAll(!showsAll)}
            />
          </span>
          {demo && <Button look="quiet" words={demoShop.remove} onPress={() => setRemoves(true)} />}
          <Button look="quiet" icon={X} words={words.dismiss} busy={busy} onPress={run} />
        </div>
      </header>
      <ol className={styles.steps} data-all={showsAll || undefined}>
        {steps.map((step) => (
          <Step key={step.step} step={step} isNext={step.step === next} />
        ))}
      </ol>
      {removes && <RemoveDemo close={() => setRemoves(false)} />}
    </section>
  );
}

function Step({ step: { step, done, in_demo: inDemo }, isNext }: { step: FirstDay['steps'][number]; isNext: boolean }) {
  const { todo, hint } = words.steps[step];
  const Icon = done ? CircleCheck : Circle;
  return (
    <li className={styles.step} data-done={done || undefined} data-next={isNext || undefined}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.words}>
        {done ? (
          <p>
            {todo}
            <span className="visuallyHidden">{`, ${words.done}`}</span>
          </p>
        ) : (
          <Link href={ADDRESSES[step]}>{todo}</Link>
        )}
        {!done && (
          <p className={parts.small}>
            {step === 'hardware' && !inDemo ? (
              <Link href={taskAddress('gateways', 'simulate')}>{hint}</Link>
            ) : inDemo ? (
              words.inDemo
            ) : (
              hint
            )}
          </p>
        )}
      </div>
    </li>
  );
}
