import { Compass } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button, ButtonLink } from './Button.tsx';
import { EmptyState, ErrorState } from './EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';
import { texts } from './texts.ts';

type Props = { children: ReactNode; reload(): void };

/** Shows that a page crashed and offers to reload; the frame around it keeps working. */
export class PageBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main>
        <ErrorState
          title={texts.frame.broken.title}
          body={texts.frame.broken.body}
          action={
            <>
              <Button onPress={() => this.setState({ broken: false })}>{texts.frame.broken.again}</Button>
              <Button words={texts.frame.broken.reload} look="primary" onPress={this.props.reload} />
            </>
          }
        />
      </main>
    );
  }
}

/** Page not found. */
export function UnknownPage({ path }: { path: string }) {
  return (
    <div>
      <PageHeader title={texts.frame.unknown.title} />
      <main>
        <EmptyState
          picture={<Compass size={32} strokeWidth={1.6} />}
          title={texts.frame.unknown.nothing}
          body={texts.frame.unknown.body(path)}
          action={<ButtonLink words={texts.frame.unknown.home} to="/" look="primary" />}
        />
      </main>
    </div>
  );
}
