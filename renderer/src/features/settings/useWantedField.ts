import { type RefObject, useEffect } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Focuses the field named in the address (`?field=shop_name`) once it is drawn, because settings are loaded after the
 * page.
 */
export function useWantedField(content: RefObject<HTMLElement | null>): void {
  const [params] = useSearchParams();
  const name = params.get('field');
  useEffect(() => {
    const { current: box } = content;
    if (box === null || name === null) return undefined;
    const drawn = new MutationObserver(look);
    function look(): void {
      const field = box?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name ?? '')}"]`);
      if (field === null || field === undefined) return;
      drawn.disconnect();
      field.scrollIntoView({ block: 'center' });
      field.querySelector<HTMLElement>(FOCUSED)?.focus({ preventScroll: true });
    }
    drawn.observe(box, { childList: true, subtree: true });
    look();
    return () => drawn.disconnect();
  }, [content, name]);
}

const FOCUSED = 'input:not([type="hidden"]), textarea, button';
