import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import button from './Button.module.css';
import { EmptyState } from './EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';
import { texts } from './texts.ts';

/** An address where nothing stands, and the way on. */
export function UnknownPage({ path }: { path: string }) {
  return (
    <div>
      <PageHeader title={texts.frame.unknown.title} />
      <main>
        <EmptyState
          picture={<Compass size={32} strokeWidth={1.6} />}
          title={texts.frame.unknown.nothing}
          body={texts.frame.unknown.body(path)}
          action={
            <Link href="/" className={button.button ?? ''} data-look="primary">
              {texts.frame.unknown.home}
            </Link>
          }
        />
      </main>
    </div>
  );
}
