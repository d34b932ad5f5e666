import { Check, Ellipsis, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { type Right, scopeFor } from '#shared/api/rights.ts';
import { useDenied } from '../denied.ts';
import { Button } from '../button/Button.tsx';
import parts from '../parts.module.css';
import styles from './Menu.module.css';
import * as texts from '../../words/texts.ts';

export type MenuRow = {
  id: string;
  words: string;
  icon?: LucideIcon;
  isDisabled?: boolean;
  /** The required right. If the person lacks it, the row is disabled and explains why. */
  needs?: Right;
  run(): void;
};

/** A group of rows. With `chosen`, they are choices, and the row with that id is selected. */
export type MenuGroup = { title?: string; chosen?: string; rows: readonly MenuRow[] };

/** Builds the groups of a menu. Drops rows that are false, and groups that are empty. */
export function menuOf(...groups: readonly (readonly (MenuRow | false)[])[]): MenuGroup[] {
  return groups.map((rows) => ({ rows: rows.filter((row) => row !== false) })).filter(({ rows }) => rows.length > 0);
}

type Props = {
  label: string;
  /** The button next to which the menu opens. */
  trigger: ReactNode;
  groups: readonly MenuGroup[];
  placement?: 'bottom start' | 'bottom end' | 'right bottom' | 'top';
};

/** A button that opens a menu of actions. */
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
      {title !== undefined && <Header className={`${parts.small} ${styles.title}`}>{title}</Header>}
      {rows.map((row) =>
        row.needs === undefined ? (
          <Row key={row.id} row={row} isChosen={row.id === chosen} />
        ) : (
          <NeedingRow key={row.id} row={row} needs={row.needs} isChosen={row.id === chosen} />
        ),
      )}
    </MenuSection>
  );
}

function NeedingRow({ needs, ...props }: { row: MenuRow; needs: Right; isChosen: boolean }) {
  const denied = useDenied(needs);
  return <Row {...props} denied={denied === undefined ? undefined : texts.frame.needs(scopeFor(needs, false))} />;
}

type RowProps = { row: MenuRow; isChosen: boolean; denied?: string | undefined };

function Row({ row: { id, words, icon: Icon, isDisabled = false, run }, isChosen, denied }: RowProps) {
  return (
    <MenuItem
      id={id}
      className={`${parts.middle2} ${styles.row}`}
      textValue={words}
      isDisabled={isDisabled || denied !== undefined}
      data-denied={denied === undefined ? undefined : true}
      onAction={run}
    >
      <span className={styles.icon} aria-hidden="true">
        {Icon !== undefined && <Icon size={16} />}
      </span>
      {denied === undefined ? (
        words
      ) : (
        <span className={styles.words}>
          {words}
          <span className={styles.reason}>{denied}</span>
        </span>
      )}
      {isChosen && <Check className={styles.check ?? ''} size={16} aria-hidden="true" />}
    </MenuItem>
  );
}

type MoreMenuProps = {
  label: string;
  groups: readonly MenuGroup[];
  /** Whether Tab stops in the table row that contains the menu. */
  isCurrent?: boolean;
};

/** A menu of additional actions, opened by a button with three dots. */
export function MoreMenu({ label, groups, isCurrent = true }: MoreMenuProps) {
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={
        <Button look="icon" aria-label={label} excludeFromTabOrder={!isCurrent} data-control="menu">
          <Ellipsis size={20} aria-hidden="true" />
        </Button>
      }
      groups={groups}
    />
  );
}
