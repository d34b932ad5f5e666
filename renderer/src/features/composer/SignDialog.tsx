import { Search, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button as AriaButton, Input, ListBox, ListBoxItem, SearchField } from 'react-aria-components';
import { findIcon, ICONS, iconWireName } from '#shared/screen/icons.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import fields from '../../ui/fields.module.css';
import { texts } from '../../ui/texts.ts';
import styles from './SignDialog.module.css';
import { SignPicture } from './SignPicture.tsx';
import { findSigns, signTitle } from './signWords.ts';

type Props = {
  isOpen: boolean;
  /** The sign by the name that callers give it; empty where there is none. */
  value: string;
  choose(icon: string): void;
  close(): void;
};

/** All signs with their pictures, to be found by a word. */
export function SignDialog({ isOpen, close, ...props }: Props) {
  return (
    <Dialog title={texts.signs.title} isOpen={isOpen} onClose={close} size="large">
      <Signs {...props} close={close} />
    </Dialog>
  );
}

function Signs({ value, choose, close }: Omit<Props, 'isOpen'>) {
  const [search, setSearch] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const found = findSigns(search);
  const chosen = findIcon(value)?.char;
  const [first] = found;

  function take(icon: string): void {
    choose(icon);
    close();
  }

  return (
    <div className={styles.signs}>
      <div className={styles.head}>
        <SearchField
          className={styles.search ?? ''}
          aria-label={texts.signs.search}
          value={search}
          onChange={setSearch}
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Enter' && search.trim() !== '' && first !== undefined) take(iconWireName(first));
            if (event.key !== 'ArrowDown') event.continuePropagation();
            else list.current?.querySelector<HTMLElement>('[role="option"]')?.focus();
          }}
        >
          <div className={fields.box}>
            <Search size={16} aria-hidden="true" className={styles.glass} />
            <Input className={fields.input ?? ''} placeholder={texts.signs.search} />
            {search !== '' && (
              <AriaButton className={fields.step ?? ''} aria-label={texts.station.clearSearch}>
                <X size={16} aria-hidden="true" />
              </AriaButton>
            )}
          </div>
        </SearchField>
        <p role="status" className={styles.count}>
          {texts.signs.found(found.length, ICONS.length)}
        </p>
        {value !== '' && <Button onPress={() => take('')}>{texts.signs.noSign}</Button>}
      </div>
      <ListBox
        ref={list}
        className={styles.list ?? ''}
        aria-label={texts.signs.list}
        layout="grid"
        selectionMode="single"
        selectedKeys={chosen === undefined ? [] : [chosen]}
        onAction={(char) => take(`hazard${String(char)}`)}
        items={found.map((icon) => ({ ...icon, id: icon.char }))}
        renderEmptyState={() => <p className={styles.none}>{texts.signs.nothing(search.trim())}</p>}
      >
        {(icon) => (
          <ListBoxItem id={icon.char} textValue={signTitle(icon)} className={styles.sign ?? ''}>
            <SignPicture char={icon.char} size={62} />
            <span className={styles.name}>{signTitle(icon)}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}
