import { ListFilter, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import { choiceText, deviceNamed, PlaceField } from '../../shop/place/PlaceField.tsx';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import fields from '../../kit/field/fields.module.css';
import { LineField } from '../../kit/field/fields.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { useLatest } from '../../kit/useLatest.ts';
import styles from './Filters.module.css';
import * as past from './pastFilter.ts';
import { fieldTime, otherZone, typedTime } from '../../words/shopClock.ts';

const words = texts.history;
const RANGE_CHOICES = past.RANGES.map((id) => ({ id, words: words.range.choices[id] }));
const RESULT_CHOICES = past.RESULTS.map((id) => ({ id, text: words.result.choices[id] }));
/** Typed text is applied after this pause, in milliseconds. */
const TYPED_MS = 400;
const HOUR_MS = 3_600_000;

/** Filters by period, result, person, device and order. */
export function Filters({ filter, onChange }: { filter: past.PastFilter; onChange(filter: past.PastFilter): void }) {
  const { store } = useStationContext();
  const [isOpen, setIsOpen] = useState(false);
  const region = useId();
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Scroll to the selected filter, which may be out of view on a phone.
    strip.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const on = past.countFilters(filter);

  function chooseRange(range: past.Range): void {
    if (range !== 'between') return onChange({ ...filter, range, from: undefined, to: undefined });
    // Start with the period that is visible now.
    const now = Date.now() - store.getState().clockSkewMs;
    const { from = now - HOUR_MS, to = now } = past.spanOf(filter, now);
    onChange({ ...filter, range, from, to });
  }

  return (
    <section className={`${parts.column3} ${styles.filters}`} aria-label={words.filters}>
      <div className={styles.strip} ref={strip}>
        <Segments label={words.range.label} choices={RANGE_CHOICES} value={filter.range} onChange={chooseRange} />
        <span className={styles.toggle}>
          <Button icon={ListFilter} aria-expanded={isOpen} aria-controls={region} onPress={() => setIsOpen(!isOpen)}>
            {words.filtersOn(on)}
          </Button>
        </span>
      </div>
      {filter.range === 'between' && (
        <div className={styles.between}>
          <MomentField
            label={words.range.from}
            value={filter.from}
            onChange={(from) => onChange({ ...filter, from })}
          />
          <MomentField label={words.range.to} value={filter.to} onChange={(to) => onChange({ ...filter, to })} />
          <p role="alert" className={`${parts.failure} ${styles.failure}`}>
            {past.isReversed(filter) ? words.range.turned : ''}
          </p>
        </div>
      )}
      <div id={region} className={styles.fields} data-open={isOpen || undefined}>
        <ChoiceField
          label={words.result.label}
          name="result"
          choices={RESULT_CHOICES}
          value={filter.result}
          onChange={(result) => onChange({ ...filter, result })}
        />
        <PersonFilter value={filter.person} onChange={(person) => onChange({ ...filter, person })} />
        <DeviceFilter value={filter.device} onChange={(device) => onChange({ ...filter, device })} />
        {(['order', 'sequence'] as const).map((name) => (
          <TypedField
            key={name}
            label={words[name]}
            name={name}
            value={filter[name]}
            onChange={(text) => onChange({ ...filter, [name]: text })}
          />
        ))}
        <TypedField
          label={words.batch}
          name="batch"
          value={filter.batch}
          onChange={(text) => onChange({ ...filter, batch: past.BATCH.exec(text)?.[0] ?? '' })}
        />
        {on > 0 && (
          <Button icon={X} words={words.clear} look="quiet" onPress={() => onChange(past.withoutFilters(filter))} />
        )}
      </div>
    </section>
  );
}

/** Chooses a person. Also offers a name in the address that is not in the list, such as that of a removed person or an API user. */
function PersonFilter({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { api } = useStationContext();
  const { value: people = [] } = useStationQuery(['pickers'], () => api.listPickers());
  const names = people.map(({ name }) => name);
  const all = ['', ...names, ...(value === '' || names.includes(value) ? [] : [value])];
  return (
    <ChoiceField
      label={words.person}
      name="person"
      choices={all.map((id) => ({ id, text: id === '' ? words.anyPlaceholder : id }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** Filters by a label or a DeviceID. A removed device can be found only by its DeviceID. */
function DeviceFilter({ value, onChange }: { value: string; onChange(deviceid: string): void }) {
  const places = useStationState((state) => state.places);
  const place = places.find(({ deviceid }) => deviceid === value);
  const [typed, setTyped] = useTyped(place === undefined ? value : choiceText(place));

  function type(text: string): void {
    setTyped(text);
    const trimmed = text.trim();
    const named = deviceNamed(places, text) ?? (DEVICE_ID.test(trimmed) ? trimmed.toUpperCase() : undefined);
    const next = trimmed === '' ? '' : named;
    if (next !== undefined && next !== value) onChange(next);
  }

  return (
    <PlaceField
      chooses="device"
      name="device"
      label={words.device}
      placeholder={words.devicePlaceholder}
      value={typed}
      onChange={type}
    />
  );
}

/**
 * Returns the typed text and its setter. The text is replaced when the value changes elsewhere, for example in the
 * address.
 */
function useTyped(given: string): [string, (text: string) => void] {
  const [state, setState] = useState({ given, typed: given });
  if (state.given !== given) setState({ given, typed: given });
  return [state.typed, (typed) => setState({ given, typed })];
}

type TypedProps = { label: string; name: string; value: string; onChange(text: string): void };

function TypedField({ label, name, value, onChange }: TypedProps) {
  const [typed, setTyped] = useTyped(value);
  const told = useLatest(onChange);
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => told.current(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, value, told]);
  return <LineField label={label} name={name} placeholder={words.anyPlaceholder} value={typed} onChange={setTyped} />;
}

type MomentProps = { label: string; value: number | undefined; onChange(at: number | undefined): void };

/** A field for a date and time in the shop's time zone. */
function MomentField({ label, value, onChange }: MomentProps) {
  const id = useId();
  const zone = otherZone();
  return (
    <div className={`${parts.stack1} ${styles.moment}`}>
      <label htmlFor={id} className={fields.label}>
        {label} {zone !== undefined && <span className={parts.quiet}>{texts.moments.inZone(zone)}</span>}
      </label>
      <input
        id={id}
        type="datetime-local"
        className={`${fields.box} ${styles.time}`}
        value={fieldTime(value)}
        onChange={({ target }) => onChange(typedTime(target.value))}
      />
    </div>
  );
}
