import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { useLocation } from 'wouter';
import parts from '../parts.module.css';
import styles from './Tabs.module.css';

export type TabRow = { id: string; word: string; content: ReactNode };

type Props = {
  /** Name of the tabs for screen readers. */
  label: string;
  tabs: readonly TabRow[];
  /** Id of the selected tab, or undefined if the component keeps the selection itself. */
  selected?: string;
  onSelect?(id: string): void;
};

type AddressedProps = {
  label: string;
  /** The tabs and their addresses. Other addresses show the first tab. */
  tabs: readonly (TabRow & { path: string })[];
};

/** Tabs that each have an address. */
export function AddressedTabs({ label, tabs }: AddressedProps) {
  const [path, navigate] = useLocation();
  const shown = tabs.findLast((tab) => path.startsWith(tab.path)) ?? tabs[0];
  return (
    <Tabs
      label={label}
      tabs={tabs}
      selected={shown?.id ?? ''}
      onSelect={(id) => {
        const next = tabs.find((tab) => tab.id === id);
        if (next !== undefined && next !== shown) navigate(next.path);
      }}
    />
  );
}

/** Tabs, of which only the selected one is drawn. */
export function Tabs({ label, tabs, selected, onSelect }: Props) {
  return (
    <AriaTabs
      className={`${parts.column4} ${styles.tabs}`}
      {...(selected === undefined ? {} : { selectedKey: selected })}
      onSelectionChange={(key) => onSelect?.(String(key))}
    >
      <TabList className={styles.list ?? ''} aria-label={label}>
        {tabs.map(({ id, word }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {word}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
