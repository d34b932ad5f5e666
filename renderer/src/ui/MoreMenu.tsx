import { Ellipsis } from 'lucide-react';
import { Button } from './Button.tsx';
import { Menu, type MenuGroup } from './Menu.tsx';

type Props = {
  label: string;
  groups: readonly MenuGroup[];
  /** In a row of a table: whether it is on the way of Tab. */
  isCurrent?: boolean;
};

/** What else can be done with something, behind three dots at its end. */
export function MoreMenu({ label, groups, isCurrent = true }: Props) {
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
