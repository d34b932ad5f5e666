import { texts } from './texts.ts';

/** The mark of the product in the colours of the theme; `mark.svg` is the same for the browser's tab. */
export function Mark({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width={36} height={36} role="img" aria-label={texts.product}>
      <rect width="32" height="32" rx="9" fill="var(--control)" />
      <rect x="6.5" y="8" width="12.5" height="16" rx="2.2" fill="var(--on-control)" />
      <path d="M9.6 12.6h6.3M9.6 16h4.2M9.6 19.4h6.3" stroke="var(--control)" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="24" cy="16" r="3.1" fill="var(--on-control)" />
    </svg>
  );
}
