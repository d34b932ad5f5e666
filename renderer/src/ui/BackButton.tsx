import { ArrowLeft } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from './Button.tsx';

/** From a view of a page to the page itself. */
export function BackButton({ words, to }: { words: string; to: string }) {
  const [, navigate] = useLocation();
  return (
    <Button onPress={() => navigate(to)}>
      <ArrowLeft size={16} aria-hidden="true" />
      {words}
    </Button>
  );
}
