import { Compass } from 'lucide-react';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState, ErrorState } from '../../kit/feedback/EmptyState.tsx';
import styles from './PageBoundary.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';

type Props = {
  children: ReactNode;
  /** Renders a replacement after the children have crashed. `again` renders the children again. */
  fallback(again: () => void): ReactNode;
};

/** Renders `fallback` if the children crash, so that the rest of the window keeps working. */
class Boundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return this.props.fallback(() => this.setState({ broken: false }));
  }
}

type Retry = { again(): void; reload(): void };

/** Shows that a page crashed and offers to reload; the frame around it keeps working. */
export function PageBoundary({ children, reload }: { children: ReactNode; reload(): void }) {
  const fallback = (again: () => void) => <BrokenPage again={again} reload={reload} />;
  return <Boundary fallback={fallback}>{children}</Boundary>;
}

/** Replaces a page. A page whose file could not be loaded while the station was away is loaded once the station is back. */
function BrokenPage({ again, reload }: Retry) {
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const isLive = useStationState(({ connection }) => connection.kind === 'live');
  const [wasLost] = useState(isLost);
  useEffect(() => {
    if (wasLost && isLive) reload();
  }, [wasLost, isLive, reload]);
  const words = texts.frame.broken;
  if (wasLost)
    return (
      <main>
        <ErrorState title={words.away.title} body={words.away.body} />
      </main>
    );
  const action = (
    <>
      <Button onPress={again}>{words.again}</Button>
      <Button words={words.reload} look="primary" onPress={reload} />
    </>
  );
  return (
    <main>
      <ErrorState title={words.title} body={words.body} action={action} />
    </main>
  );
}

/** Shows that a part of the frame crashed, such as the rail; the page and the other parts keep working. */
export function PartBoundary({ children, part }: { children: ReactNode; part: keyof typeof texts.frame.brokenPart }) {
  const fallback = (again: () => void) => (
    <div role="alert" className={styles.part} data-part={part}>
      <p>{texts.frame.brokenPart[part]}</p>
      <Button onPress={again}>{texts.frame.broken.again}</Button>
    </div>
  );
  return <Boundary fallback={fallback}>{children}</Boundary>;
}

/** Shown at an unknown address. */
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
