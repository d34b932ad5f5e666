import { createContext, type ReactNode, use } from 'react';
import { Marked, SearchedProvider } from '../../kit/Marked.tsx';
import styles from './WorkTable.module.css';

const Containing = createContext<ReadonlyMap<string, string>>(new Map());

type Props = { wanted: string; containing: ReadonlyMap<string, string>; children: ReactNode };

/** Highlights the searched text in rows, and provides the texts in which the station found the searched text. */
export function WorkSearch({ wanted, containing, children }: Props) {
  return (
    <SearchedProvider value={wanted}>
      <Containing value={containing}>{children}</Containing>
    </SearchedProvider>
  );
}

/**
 * Shows the text in this order or sequence in which the station found the searched text. Shows `otherwise` if there
 * is none, or if the text is the name itself.
 */
export function FoundInside({ name, otherwise }: { name: string; otherwise: string | undefined }) {
  const found = use(Containing).get(name);
  const text = found === undefined || found === name ? otherwise : found;
  if (text === undefined) return null;
  return (
    <span className={styles.inside} title={text}>
      <Marked text={text} />
    </span>
  );
}
