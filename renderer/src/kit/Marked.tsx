import { createContext, type ReactNode, use } from 'react';
import { foundPart } from '#shared/lib/foundPart.ts';

const Searched = createContext('');

/** What is searched for around texts that mark it. */
export const SearchedProvider = Searched.Provider;

type Props = {
  text: string;
  /** Drawn instead of a text that does not contain what is searched for. */
  children?: ReactNode;
};

/** A text with the part marked that was searched for. */
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
