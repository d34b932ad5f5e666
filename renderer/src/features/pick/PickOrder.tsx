import * as texts from '../../words/texts.ts';
import { TourSlot } from '../../shop/tour/TourSlot.tsx';
import { Frame } from './Frame.tsx';
import { areLettersOn } from './session/letters.ts';
import { useIsLate } from '../../station/useIsLate.ts';
import { useTimed } from '../../station/time.ts';
import { dueWords } from './session/lines.ts';
import { Messages } from './Messages.tsx';
import { PickBody } from './PickBody.tsx';
import { Questions } from './Questions.tsx';
import { sameCodeMs } from './session/sessionEntries.ts';
import { isLit, type PickMessage } from './session/sessionTypes.ts';
import { useEntry } from './useEntry.ts';
import { usePick } from './usePick.ts';
import { useShopNames } from './useShopNames.ts';
import { useTwin } from './useTwin.ts';

const words = texts.pick;

type Props = {
  orderNumber: string;
  /** Opens an order or, without a number, the list of orders, which can take the next order at once. */
  open(orderNumber: string | undefined, message?: PickMessage, takesNext?: boolean): void;
  /** Whether the page shows this order now. */
  isShown(orderNumber: string): boolean;
  /** The first message to show, for example about the order that was paused for this one. */
  message: PickMessage | undefined;
};

export function PickOrder({ orderNumber, open, isShown, message }: Props) {
  const pick = usePick(orderNumber, { message, open, isShown });
  const { dispatch, order, touch } = pick;
  const hasTwin = useTwin(orderNumber);
  const names = useShopNames(order, pick.lines);
  const typed = useEntry(
    {
      scan: (scan) => dispatch({ kind: 'scan', scan }),
      count: (count, since, at) => dispatch({ kind: 'counted', count, since, madeAt: at }),
      letter: (letter, at) =>
        dispatch(
          areLettersOn()
            ? { kind: 'letter', letter, madeAt: at }
            : { kind: 'scan', scan: { code: letter, source: 'keyboard', at } },
        ),
      sign: (by, at) => dispatch({ kind: 'sign', by, madeAt: at }),
      typing: (count) => dispatch({ kind: 'typed', count }),
      cleared: (text) => dispatch({ kind: 'cleared', text }),
      repeated: ({ code }) => dispatch({ kind: 'repeated', code }),
      inert: () => dispatch({ kind: 'inertEnter' }),
      enter: (at, press) => dispatch({ kind: 'enter', madeAt: at, press }),
      unreadable: (at) => dispatch({ kind: 'unreadable', madeAt: at }),
    },
    { names, sameMs: (code) => sameCodeMs(code, pick.lines) },
  );
  const due = order?.due_time;
  const isOverdue = useIsLate(order);
  const dueAt = useTimed((now) => (due === null || due === undefined ? '' : dueWords(due, now)));
  const note = [
    words.order(orderNumber),
    order?.customer ?? '',
    dueAt === '' ? '' : (isOverdue ? words.overdue : words.due)(dueAt),
  ];
  return (
    <Frame
      title={words.title}
      note={note}
      moved={() => dispatch({ kind: 'moved' })}
      notice={hasTwin ? words.message.twoTabs : undefined}
      answerPress={({ key }, how) => touch({ touch: 'answerPress', press: key, how })}
      beside={<TourSlot orderNumber={orderNumber} lines={pick.isLoaded ? pick.lines.filter(isLit) : undefined} />}
      bottom={
        <Messages
          last={order === undefined ? undefined : pick.last}
          scanned={pick.scanned}
          typed={typed}
          hint={names.haveNumbers ? words.markCounts : ''}
          dismiss={() => touch({ touch: 'dismiss' })}
          undo={() => touch({ touch: 'undo' })}
          takeHere={() => touch({ touch: 'takeHere' })}
        />
      }
    >
      <PickBody pick={pick} />
      <Questions pick={pick} />
    </Frame>
  );
}
