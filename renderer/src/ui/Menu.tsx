import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import styles from './Menu.module.css';

export type MenuRow = { id: string; words: string; icon?: ReactNode; isDisabled?: boolean; run(): void };

/** Rows that belong together. With `chosen`, they are choices, and the row of that id is the present one. */
export type MenuGroup = { title?: string; chosen?: string; rows: readonly MenuRow[] };

type Props = {
  label: string;
  /** A Button; the menu opens beside it. */
  trigger: ReactNode;
  groups: readonly MenuGroup[];
  placement?: 'bottom start' | 'bottom end' | 'right bottom' | 'top';
};

/** A button that opens a short list of actions. */
export function Menu({ label, trigger, groups, placement = 'bottom start' }: Props) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
        <AriaMenu className={styles.menu ?? ''} aria-label={label}>
          {groups.map((group) => (
            <Group key={group.rows[0]?.id} group={group} label={label} />
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Group({ group: { title, chosen, rows }, label }: { group: MenuGroup; label: string }) {
  const selection =
    chosen === undefined
      ? {}
      : { selectionMode: 'single' as const, selectedKeys: [chosen], disallowEmptySelection: true };
  return (
    <MenuSection
      className={styles.group ?? ''}
      {...selection}
      {...(title === undefined ? { 'aria-label': label } : {})}
    >
      {title !== undefined && <Header className={styles.title ?? ''}>{title}</Header>}
      {rows.map(({ id, words, icon, isDisabled = false, run }) => (
        <MenuItem
          key={id}
          id={id}
          className={styles.row ?? ''}
          textValue={words}
          isDisabled={isDisabled}
          onAction={run}
        >
          <span className={styles.icon} aria-hidden="true">
            {icon}
          </span>
          {words}
          {id === chosen && <Check className={styles.check ?? ''} size={16} aria-hidden="true" />}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
