import { ChevronDown, Search, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button as AriaButton, Input, ListBox, ListBoxItem, SearchField } from 'react-aria-components';
import { findIcon, type Icon, ICONS, iconWireName } from '#shared/screen/icons.ts';
import { findIconGlyph, hasIconSheets, type IconSize } from '#shared/screen/iconSheets.ts';
import type { Glyph } from '#shared/screen/sheet.ts';
import { type Paper, usePaper } from '../screen/paper.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import fields from '../../kit/field/fields.module.css';
import parts from '../../kit/parts.module.css';
import { useProblem } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import styles from './SignField.module.css';

type Props = {
  isOpen: boolean;
  /** The API name of the icon; empty if there is none. */
  value: string;
  choose(icon: string): void;
  close(): void;
};

/** A dialog that shows pictures of all icons, with a search. */
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
    <div className={parts.column3}>
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
        <p role="status" className={parts.figures}>
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
          <ListBoxItem id={icon.char} textValue={signTitle(icon)} className={`${parts.centered2} ${styles.sign}`}>
            <SignPicture char={icon.char} size={62} />
            <span className={styles.name}>{signTitle(icon)}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}

/** Whether the icons' glyphs are loaded. Starts loading them on first use. */
function useSigns(): boolean {
  const [isLoaded, setLoaded] = useState(hasIconSheets);
  useEffect(() => {
    if (isLoaded) return undefined;
    let isWanted = true;
    void loadSigns().then(() => {
      if (isWanted) setLoaded(hasIconSheets());
    });
    return () => {
      isWanted = false;
    };
  }, [isLoaded]);
  return isLoaded;
}

async function loadSigns(): Promise<void> {
  try {
    await import('#shared/screen/allIcons.ts');
  } catch {
    // The station is offline, so icons are shown by name.
  }
}

/** An icon as a device draws it, pixel by pixel. The picture is decorative, because the icon's name is next to it. */
export function SignPicture({ char, size }: { char: string; size: IconSize }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paper = usePaper();
  const isReady = useSigns();
  useEffect(() => {
    const glyph = isReady ? findIconGlyph(char, size) : undefined;
    if (glyph !== undefined && canvas.current !== null) draw(canvas.current, glyph, size, paper);
  }, [char, size, paper, isReady]);
  return (
    <span className={styles.paper} aria-hidden="true">
      <canvas
        ref={canvas}
        className={styles.signPictureSign}
        width={size}
        height={size}
        style={{ width: size, height: size }}
      />
    </span>
  );
}

function draw(canvas: HTMLCanvasElement, glyph: Glyph, size: IconSize, { ink, paper }: Paper): void {
  const image = new ImageData(size, size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) image.data.set([...(isInk(glyph, x, y) ? ink : paper), 255], (y * size + x) * 4);
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

function isInk({ left, top, width, height, stride, bits }: Glyph, x: number, y: number): boolean {
  const [column, row] = [x - left, y - top];
  if (column < 0 || row < 0 || column >= width || row >= height) return false;
  return ((bits[row * stride + (column >> 3)] ?? 0) & (0x80 >> (column & 7))) !== 0;
}

/** Returns the display name of an icon, such as `No smoking`. Other text stays unchanged. */
export function signName(icon: string): string {
  const sign = findIcon(icon);
  return sign === undefined ? icon : signTitle(sign);
}

function signTitle({ name }: Icon): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Finds icons that match every word of a search in their name, aliases or API name. */
export function findSigns(search: string): readonly Icon[] {
  const words = search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return ICONS;
  return ICONS.filter((icon) => {
    const known = `${icon.name.replaceAll('-', ' ')} ${texts.signs.also[icon.name] ?? ''}`.toLowerCase();
    // Also compare the exact name, because the case of a character after `hazard` selects a different icon.
    return iconWireName(icon) === search.trim() || words.every((word) => known.includes(word));
  });
}

type IconFieldProps = {
  /** The API name of the icon; empty if there is none. */
  value: string;
  pick(): void;
  autoFocus?: boolean;
};

/** A field for the icon of a screen. Pressing it opens the dialog. */
export function IconField({ value, pick, autoFocus = false }: IconFieldProps) {
  const { isInvalid, error } = useProblem('icon');
  const label = useId();
  const words = useId();
  const sign = findIcon(value);
  return (
    <div className={fields.field} data-field data-invalid={isInvalid || undefined}>
      <span id={label} className={fields.label}>
        {texts.form.icon}
      </span>
      <AriaButton
        className={`${fields.trigger ?? ''} ${styles.trigger ?? ''}`}
        aria-labelledby={`${label} ${words}`}
        autoFocus={autoFocus}
        onPress={pick}
      >
        {sign !== undefined && <SignPicture char={sign.char} size={44} />}
        <span id={words} className={parts.clip}>
          {value === '' ? texts.signs.none : signName(value)}
        </span>
        <ChevronDown size={16} aria-hidden="true" />
      </AriaButton>
      {error}
    </div>
  );
}
