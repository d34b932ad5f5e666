import { ArrowLeft } from 'lucide-react';
import { useLocation } from 'wouter';
import styles from './BackButton.module.css';
import { Button } from './Button.tsx';

/** From a view of a page to the page itself. On a phone it is an arrow before the title. */
export function BackButton({ words, to }: { words: string; to: string }) {
  const [, navigate] = useLocation();
  return (
    <span className={styles.back} data-back>
      <Button onPress={() => navigate(to)}>
        <ArrowLeft size={16} aria-hidden="true" />
        <span className={styles.words}>{words}</span>
      </Button>
    </span>
  );
}
