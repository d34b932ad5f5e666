import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type Props = {
  url: string;
  /** It is this station. */
  own: boolean;
  /** Path of its page, without a slash at the beginning. */
  path?: string;
  className?: string | undefined;
  label?: string;
  tabIndex?: 0 | -1;
  children?: ReactNode;
};

/** Leads to a page of a station; where its address is not known, only the words. */
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
