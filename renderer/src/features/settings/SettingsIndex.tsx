import { createContext, type RefObject, use, useEffect, useState } from 'react';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import * as texts from '../../words/texts.ts';
import { type GroupId, type IndexedGroup, inParts, readGroup } from './groups.ts';
import styles from './SettingsIndex.module.css';

/** Groups that the search hides. Their forms stay mounted, so that typed values are kept. */
const Hidden = createContext<ReadonlySet<GroupId>>(new Set());
export const HiddenGroups = Hidden.Provider;

export function useIsHidden(id: GroupId): boolean {
  return use(Hidden).has(id);
}

type Props = {
  groups: readonly IndexedGroup[];
  current: GroupId | undefined;
  /** A short notice about a group, if any. */
  news: Partial<Record<GroupId, string>>;
  go(id: GroupId): void;
};

/** Links to the groups by heading and marks the current group. On a phone, it is a select field. */
export function SettingsIndex({ groups, current, news, go }: Props) {
  const words = texts.settings.index;
  const [first] = groups;
  return (
    <nav className={styles.index} aria-label={words.label}>
      <div className={styles.parts}>
        {inParts(groups).map((each) => (
          <div key={each.part}>
            <p id={`part-${each.part}`} className={styles.part}>
              {each.title}
            </p>
            <ul aria-labelledby={`part-${each.part}`}>
              {each.groups.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} className={styles.link}>
                    {title}
                    {(news[id] ?? '') !== '' && (
                      <span className={styles.news}>
                        <span className="visuallyHidden">{news[id]}</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {first !== undefined && (
        <div className={styles.choice}>
          <ChoiceField
            name="group"
            label={words.label}
            value={current ?? first.id}
            onChange={go}
            choices={groups.map(({ id, title }) => ({ id, text: [title, news[id] ?? ''].filter(Boolean).join(': ') }))}
          />
        </div>
      )}
    </nav>
  );
}

/** Returns the group that is in view. Also scrolls to the group named in the address as soon as it is drawn. */
export function useReadGroup(content: RefObject<HTMLElement | null>, groups: readonly IndexedGroup[]) {
  const [current, setCurrent] = useState<GroupId>();

  useEffect(() => {
    const { current: box } = content;
    if (box === null) return undefined;
    let wanted = window.location.hash.slice(1);
    const look = (): void => {
      const edge = box.getBoundingClientRect().top;
      const tops = groups.flatMap(({ id }) => {
        const section = document.getElementById(id);
        return section === null || section.hidden ? [] : [{ id, top: section.getBoundingClientRect().top - edge }];
      });
      const isAtEnd = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
      setCurrent(readGroup(tops, isAtEnd));
    };
    // Settings are loaded after the page, so the browser cannot scroll to the group itself.
    const drawn = new MutationObserver(() => {
      const section = wanted === '' ? null : document.getElementById(wanted);
      if (section !== null) {
        wanted = '';
        section.scrollIntoView();
      }
      look();
    });
    drawn.observe(box, { childList: true, subtree: true, attributeFilter: ['hidden'] });
    box.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      drawn.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [content, groups]);

  return current;
}
