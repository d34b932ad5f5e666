import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button, Group, Input, SearchField } from 'react-aria-components';
import parts from './parts.module.css';
import styles from './SearchBox.module.css';

type Props = {
  label: string;
  clearLabel: string;
  input: Ref<HTMLInputElement>;
  value: string;
  onChange(text: string): void;
  /** Enter. */
  onSubmit?(): void;
};

/** Where to look for something on a page; the key `/` goes there. */
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
