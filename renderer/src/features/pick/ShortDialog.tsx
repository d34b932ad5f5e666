import { Minus, Plus } from 'lucide-react';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { reasonWords } from '../../shop/reasonWords.ts';
import { placeOf } from './session/lines.ts';
import styles from './Pick.module.css';
import type { PickQuestion } from './session/sessionTypes.ts';
import { askedOf } from './session/sessionView.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick.shortDialog;

type Props = { question: Extract<PickQuestion, { kind: 'short' }>; pick: PickState };

/** Asks how many pieces were found, why some are missing, and where the rest may be. */
export function ShortDialog({ question: { line, found, reason }, pick }: Props) {
  const asked = askedOf(line);
  const { touch } = pick;
  return (
    <Dialog title={words.title(placeOf(line))} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      {reason === undefined ? (
        <>
          <p className={styles.says}>{words.found}</p>
          <div className={styles.found}>
            <BigButton
              aria-label={texts.pick.less}
              icon={Minus}
              isDisabled={found === 0}
              onPress={() => touch({ touch: 'found', by: -1 })}
            >
              {''}
            </BigButton>
            <output className={styles.foundCount}>{found}</output>
            <BigButton
              aria-label={texts.pick.more}
              icon={Plus}
              isDisabled={found >= asked}
              onPress={() => touch({ touch: 'found', by: 1 })}
            >
              {''}
            </BigButton>
          </div>
          <Reasons pick={pick} />
        </>
      ) : (
        <>
          <p className={styles.says}>{words.rest(asked - found)}</p>
          <div
            className={styles.choices}
            data-refused={pick.isRefused || undefined}
            data-inert={pick.isInert || undefined}
          >
            {line.elsewhere.map((other) => (
              <BigButton key={other.deviceid} look="main" onPress={() => touch({ touch: 'elsewhere', place: other })}>
                {words.elsewhere(placeOf(other))}
              </BigButton>
            ))}
            <BigButton onPress={() => touch({ touch: 'elsewhere', place: undefined })}>{words.close}</BigButton>
            <BigButton onPress={() => touch({ touch: 'back' })}>{words.back}</BigButton>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Asks for the reason when a press at the shelf booked fewer pieces than requested. */
export function ReasonDialog({
  question,
  pick,
}: {
  question: Extract<PickQuestion, { kind: 'reason' }>;
  pick: PickState;
}) {
  const { line, fulfilled } = question;
  const found = fulfilled - (line.quantity_fulfilled ?? 0);
  return (
    <Dialog
      title={words.shelf(placeOf(line), found, askedOf(line))}
      isOpen
      onClose={() => pick.touch({ touch: 'close' })}
      size="gloves"
    >
      <Reasons pick={pick} />
    </Dialog>
  );
}

function Reasons({ pick }: { pick: PickState }) {
  const { api } = useStationContext();
  const reasons = useStationQuery(['shortReasons'], () => api.listShortReasons());
  return (
    <>
      <p className={styles.says}>{words.why}</p>
      <div className={styles.choices} data-refused={pick.isRefused || undefined} data-inert={pick.isInert || undefined}>
        {(reasons.value ?? []).map((reason) => (
          <BigButton key={reason.key} onPress={() => pick.touch({ touch: 'reason', reason: reason.key })}>
            {reasonWords(reason)}
          </BigButton>
        ))}
      </div>
    </>
  );
}
