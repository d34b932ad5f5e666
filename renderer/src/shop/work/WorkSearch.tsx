import { createContext, type ReactNode, use } from 'react';
import { Marked, SearchedProvider } from '../../kit/Marked.tsx';
import styles from './WorkTable.module.css';

const Containing = createContext<ReadonlyMap<string, string>>(new Map());

type Props = { wanted: string; containing: ReadonlyMap<string, string>; children: ReactNode };

/** What the rows in it mark: what is searched for, and the texts in which it was found. */
export function WorkSearch({ wanted, containing, children }: Props) {
  return (
    <SearchedProvider value={wanted}>
      <Containing value={containing}>{children}</Containing>
    </SearchedProvider>
  );
}

/** The text of this order or sequence in which the station found what is searched for, if it is not the name itself. */
export function FoundInside({ name }: { name: string }) {
  const text = use(Containing).get(name);
  if (text === undefined || text === name) return null;
  return (
    <span className={styles.inside} title={text}>
      <Marked text={text} />
    </span>
  );
}
