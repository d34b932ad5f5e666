import { ArrowLeft } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../ui/Button.tsx';

/** To the table of places. */
export function BackButton({ words }: { words: string }) {
  const [, navigate] = useLocation();
  return (
    <Button onPress={() => navigate('/locations')}>
      <ArrowLeft size={16} aria-hidden="true" />
      {words}
    </Button>
  );
}
