import {
  createContext,
  use,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react';
import { FieldError, Form } from 'react-aria-components';
import styles from './fields.module.css';

type Problems = Readonly<Record<string, string | undefined>>;

const Context = createContext<Problems>({});

type Props = Pick<ComponentProps<typeof Form>, 'className' | 'aria-label' | 'id'> & {
  problems: Problems;
  onSubmit(): void;
  children: ReactNode;
};

/**
 * A form that shows each error at its field. Submitting with errors moves the focus to the first invalid field.
 * Messages stay until the form changes `problems`: if leaving a field removed its message, the submit button would
 * move away from the mouse.
 */
export function ProblemForm({ problems, onSubmit, children, ...props }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const isAsked = useRef(false);
  const [, setTries] = useState(0);

  useEffect(() => {
    if (!isAsked.current) return;
    const field = form.current?.querySelector<HTMLElement>(WRONG);
    if (field === null || field === undefined) return;
    isAsked.current = false;
    field.focus();
    field.closest('[data-field]')?.scrollIntoView({ block: 'nearest' });
  });

  useEffect(() => {
    // Do not move the focus after the user has begun to type.
    const rest = () => (isAsked.current = false);
    const here = form.current;
    here?.addEventListener('input', rest);
    return () => here?.removeEventListener('input', rest);
  }, []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    isAsked.current = true;
    setTries((tries) => tries + 1);
    onSubmit();
  }

  return (
    <Form {...props} ref={form} onSubmit={submit} validationBehavior="aria">
      <Context value={problems}>{children}</Context>
    </Form>
  );
}

const WRONG = ['input', 'textarea', 'button'].map((tag) => `[data-field][data-invalid] ${tag}`).join();

/** Returns whether a field has an error, and the error message. */
export function useProblem(name: string): { isInvalid: boolean; error: ReactNode } {
  const problem = use(Context)[name] ?? '';
  return { isInvalid: problem !== '', error: <FieldError className={styles.error ?? ''}>{problem}</FieldError> };
}
