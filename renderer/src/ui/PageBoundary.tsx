import { Component, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { ErrorState } from './ErrorState.tsx';
import { texts } from './texts.ts';

type Props = { children: ReactNode; reload(): void };

/** A page that breaks says so and offers to reload; the frame around it goes on working. */
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
              <Button look="primary" onPress={this.props.reload}>
                {texts.frame.broken.reload}
              </Button>
            </>
          }
        />
      </main>
    );
  }
}
