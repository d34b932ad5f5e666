import { Barcode, Check, Pointer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import {
  CARRIER_KINDS,
  type CarrierKind,
  MAX_CARRIER_COLUMNS,
  MAX_CARRIER_ROWS,
} from '#shared/lib/picking/carriers.ts';
import { Button } from '../../kit/button/Button.tsx';
import type { KnownCarrier } from '../../station/useCarriers.ts';
import styles from '../../kit/dialog/dialogs.module.css';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import { type FieldMessages, NO_PROBLEMS, problemsOf } from '../../kit/field/fieldProblems.ts';
import { fieldsOf, LineField } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import parts from '../../kit/parts.module.css';
import { useLatest } from '../../kit/useLatest.ts';
import { choiceText, deviceNamed, PlaceField } from '../../shop/place/PlaceField.tsx';
import { useServices } from '../../shop/toasts.ts';
import type { CarrierInput } from '../../station/calls/cartApi.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import { ApiError } from '../../words/apiError.ts';
import { carts } from '../../words/carts.ts';
import own from './Carts.module.css';
import * as drafts from './cartDraft.ts';

const words = carts.form;
const FIELDS: ReadonlySet<string> = new Set(['name', 'rows', 'columns']);

type Props = {
  /** The cart or wall to change, or undefined for a new one. */
  carrier: KnownCarrier | undefined;
  onSaved(): void;
  onClose(): void;
};

/** Edits a cart or wall: its size, and the codes and devices of its slots. */
export function CartDialog({ carrier, onSaved, onClose }: Props) {
  const { kind, setKind, draft, setDraft, others, layout, check, save } = useCartForm(carrier);
  const field = fieldsOf(draft, (part) => setDraft((before) => ({ ...before, ...part })));
  const slots = drafts.slotNames(draft);
  const { selected, side, select } = layout;

  return (
    <FormDialog
      title={carrier === undefined ? words.addTitle : words.editTitle(carrier.name)}
      submit={carrier === undefined ? words.create : words.save}
      draft={[kind, draft]}
      check={check}
      save={async () => {
        await save();
        onSaved();
        onClose();
      }}
      problemsOf={(error) => (isChanged(error) ? NO_PROBLEMS : problemsOf(error, FIELDS, words.failed))}
      onClose={onClose}
      size="wide"
    >
      <div className={styles.form}>
        <div className={styles.column}>
          {carrier === undefined && (
            <div className={parts.rowMiddle}>
              <Segments
                label={carts.kind}
                value={kind}
                onChange={setKind}
                choices={CARRIER_KINDS.map((id) => ({ id, words: carts.kinds[id] }))}
              />
            </div>
          )}
          <LineField {...field('name')} label={words.name} autoComplete="off" autoFocus={carrier === undefined} />
          <LineField
            {...field('code')}
            label={words.code}
            hint={words.codeHint}
            help={words.codeHelp}
            autoComplete="off"
          />
          <div className={own.size}>
            <NumberLine {...field('rows')} label={words.rows} most={MAX_CARRIER_ROWS} />
            <NumberLine {...field('columns')} label={words.columns} most={MAX_CARRIER_COLUMNS} />
          </div>
          <div className={parts.rowMiddle}>
            <Button
              icon={Barcode}
              words={words.number}
              isDisabled={draft.code.trim() === ''}
              onPress={() => setDraft(drafts.withCodes)}
            />
            <span className={parts.quiet}>
              {draft.code.trim() === '' ? words.numberNeeds : words.numberHelp(draft.code.trim())}
            </span>
          </div>
        </div>
        {selected === undefined ? (
          <p className={parts.quiet}>{words.noSlots}</p>
        ) : (
          <div className={styles.column}>
            <SlotGrid draft={draft} slots={slots} selected={selected} select={(slot) => select(slot, side)} />
            <PressHint said={layout.said} todo={layout.isWhole ? words.allTaken[side] : words.press[side](selected)} />
            <div className={parts.rowMiddle}>
              <span aria-hidden="true">{words.side}</span>
              <Segments
                label={words.side}
                value={side}
                onChange={(next) => select(selected, next)}
                choices={drafts.SIDES.map((id) => ({ id, words: words.sides[id] }))}
              />
            </div>
            <SlotFields
              key={`${selected} ${layout.turn}`}
              draft={draft}
              slot={selected}
              set={(part) => setDraft((before) => drafts.withSlot(before, selected, part))}
            />
          </div>
        )}
      </div>
      <Failure>{others}</Failure>
    </FormDialog>
  );
}

/** The form of a cart or wall. `carrier` is the one to change, or undefined for a new one. */
function useCartForm(carrier: KnownCarrier | undefined) {
  const { api, toasts } = useServices();
  const places = useStationState((state) => state.places);
  const [kind, setKind] = useState<CarrierKind>(carrier?.kind ?? 'cart');
  const draftOf = (stored: Carrier | undefined) => drafts.draftOf(stored, (deviceid) => textOf(places, deviceid));
  const [draft, setDraft] = useState(() => draftOf(carrier));
  /** The cart or wall as the person last saw it. */
  const [seen, setSeen] = useState<Carrier | undefined>(carrier);
  const [others, setOthers] = useState('');
  const named = (typed: string) => deviceNamed(places, typed);
  const layout = useSlots(draft, setDraft, named);

  /** Returns the messages of invalid fields, and selects the slot of an invalid device. */
  function check(): FieldMessages {
    const found = drafts.deviceProblem(draft, named);
    if (found !== undefined) layout.select(found.slot, found.side);
    return {
      ...(draft.name.trim() === '' ? { name: words.noName } : {}),
      ...sizeProblem('rows', draft.rows, MAX_CARRIER_ROWS),
      ...sizeProblem('columns', draft.columns, MAX_CARRIER_COLUMNS),
      ...(found === undefined
        ? {}
        : {
            [found.side]: found.also === undefined ? words.unknown(found.typed) : words.twice(found.typed, found.also),
          }),
    };
  }

  async function replace(before: Carrier, body: CarrierInput): Promise<CarrierResult> {
    try {
      return await api.replaceCarrier({ kind, seen: before, carrier: body });
    } catch (error) {
      if (isChanged(error)) await adoptChanges(before);
      throw error;
    }
  }

  /** Adopts what somebody else has saved in the meantime. Lists fields that both have changed. */
  async function adoptChanges(before: Carrier): Promise<void> {
    const now = await api.loadCarrier(kind, before.id);
    const { draft: merged, conflicts } = drafts.merge(draft, draftOf(before), draftOf(now));
    setSeen(now);
    setDraft(merged);
    const changes = conflicts.map((each) => words.changedTo(each.slot, each.field, each.theirs));
    setOthers([words.changed, ...changes].join(' '));
  }

  async function save(): Promise<void> {
    setOthers('');
    const body = drafts.carrierIn(draft, named);
    const saved = seen === undefined ? await api.addCarrier(kind, body) : await replace(seen, body);
    const message = seen === undefined ? words.created(saved.name) : words.saved(saved.name);
    toasts.show([message, ...saved.warnings].join(' '));
  }

  return { kind, setKind, draft, setDraft, others, layout, check, save };
}

function isChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed';
}

/**
 * Tracks the selected slot. Pressing a device that has no command assigns it to the selected slot, and selects the next
 * slot without a device.
 */
function useSlots(
  draft: drafts.CartDraft,
  setDraft: (next: drafts.CartDraft) => void,
  named: (typed: string) => string | undefined,
) {
  const { store } = useStationContext();
  const slots = drafts.slotNames(draft);
  const [at, setAt] = useState<{ slot: string; side: drafts.CartSide }>({ slot: 'A1', side: 'front' });
  const [said, setSaid] = useState({ text: '', isRight: true });
  const [turn, setTurn] = useState(0);
  const selected = slots.includes(at.slot) ? at.slot : slots[0];

  const onPress = useLatest((deviceid: string): void => {
    if (selected === undefined) return;
    const here = { slot: selected, side: at.side };
    const { places } = store.getState();
    const name = places.find((place) => place.deviceid === deviceid)?.name;
    if (name === undefined) return setSaid({ text: words.notAccepted(deviceid), isRight: false });
    const other = drafts.servedBy(draft, named, deviceid, here);
    if (other !== undefined) return setSaid({ text: words.serves(name, other), isRight: false });
    const next = drafts.withSlot(draft, selected, { [here.side]: textOf(places, deviceid) });
    setDraft(next);
    setSaid({ text: words.taken(selected, name), isRight: true });
    setTurn((before) => before + 1);
    setAt({ slot: drafts.nextWithout(next, here) ?? selected, side: here.side });
  });
  useEffect(
    () =>
      store.subscribe((next, before) => {
        if (next.pressed !== undefined && next.pressed !== before.pressed) onPress.current(next.pressed.deviceid);
      }),
    [store, onPress],
  );

  return {
    selected,
    side: at.side,
    /** Whether every slot has a device on this side. */
    isWhole: slots.every((slot) => drafts.slotOf(draft, slot)[at.side].trim() !== ''),
    said,
    /** Number of presses that changed a field. Used as the key of the fields, so that they are remounted and none opens its list. */
    turn,
    select(slot: string, side: drafts.CartSide): void {
      setAt({ slot, side });
      setSaid({ text: '', isRight: true });
    },
  };
}

type GridProps = {
  draft: drafts.CartDraft;
  slots: readonly string[];
  selected: string;
  select(slot: string): void;
};

function SlotGrid({ draft, slots, selected, select }: GridProps) {
  return (
    <ToggleButtonGroup
      className={own.grid ?? ''}
      style={{ gridTemplateColumns: `repeat(${draft.columns.trim()}, minmax(76px, 1fr))` }}
      aria-label={words.slots}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const next = slots.find((slot) => keys.has(slot));
        if (next !== undefined) select(next);
      }}
    >
      {slots.map((slot) => {
        const { code, front, back } = drafts.slotOf(draft, slot);
        return (
          <ToggleButton key={slot} id={slot} className={own.slot ?? ''}>
            <span className={parts.strong}>{slot}</span>
            {[front, back, code].filter(isTyped).map((text) => (
              <span key={text} className={`${parts.clip} ${own.small}`}>
                {text.split(' · ')[0]}
              </span>
            ))}
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
}

function PressHint({ said, todo }: { said: { text: string; isRight: boolean }; todo: string }) {
  const isDone = said.text !== '' && said.isRight;
  const Icon = isDone ? Check : Pointer;
  return (
    <div className={own.press} data-done={isDone || undefined} role="status">
      <Icon size={22} aria-hidden="true" />
      <div>
        {said.text !== '' && <p className={said.isRight ? parts.medium : parts.careStrong}>{said.text}</p>}
        <p className={parts.strong}>{todo}</p>
        <p className={parts.quiet}>{words.pressHint}</p>
      </div>
    </div>
  );
}

type SlotProps = { draft: drafts.CartDraft; slot: string; set(part: Partial<drafts.SlotDraft>): void };

function SlotFields({ draft, slot, set }: SlotProps) {
  const known = drafts.slotOf(draft, slot);
  // Ignore unchanged text, because the field also reports text set by code.
  const change = (part: drafts.CartSide) => (typed: string) => {
    if (typed !== known[part]) set({ [part]: typed });
  };
  return (
    <fieldset className={`${parts.column4} ${own.fields}`}>
      <legend className={parts.title}>{words.slot(slot)}</legend>
      {drafts.SIDES.map((side) => (
        <PlaceField
          chooses="device"
          key={side}
          name={side}
          label={words[side]}
          placeholder={words.placeholder}
          value={known[side]}
          onChange={change(side)}
        />
      ))}
      <LineField
        name="slotCode"
        label={words.slotCode(slot)}
        hint={words.codeHint}
        value={known.code}
        onChange={(code) => set({ code })}
        autoComplete="off"
      />
    </fieldset>
  );
}

const isTyped = (text: string) => text.trim() !== '';

function sizeProblem(name: 'rows' | 'columns', typed: string, most: number): FieldMessages {
  return drafts.sizeIn(typed, most) === undefined ? { [name]: words.wrongNumber(most) } : {};
}

function textOf(places: readonly NamedDevice[], deviceid: string): string {
  const place = places.find((each) => each.deviceid === deviceid);
  return place === undefined ? deviceid : choiceText(place);
}
