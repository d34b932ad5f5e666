import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { useStationContext } from '../../station/context.ts';
import { shopClock } from '../../words/shopClock.ts';

const words = texts.orders.old;

const STATES = ['fulfilled', 'aborted'] as const;
const DAYS = ['7', '30', '90'] as const;

type Draft = { state: (typeof STATES)[number]; days: (typeof DAYS)[number] };

/** Deletes all orders that ended at least a chosen number of days ago, in one call. */
export function RemoveOldDialog({ close }: { close(): void }) {
  const { api, toasts } = useServices();
  const { store } = useStationContext();
  const { draft, set } = useForm<Draft>({ state: 'fulfilled', days: '30' });
  return (
    <FormDialog
      title={words.title}
      submit={words.save}
      danger
      working={words.saving}
      draft={draft}
      save={async () => {
        const today = Date.now() - store.getState().clockSkewMs;
        const before = new Date(shopClock().startOfDay(today, -Number(draft.days))).toISOString();
        const { deleted } = await api.removeEndedOrders({ query: { state: draft.state, ended_before: before } });
        toasts.show(words.done(deleted));
        close();
      }}
      onClose={close}
    >
      <ChoiceField
        name="state"
        label={words.which}
        choices={STATES.map((id) => ({ id, text: words.states[id] }))}
        value={draft.state}
        onChange={(state) => set({ state })}
      />
      <ChoiceField
        name="ended_before"
        label={words.age}
        choices={DAYS.map((id) => ({ id, text: words.daysAgo(id) }))}
        value={draft.days}
        onChange={(days) => set({ days })}
      />
      <p className={parts.quiet}>{words.hint}</p>
    </FormDialog>
  );
}
