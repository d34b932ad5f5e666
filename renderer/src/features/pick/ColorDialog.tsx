import { Button } from 'react-aria-components';
import { PICKER_COLORS } from '#shared/led/color.ts';
import { useStationContext } from '../../station/context.ts';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../../shop/toasts.ts';
import { capital, Disc } from './Disc.tsx';
import styles from './Pick.module.css';

const words = texts.pick.color;

/** Chooses the person's color. Lights that are already on keep their color. */
export function ColorDialog({ isOpen, onClose, own }: { isOpen: boolean; onClose(): void; own: string | undefined }) {
  const { api, queries } = useStationContext();
  const toasts = useToasts();

  function choose(color: string): void {
    onClose();
    void toasts.attempt(words.failed, async () => {
      await api.setOwnColor({ body: { color } });
      queries.refresh(['pickers']);
    });
  }

  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose} size="gloves">
      <ul className={styles.colors}>
        {PICKER_COLORS.map((color) => (
          <li key={color}>
            <Button className={styles.color ?? ''} aria-pressed={color === own} onPress={() => choose(color)}>
              <Disc color={color} />
              {capital(color)}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
