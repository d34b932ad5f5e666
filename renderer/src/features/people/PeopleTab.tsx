import { ChevronDown, Grip, GripHorizontal, KeyRound, LogOut, ShieldCheck, Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#shared/api/access.ts';
import { useStationState } from '../../station/context.ts';
import { useSettings } from '../../station/useSettings.ts';
import { Button } from '../../kit/button/Button.tsx';
import { dotted } from '../../words/dotted.ts';
import { CopyLine } from '../../kit/button/CopyLine.tsx';
import styles from '../../kit/list/lists.module.css';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import { Moment } from '../../shop/Moment.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ListPart, ShownOnce, useList } from '../../shop/ListPart.tsx';
import { AddPerson, type Added, AskAway, ChangeRole, SetPassword, SetPin } from './PersonDialogs.tsx';

const words = texts.users.person;
const pinWords = texts.kiosk.pin;

type Act = 'role' | 'password' | 'pin' | 'removePin' | 'end' | 'remove';

type Doing = { kind: Act; user: User } | { kind: 'add' } | { kind: 'told'; told: Added };

/** Lists the people who can sign in, with their roles. */
export function PeopleTab() {
  const { api, toasts } = useServices();
  const own = useStationState(({ station }) => station?.user.name);
  const loaded = useList('users', () => api.listUsers());
  const [doing, setDoing] = useState<Doing>();
  usePaletteActions([
    { id: 'addPerson', words: words.add, hint: texts.users.title, run: () => setDoing({ kind: 'add' }) },
  ]);

  function close(): void {
    setDoing(undefined);
  }

  function done(): void {
    close();
    loaded.reload();
  }

  function showAdded(told: Added): void {
    setDoing(told.password === '' ? undefined : { kind: 'told', told });
    loaded.reload();
  }

  const dialogOf = (user: User) => ({ user, isOwn: user.username === own, onDone: done, onClose: close });
  const users = loaded.value ?? [];
  return (
    <ListPart
      lead={words.lead}
      loaded={loaded}
      action={
        <Button look="primary" onPress={() => setDoing({ kind: 'add' })}>
          <UserPlus size={18} aria-hidden="true" />
          {words.add}
        </Button>
      }
    >
      <ul className={styles.list} aria-label={words.list}>
        {users.map((user) => (
          <PersonRow
            key={user.username}
            user={user}
            isOwn={user.username === own}
            act={(kind) => setDoing({ kind, user })}
          />
        ))}
      </ul>
      {users.length === 1 && (
        <p className={`${parts.quiet} ${styles.hint}`}>
          <strong>{words.alone.title}.</strong> {words.alone.body}
        </p>
      )}
      {doing?.kind === 'add' && (
        <AddPerson
          onClose={close}
          onAdded={(added) => {
            if (added.password === '') toasts.show(words.added(added.username));
            showAdded(added);
          }}
        />
      )}
      {doing?.kind === 'told' && <Told {...doing.told} onDone={close} />}
      {doing?.kind === 'role' && <ChangeRole {...dialogOf(doing.user)} />}
      {doing?.kind === 'password' && <SetPassword {...dialogOf(doing.user)} onDone={showAdded} />}
      {doing?.kind === 'pin' && <SetPin {...dialogOf(doing.user)} />}
      {(doing?.kind === 'end' || doing?.kind === 'remove' || doing?.kind === 'removePin') && (
        <AskAway kind={doing.kind} {...dialogOf(doing.user)} />
      )}
    </ListPart>
  );
}

/** Host names that work only on the station's machine. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** Shows the credentials of a new user, which the admin passes on. */
function Told({ username, password, onDone }: Added & { onDone(): void }) {
  const { title, lead, address, name, password: label, done, onlyHere } = texts.users.handedOver;
  const { value: settings } = useSettings();
  const here = LOOPBACK.test(window.location.hostname) ? undefined : `${window.location.origin}/`;
  const reached = here ?? settings?.exposure.addresses.find((url) => !LOOPBACK.test(new URL(url).hostname));
  return (
    <ShownOnce title={title(username)} lead={lead} done={done} onDone={onDone}>
      {reached !== undefined && <CopyLine label={address} value={reached} />}
      {reached === undefined && settings !== undefined && <p className={parts.care}>{onlyHere(username)}</p>}
      <CopyLine label={name} value={username} />
      <CopyLine label={label} value={password} />
    </ShownOnce>
  );
}

type RowProps = { user: User; isOwn: boolean; act(kind: Act): void };

function PersonRow({ user: { username, role, last_sign_in, sessions, has_pin: hasPin }, isOwn, act }: RowProps) {
  const [, navigate] = useLocation();
  return (
    <li className={styles.row}>
      <span className={styles.sign} aria-hidden="true">
        {initialsOf(username)}
      </span>
      <p className={styles.who}>
        <span className={styles.name}>
          {username}
          {isOwn && <span className={`${parts.small} ${styles.badge}`}>{words.you}</span>}
        </span>
        <span className={parts.quiet}>{dotted(texts.users.roles[role].word, hasPin ? pinWords.has : '')}</span>
      </p>
      <p className={styles.facts}>
        <span>{last_sign_in === null ? words.neverSignedIn : <Moment at={last_sign_in} words={words.signedIn} />}</span>
        {(last_sign_in !== null || sessions > 0) && <span className={parts.quiet}>{words.sessions(sessions)}</span>}
      </p>
      <div className={styles.do}>
        <Menu
          label={words.manageOf(username)}
          placement="bottom end"
          trigger={
            <Button aria-label={words.manageOf(username)}>
              {words.manage}
              <ChevronDown size={16} aria-hidden="true" />
            </Button>
          }
          groups={menuOf(
            [
              { id: 'role', words: words.changeRole, icon: ShieldCheck, run: () => act('role') },
              isOwn
                ? { id: 'password', words: words.ownPassword, icon: KeyRound, run: () => navigate('/settings') }
                : { id: 'password', words: words.setPassword, icon: KeyRound, run: () => act('password') },
              ...(role === 'picker'
                ? [{ id: 'pin', words: hasPin ? pinWords.change : pinWords.set, icon: Grip, run: () => act('pin') }]
                : []),
              ...(hasPin
                ? [{ id: 'removePin', words: pinWords.remove, icon: GripHorizontal, run: () => act('removePin') }]
                : []),
              // Always enabled, because the person may have opened new sessions in the meantime.
              { id: 'end', words: isOwn ? words.endOwn : words.end, icon: LogOut, run: () => act('end') },
            ],
            [{ id: 'remove', words: words.remove, icon: Trash2, run: () => act('remove') }],
          )}
        />
      </div>
    </li>
  );
}

/** Returns one or two letters that stand for a person in the list. */
function initialsOf(name: string): string {
  const names = name.split(/[\s.@_-]+/).filter(Boolean);
  const letters = names.length > 1 ? [names[0], names.at(-1)] : names;
  return letters.map((part) => String.fromCodePoint(part?.codePointAt(0) ?? 0x20).toUpperCase()).join('');
}
