import { Plus, Tv } from 'lucide-react';
import { useState } from 'react';
import type { WallScreen, WallScreenLink } from '#shared/api/wallBoard.ts';
import { useStationContext } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { CopyLine } from '../../kit/button/CopyLine.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import styles from '../../kit/list/lists.module.css';
import parts from '../../kit/parts.module.css';
import { Moment } from '../../shop/Moment.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import { ListPart, Rows, ShownOnce, useList } from '../../shop/ListPart.tsx';

const words = texts.board.tab;

/** Lists the screens that show the wall board, and creates links for new ones. */
export function ScreensTab() {
  const { api, toasts } = useServices();
  const loaded = useList('screens', () => api.listScreens());
  const [doing, setDoing] = useState<'add' | WallScreen | WallScreenLink>();
  const add = () => setDoing('add');
  usePaletteActions([{ id: 'addScreen', words: words.add, hint: texts.users.title, run: add }]);

  async function remove({ id, name }: WallScreen): Promise<void> {
    await api.removeScreen({ path: { id } });
    toasts.show(words.removed(name));
    setDoing(undefined);
    loaded.reload();
  }

  function show(link: WallScreenLink): void {
    setDoing(link);
    loaded.reload();
  }

  const screens = loaded.value ?? [];
  return (
    <ListPart
      lead={words.lead}
      loaded={loaded}
      action={
        <Button look="primary" onPress={add}>
          <Plus size={18} aria-hidden="true" />
          {words.add}
        </Button>
      }
    >
      <Rows label={words.list} nothing={<EmptyState picture={<Tv size={32} strokeWidth={1.6} />} {...words.none} />}>
        {screens.map((screen) => (
          <ScreenRow key={screen.id} screen={screen} remove={() => setDoing(screen)} />
        ))}
      </Rows>
      {doing === 'add' && <AddScreen onAdded={show} onClose={() => setDoing(undefined)} />}
      {typeof doing === 'object' && 'url' in doing && <Link link={doing} onDone={() => setDoing(undefined)} />}
      {typeof doing === 'object' && !('url' in doing) && (
        <ConfirmDialog
          title={words.removeTitle(doing.name)}
          body={words.removeBody}
          confirm={words.removeConfirm}
          danger
          isOpen
          onConfirm={() => remove(doing)}
          onClose={() => setDoing(undefined)}
        />
      )}
    </ListPart>
  );
}

function ScreenRow({ screen: { name, created, sessions }, remove }: { screen: WallScreen; remove(): void }) {
  return (
    <li className={styles.row}>
      <span className={styles.sign} aria-hidden="true">
        <Tv size={20} />
      </span>
      <p className={styles.who}>
        <span className={styles.name}>{name}</span>
      </p>
      <p className={styles.facts}>
        <span>{words.sessions(sessions)}</span>
        <span className={parts.quiet}>
          <Moment at={created} words={words.created} />
        </span>
      </p>
      <div className={styles.do}>
        <Button words={words.remove} aria-label={words.removeOf(name)} onPress={remove} />
      </div>
    </li>
  );
}

function AddScreen({ onAdded, onClose }: { onAdded(link: WallScreenLink): void; onClose(): void }) {
  const { api } = useStationContext();
  const { draft, field } = useForm({ name: '' });
  const name = draft.name.trim();
  return (
    <FormDialog
      title={words.add}
      submit={words.addSubmit}
      draft={draft}
      check={(): FieldMessages => (name === '' ? { name: words.noName } : {})}
      save={async () => onAdded(await api.addScreen({ body: { name } }))}
      onClose={onClose}
    >
      <LineField {...field('name')} label={words.name} help={words.nameHelp} autoComplete="off" autoFocus />
    </FormDialog>
  );
}

/** Shows the link of a new screen, which is shown only once. */
function Link({ link: { name, url }, onDone }: { link: WallScreenLink; onDone(): void }) {
  // Null only in the answer to a repeated request, which this page does not send.
  if (url === null) return null;
  const isOnlyHere = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
  return (
    <ShownOnce title={words.linkTitle(name)} lead={words.linkLead} done={words.done} onDone={onDone}>
      <CopyLine label={words.link} value={url} />
      {isOnlyHere && <p className={parts.care}>{words.onlyHere}</p>}
    </ShownOnce>
  );
}
