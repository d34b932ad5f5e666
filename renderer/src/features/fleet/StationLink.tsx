import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type Props = {
  url: string;
  /** Whether the link is to this station. */
  own: boolean;
  /** Path of the page on that station, without a leading slash. */
  path?: string;
  className?: string | undefined;
  label?: string;
  tabIndex?: 0 | -1;
  children?: ReactNode;
};

/** Links to a page of a station. Without a known address of the station, renders only the text. */
export function StationLink({ url, own, path = '', className, label, tabIndex, children }: Props) {
  const shared = { className: className ?? '', 'aria-label': label, tabIndex, 'data-control': 'open' };
  if (own)
    return (
      <Link {...shared} href={`/${path}`}>
        {children}
      </Link>
    );
  if (!URL.canParse(url)) return <span className={className}>{children}</span>;
  return (
    <a {...shared} href={new URL(path, url).href} target="_blank" rel="noreferrer">
      {children ?? <ExternalLink size={18} aria-hidden="true" />}
    </a>
  );
}
