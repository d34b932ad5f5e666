import { Lock, Tablet } from 'lucide-react';
import { useState } from 'react';
import type { Kiosk } from '#shared/api/kiosk.ts';
import { useKiosk, useStationContext } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import styles from '../../kit/list/lists.module.css';
import { Moment } from '../../shop/Moment.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ListPart, Rows, useList } from '../../shop/ListPart.tsx';

const words = texts.kiosk.tab;

/** Lists browsers that are locked to Pick, and lets an admin lock this one. */
export function KiosksTab() {
  const { api, toasts } = useServices();
  const { session } = useStationContext();
  const here = useKiosk();
  const loaded = useList('kiosks', () => api.listKiosks());
  const [doing, setDoing] = useState<'lock' | Kiosk>();
  usePaletteActions(
    here === null
      ? [{ id: 'lockBrowser', words: words.lock, hint: texts.users.title, run: () => setDoing('lock') }]
      : [],
  );

  async function unlock({ id, name }: Kiosk): Promise<void> {
    await api.removeKiosk({ path: { id } });
    await session.lookAtKiosk();
    toasts.show(words.unlocked(name));
    setDoing(undefined);
    loaded.reload();
  }

  const kiosks = loaded.value ?? [];
  return (
    <ListPart
      lead={words.lead}
      loaded={loaded}
      action={
        here === null && (
          <Button look="primary" onPress={() => setDoing('lock')}>
            <Lock size={18} aria-hidden="true" />
            {words.lock}
          </Button>
        )
      }
    >
      <Rows label={words.list} nothing={<EmptyState {...words.none} />}>
        {kiosks.map((kiosk) => (
          <KioskRow key={kiosk.id} kiosk={kiosk} isHere={kiosk.id === here?.id} unlock={() => setDoing(kiosk)} />
        ))}
      </Rows>
      {doing === 'lock' && <LockBrowser onClose={() => setDoing(undefined)} />}
      {typeof doing === 'object' && (
        <ConfirmDialog
          title={words.unlockTitle(doing.name)}
          body={words.unlockBody}
          confirm={words.unlockConfirm}
          isOpen
          onConfirm={() => unlock(doing)}
          onClose={() => setDoing(undefined)}
        />
      )}
    </ListPart>
  );
}

type RowProps = { kiosk: Kiosk; isHere: boolean; unlock(): void };

function KioskRow({ kiosk: { name, created, sessions }, isHere, unlock }: RowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.sign} aria-hidden="true">
        <Tablet size={20} />
      </span>
      <p className={styles.who}>
        <span className={styles.name}>
          {name}
          {isHere && <span className={`${parts.small} ${styles.badge}`}>{words.here}</span>}
        </span>
      </p>
      <p className={styles.facts}>
        <span>
          <Moment at={created} words={words.created} />
        </span>
        <span className={parts.quiet}>{words.sessions(sessions)}</span>
      </p>
      <div className={styles.do}>
        <Button aria-label={words.unlockOf(name)} words={words.unlock} onPress={unlock} />
      </div>
    </li>
  );
}

function LockBrowser({ onClose }: { onClose(): void }) {
  const { session } = useStationContext();
  const { draft, field } = useForm({ name: '' });
  const name = draft.name.trim();
  return (
    <FormDialog
      title={words.lockTitle}
      submit={words.lockSubmit}
      draft={draft}
      check={(): FieldMessages => (name === '' ? { name: words.noName } : {})}
      save={() => session.lock(name)}
      onClose={onClose}
    >
      <p>{words.lockLead}</p>
      <LineField {...field('name')} label={words.name} help={words.nameHelp} autoComplete="off" autoFocus />
    </FormDialog>
  );
}
