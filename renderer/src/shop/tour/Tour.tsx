import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { WorkLine } from '#shared/api/picking.ts';
import { ledOf } from '../device/commandWords.ts';
import { useDevice, useStationContext, useStationState } from '../../station/context.ts';
import { useOrder } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { tour as words } from '../../words/tour.ts';
import * as texts from '../../words/texts.ts';
import { useAttempt } from '../toasts.ts';
import styles from './Tour.module.css';
import { Finish } from './Finish.tsx';
import { TourDevice } from './TourDevice.tsx';
import { itemsOf, progressOf, stepOf, type TourStep } from './tourStep.ts';
import { useTour } from './useTour.ts';

/** Time that the person gets to read what happens next, in milliseconds. */
const READ_MS = 3_000;

type Props = {
  /** Number of the tour's order. */
  ofTour: string;
  orderNumber: string | undefined;
  lines: readonly WorkLine[] | undefined;
  end(): void;
  /** Called when the tour has been restarted, perhaps with another order. */
  begun(): void;
};

/**
 * Guides the owner through picking the demo order. Shows one sentence at a time next to the instruction, and the
 * order's devices, which can be pressed.
 */
export function Tour({ ofTour, orderNumber, lines, end, begun }: Props) {
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const { status, value: order } = useOrder(ofTour);
  const isHere = orderNumber === ofTour;
  const step = stepOf({ order, isMissing: status === 'missing', isHere, lines, me });
  const line = 'line' in step ? step.line : undefined;
  const isLit = useIsLit(line);
  const isFailed = useLastPress(step, isLit);
  const isOver = step.kind === 'done' && !isHere;
  useEffect(() => {
    if (isOver) end();
  }, [isOver, end]);
  if (isOver) return null;
  const items = order === undefined ? [] : itemsOf(order);
  return (
    <aside className={styles.tour} aria-label={words.title}>
      <header className={styles.head}>
        <p className={styles.steps}>
          {words.title}
          {order !== undefined && isHere && ` · ${stepWords(progressOf(order, step, lines?.length ?? items.length))}`}
        </p>
        {step.kind !== 'done' && <Button look="quiet" icon={X} words={words.end} onPress={end} />}
      </header>
      <p className={styles.says} role="status">
        {sentenceFor(step, { ofTour, isLit, isFailed })}
      </p>
      <Answer kind={step.kind} ofTour={ofTour} begun={begun} />
      {step.kind === 'done' ? (
        <Finish end={end} />
      ) : (
        <ul className={styles.shelf} aria-label={words.shelf}>
          {items.map((item) => (
            <TourDevice key={item.id} item={item} isNext={item.id === line?.item_id} />
          ))}
        </ul>
      )}
    </aside>
  );
}

const stepWords = ({ step, steps }: { step: number; steps: number }) => words.step(step, steps);

type Said = { ofTour: string; isLit: boolean; isFailed: boolean };

function sentenceFor(step: TourStep, { ofTour, isLit, isFailed }: Said): string {
  const { says } = words;
  if (!('line' in step)) {
    const { kind } = step;
    if (kind === 'away' || kind === 'missing' || kind === 'taken') return says[kind](ofTour);
    return says[kind];
  }
  const { location, deviceid, color, quantity } = step.line;
  const place = location === '' ? (deviceid ?? '') : location;
  if (!isLit) return says.drawing(place);
  if (step.kind === 'last' && isFailed) return says.yours(place);
  if (step.kind !== 'shelf') return says[step.kind](place);
  const { letter, hex } = ledOf('flash', color);
  return says.shelf(place, texts.colors[letter] ?? texts.colorOther(hex), words.takeOf(quantity));
}

/** The button that continues the tour in steps for which the Pick page has no such button. */
function Answer({ kind, ofTour, begun }: { kind: TourStep['kind']; ofTour: string; begun(): void }) {
  const { begin } = useTour();
  const [, navigate] = useLocation();
  const { busy, run } = useAttempt(words.failed, async () => {
    await begin();
    begun();
  });
  if (kind === 'away') {
    return <Button look="primary" words={words.goOn} onPress={() => navigate(`/pick/${encodeURIComponent(ofTour)}`)} />;
  }
  if (kind !== 'aborted' && kind !== 'missing') return null;
  return <Button look="primary" words={busy ? words.taking : words.again} busy={busy} onPress={run} />;
}

/** Returns whether the line's device shows this line now. */
function useIsLit(line: WorkLine | undefined): boolean {
  const device = useDevice(line?.deviceid ?? '');
  return device?.commands.some(({ command_id: id, state }) => id === line?.command_id && state === 'shown') ?? false;
}

/** Presses the last device, to show the owner how the page follows. Returns whether pressing failed. */
function useLastPress(step: TourStep, isLit: boolean): boolean {
  const { api } = useStationContext();
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const last = step.kind === 'last' && isLit && !isLost ? step.line : undefined;
  const { deviceid, order_number: number } = last ?? {};
  const [failedAt, setFailedAt] = useState<string>();
  useEffect(() => {
    if (deviceid === undefined || deviceid === null || typeof number !== 'string') return undefined;
    const pick = async () => {
      await api.pressSimulatedDevice({ path: { DeviceID: deviceid }, body: { button: 'front', hold: 'short' } });
      const { state } = await api.getOrder({ path: { order_number: number } });
      // The press has no effect if the device is not lit yet, for example after a restart of the station.
      if (state !== 'fulfilled') setFailedAt(deviceid);
    };
    const reading = setTimeout(() => void pick().catch(() => setFailedAt(deviceid)), READ_MS);
    return () => clearTimeout(reading);
  }, [api, deviceid, number]);
  return failedAt !== undefined && failedAt === deviceid;
}
