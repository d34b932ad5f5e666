import { createContext, type ReactNode, use } from 'react';
import { foundPart } from '#shared/lib/text/foundPart.ts';

const Searched = createContext('');

/** Provides the searched text to `Marked` elements. */
export const SearchedProvider = Searched.Provider;

type Props = {
  text: string;
  /** Content for a text without a match. */
  children?: ReactNode;
};

/** A text in which the searched part is marked. */
export function Marked({ text, children = text }: Props) {
  const found = foundPart(text, use(Searched));
  if (found === undefined) return children;
  const { start, end } = found;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
