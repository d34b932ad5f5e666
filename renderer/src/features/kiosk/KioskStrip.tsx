import { Tablet } from 'lucide-react';
import { useKiosk, useStationContext } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Strip } from '../../kit/feedback/Strip.tsx';
import * as texts from '../../words/texts.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';

const words = texts.kiosk.strip;

/** Tells an admin that this browser is a kiosk, with a button to unlock it. Renders nothing in other browsers. */
export function KioskStrip() {
  const kiosk = useKiosk();
  const { session } = useStationContext();
  const { api, toasts } = useServices();
  const { busy, run } = useAttempt(words.failed, async () => {
    if (kiosk === null) return;
    await api.removeKiosk({ path: { id: kiosk.id } });
    await session.lookAtKiosk();
    toasts.show(words.unlocked);
  });
  if (kiosk === null) return null;
  return (
    <aside aria-label={words.is}>
      <Strip icon={Tablet} action={<Button words={words.unlock} busy={busy} onPress={run} />}>
        <strong>{words.is}</strong> {words.shows(kiosk.name)}
      </Strip>
    </aside>
  );
}
