import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { HastyDialog } from './HastyDialog.tsx';
import { JoinDialog } from './JoinDialog.tsx';
import { placeOf } from './session/lines.ts';
import { LeftDialog } from './LeftDialog.tsx';
import { MoreDialog } from './MoreDialog.tsx';
import { NumberPad } from './NumberPad.tsx';
import styles from './Pick.module.css';
import { askedOf, questionKey } from './session/sessionView.ts';
import { ReasonDialog, ShortDialog } from './ShortDialog.tsx';
import type { PickState } from './usePick.ts';

const words = texts.pick;

/** Shows the dialog of the open question, if any. */
export function Questions({ pick }: { pick: PickState }) {
  const { question, touch } = pick;
  const close = (): void => touch({ touch: 'close' });
  switch (question?.kind) {
    case undefined:
      return null;
    case 'short':
      return <ShortDialog key={`short ${question.line.item_id}`} question={question} pick={pick} />;
    case 'pad':
      return <NumberPad question={question} pick={pick} />;
    case 'empty':
    case 'left':
      return <LeftDialog key={questionKey(question)} question={question} pick={pick} />;
    case 'reason':
      return <ReasonDialog key={questionKey(question)} question={question} pick={pick} />;
    case 'hasty':
      return (
        <HastyDialog
          places={question.asked.map(({ place }) => place)}
          state={{ 'data-inert': pick.isInert || undefined, 'data-refused': pick.isRefused || undefined }}
          close={close}
          undoAll={() => touch({ touch: 'undoAll' })}
        />
      );
    case 'more':
      return <MoreDialog key={questionKey(question)} line={question.line} pick={pick} />;
    case 'join':
      return (
        <JoinDialog asked={question} isRefused={pick.isRefused} join={() => touch({ touch: 'join' })} close={close} />
      );
    case 'over': {
      const asked = askedOf(question.line);
      return (
        <Dialog title={words.over.title(question.count, asked)} isOpen onClose={close} size="gloves">
          <Choices pick={pick}>
            <BigButton look="main" onPress={() => touch({ touch: 'bookCount' })}>
              {words.over.yes(question.count)}
            </BigButton>
            <BigButton onPress={() => touch({ touch: 'takeAsked' })}>{words.over.no(asked)}</BigButton>
          </Choices>
        </Dialog>
      );
    }
    case 'differs': {
      const { booked, typed } = question;
      return (
        <Dialog title={words.differs.title(booked, typed)} isOpen onClose={close} size="gloves">
          <TwoNumbers pick={pick} typed={typed} other={booked} />
        </Dialog>
      );
    }
    case 'mine':
      return (
        <Dialog title={words.whose.howMany(placeOf(question.line))} isOpen onClose={close} size="gloves">
          <TwoNumbers pick={pick} typed={question.typed} other={askedOf(question.line)} />
        </Dialog>
      );
    case 'number':
      return (
        <Dialog title={words.number.title(question.count)} isOpen onClose={close} size="gloves">
          <Choices pick={pick}>
            {/* Focus the safe choice: a second Enter must not turn an unknown code into a quantity. */}
            <BigButton look="main" autoFocus onPress={close}>
              {words.number.no}
            </BigButton>
            <BigButton onPress={() => touch({ touch: 'bookCount' })}>{words.number.yes(question.count)}</BigButton>
          </Choices>
        </Dialog>
      );
    case 'which':
      return (
        <Dialog title={words.ambiguous} isOpen onClose={close} size="gloves">
          <Choices pick={pick}>
            {question.candidates.map((candidate) => (
              <BigButton
                key={candidate.command_id}
                hint={candidate.text}
                onPress={() => touch({ touch: 'which', candidate })}
              >
                {placeOf(candidate)}
                {candidate.quantity === null ? '' : ` · ${candidate.quantity}`}
              </BigButton>
            ))}
          </Choices>
        </Dialog>
      );
  }
}

function TwoNumbers({ pick, typed, other }: { pick: PickState; typed: number; other: number }) {
  return (
    <Choices pick={pick}>
      <BigButton onPress={() => pick.touch({ touch: 'bookCount' })}>{typed}</BigButton>
      <BigButton onPress={() => pick.touch({ touch: 'takeAsked' })}>{other}</BigButton>
    </Choices>
  );
}

function Choices({ pick, children }: { pick: PickState; children: React.ReactNode }) {
  return (
    <div className={styles.choices} data-refused={pick.isRefused || undefined} data-inert={pick.isInert || undefined}>
      {children}
    </div>
  );
}
