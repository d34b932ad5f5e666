import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Article, ArticlePlace } from '#shared/api/article.ts';
import { ApiError } from '../../words/apiError.ts';
import { articleAddress } from '../../station/addresses.ts';
import { newKey } from '../../station/outbox/actions.ts';
import { Button } from '../../kit/button/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { changesIn, rowsOf } from '../../kit/field/drafts.ts';
import { fieldsOf, LineField, LinesField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import { PlaceField } from '../../shop/place/PlaceField.tsx';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import styles from './ArticleDialogs.module.css';
import {
  type ArticleDraft,
  articleOf,
  draftOf,
  EMPTY_DRAFT,
  NO_PLACE,
  type PlaceDraft,
  problemsOf,
} from './articleDraft.ts';

const words = texts.articles.editing;

/** Adds an article and opens its page. */
export function NewArticleDialog({ close }: { close(): void }) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const { draft, set } = useForm<ArticleDraft>(EMPTY_DRAFT);

  async function save(): Promise<void> {
    const { sku, warnings } = await api.addArticle({ body: articleOf(draft, true) });
    toasts.show(warnings.length === 0 ? words.added(sku) : texts.articles.warned(sku, warnings));
    navigate(articleAddress(sku));
  }

  return (
    <FormDialog
      title={words.add}
      submit={words.submitAdd}
      draft={draft}
      check={() => problemsOf(draft)}
      save={save}
      onClose={close}
      size="large"
    >
      <ArticleFields draft={draft} set={set} isNew />
    </FormDialog>
  );
}

type EditProps = {
  article: Article;
  /** Called with the article's SKU, which may have changed. */
  saved(sku: string): void;
  close(): void;
};

/**
 * Edits an article. If somebody else has changed one of the edited fields in the meantime, shows an error instead of
 * overwriting that field.
 */
export function EditArticleDialog({ article, saved, close }: EditProps) {
  const { api, toasts } = useServices();
  const [seen] = useState(article);
  const form = useForm(() => draftOf(article));
  const { draft, set } = form;

  async function save(): Promise<void> {
    const { sku, warnings } = await api.changeArticle({
      sku: seen.sku,
      change: changesIn(articleOf(draft, false), form),
      seen,
    });
    toasts.show(warnings.length === 0 ? words.saved(sku) : texts.articles.warned(sku, warnings));
    saved(sku);
  }

  return (
    <FormDialog
      title={words.edit(seen.sku)}
      submit={words.submitEdit}
      draft={draft}
      check={() => problemsOf(draft)}
      save={save}
      onClose={close}
      size="large"
    >
      <ArticleFields draft={draft} set={set} />
    </FormDialog>
  );
}

type FieldsProps = { draft: ArticleDraft; set(part: Partial<ArticleDraft>): void; isNew?: boolean };

function ArticleFields({ draft, set, isNew = false }: FieldsProps) {
  const field = fieldsOf(draft, set);
  const { places } = draft;
  const rows = rowsOf(places, (changed) => set({ places: changed }));
  return (
    <>
      <LineField {...field('sku')} label={words.sku} help={words.skuHelp} autoComplete="off" autoFocus />
      <LineField {...field('name')} label={words.name} autoComplete="off" />
      <fieldset className={`${parts.column3} ${styles.places}`}>
        <legend className={parts.title}>{words.places}</legend>
        {places.map((place) => (
          <PlaceFields
            key={place.id}
            place={place}
            isNew={isNew}
            change={(part) => rows.change(place.id, part)}
            remove={() => rows.remove(place.id)}
          />
        ))}
        <div>
          <Button icon={Plus} words={words.addPlace} onPress={() => rows.add(NO_PLACE)} />
        </div>
      </fieldset>
      <LineField {...field('description')} label={words.description} autoComplete="off" />
      <LinesField {...field('barcodes')} label={words.barcodes} help={words.barcodesHelp} rows={2} />
      <LineField {...field('unit')} label={words.unit} help={words.unitHelp} autoComplete="off" />
      <LinesField {...field('note')} label={words.note} rows={2} />
    </>
  );
}

type PlaceProps = { place: PlaceDraft; isNew: boolean; change(part: Partial<PlaceDraft>): void; remove(): void };

function PlaceFields({ place, isNew, change, remove }: PlaceProps) {
  const field = fieldsOf(place, change, place.id);
  return (
    <div className={styles.place}>
      <PlaceField chooses="place" {...field('location')} label={words.place} autoFocus={place.location === ''} />
      {isNew && <WholeNumberField {...field('on_hand')} label={words.onHand} hint={words.onHandHint} />}
      <WholeNumberField {...field('minimum')} label={words.minimum} />
      <WholeNumberField {...field('maximum')} label={words.maximum} />
      <Button look="icon" icon={X} aria-label={words.removePlace(place.location)} onPress={remove} />
    </div>
  );
}

type CountProps = { sku: string; place: ArticlePlace; close(): void };

const counting = texts.articles.counting;

/** Books a count at a place. If the stock has changed in the meantime, shows the new quantity and asks again. */
export function CountDialog({ sku, place: { location, on_hand: shown }, close }: CountProps) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm<{ count: number | null }>({ count: null });
  const [was, setWas] = useState(shown);
  const [key] = useState(() => newKey());

  async function save(): Promise<void> {
    const { count } = draft;
    if (count === null) return;
    // Include both quantities in the key, because a different displayed or counted quantity is a separate movement.
    const result = await api.move({ sku, location, count, was, key: `${key} ${was ?? ''} ${count}` });
    if (result?.code === 'outdated') {
      const { places } = await api.getArticle({ path: { sku } });
      const now = places.find((each) => each.location === location)?.on_hand ?? null;
      setWas(now);
      throw new ApiError('outdated', counting.changed(now), []);
    }
    if (result === undefined || result.status !== 200)
      throw new ApiError(result?.code ?? 'internal', result?.detail ?? '', result?.errors ?? []);
    toasts.show(counting.done(location, count));
    close();
  }

  return (
    <FormDialog
      title={counting.title(sku, location)}
      submit={counting.submit}
      draft={draft}
      check={(): FieldMessages => (draft.count === null ? { count: counting.noNumber } : {})}
      save={save}
      onClose={close}
    >
      <WholeNumberField {...field('count')} label={counting.pieces} hint={counting.shown(was)} />
    </FormDialog>
  );
}

const putting = texts.articles.putting;

/** Lights the places of an article. A press at one of them books the pieces that were put away there. */
export function PutAwayDialog({ sku, close }: { sku: string; close(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm<{ quantity: number | null }>({ quantity: 1 });
  const [key] = useState(() => newKey());

  async function save(): Promise<void> {
    const quantity = draft.quantity ?? 1;
    const { says } = await api.scan({
      body: { code: sku, intent: 'put_away', quantity, act: true, key: `${key} ${quantity}` },
    });
    toasts.show(says);
    close();
  }

  return (
    <FormDialog
      title={putting.title(sku)}
      submit={putting.submit}
      draft={draft}
      check={(): FieldMessages => ((draft.quantity ?? 0) < 1 ? { quantity: putting.noNumber } : {})}
      save={save}
      onClose={close}
    >
      <p>{putting.help}</p>
      <WholeNumberField {...field('quantity')} label={putting.pieces} />
    </FormDialog>
  );
}

const removing = texts.articles.removing;

/** Deletes an article. A switch allows this even if the article has stock or open lines. */
export function RemoveArticleDialog({ sku, close, removed }: { sku: string; close(): void; removed(): void }) {
  const { api, toasts } = useServices();
  const [force, setForce] = useState(false);

  async function save(): Promise<void> {
    await api.removeArticle({ path: { sku }, query: force ? { force: '1' } : {} });
    toasts.show(removing.done(sku));
    removed();
  }

  return (
    <FormDialog title={removing.title(sku)} submit={removing.submit} draft={null} save={save} onClose={close} danger>
      <p>{removing.body}</p>
      <SwitchField label={removing.force} help={removing.forceHelp} value={force} onChange={setForce} />
    </FormDialog>
  );
}
