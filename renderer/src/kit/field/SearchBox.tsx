import { Search, X } from 'lucide-react';
import { type Ref, type RefObject, useDeferredValue, useRef, useState } from 'react';
import { Button, Group, Input, SearchField } from 'react-aria-components';
import parts from '../parts.module.css';
import styles from './SearchBox.module.css';
import { useSingleKeys } from './useSingleKeys.ts';

type Props = {
  label: string;
  clearLabel: string;
  input: Ref<HTMLInputElement>;
  value: string;
  onChange(text: string): void;
  /** Called when Enter is pressed. */
  onSubmit?(): void;
};

/** The search field of a page. The key `/` focuses it. */
export function SearchBox({ label, clearLabel, input, value, onChange, onSubmit }: Props) {
  return (
    <SearchField
      className={styles.search ?? ''}
      aria-label={label}
      value={value}
      onChange={onChange}
      onSubmit={() => onSubmit?.()}
    >
      <Group className={`${parts.middle2} ${styles.box}`}>
        <Search size={16} aria-hidden="true" />
        <Input ref={input} className={styles.input ?? ''} placeholder={label} />
        {value === '' ? (
          <kbd className={styles.key}>/</kbd>
        ) : (
          <Button className={styles.clear ?? ''} aria-label={clearLabel}>
            <X size={16} aria-hidden="true" />
          </Button>
        )}
      </Group>
    </SearchField>
  );
}

export type SearchState = {
  value: string;
  onChange(text: string): void;
  /** The text, deferred so that typing has priority over drawing results. */
  typed: string;
  isEmpty: boolean;
  input: RefObject<HTMLInputElement | null>;
};

/** Returns the state of a page's search. */
export function useSearch(): SearchState {
  const [value, onChange] = useState('');
  return useSearchOf(value, onChange);
}

/** Returns the state of a search whose text is kept elsewhere, for example in the address. */
export function useSearchOf(value: string, onChange: (text: string) => void): SearchState {
  const typed = useDeferredValue(value);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  return { value, onChange, typed, isEmpty: typed.trim() === '', input };
}

/** Elements that receive a typed `/` themselves, or that belong to a dialog. */
const NOT_HERE = 'input:not([type="checkbox"]), textarea, [role="dialog"], [role="alertdialog"]';

/** Makes `/` focus the search, except in fields and dialogs. */
export function useFindKey(input: RefObject<HTMLInputElement | null>): void {
  useSingleKeys((key) => (key === '/' ? () => input.current?.focus() : undefined), isTypedIn);
}

export function isTypedIn(target: Element): boolean {
  return target.closest(NOT_HERE) !== null;
}
