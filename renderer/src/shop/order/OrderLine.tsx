import { X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useMemo, useRef } from 'react';
import type { Article } from '#shared/api/article.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { useStationState } from '../../station/context.ts';
import { useFoundArticles, useHasArticles } from '../../station/foundArticles.ts';
import { Button } from '../../kit/button/Button.tsx';
import { fieldsOf, LineField } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import { useLatest } from '../../kit/useLatest.ts';
import * as texts from '../../words/texts.ts';
import { PlaceField } from '../place/PlaceField.tsx';
import { ArticleCard, ArticleField } from '../stock/ArticleField.tsx';
import rows from '../work/DraftRows.module.css';
import { lineNotice } from './lineNotice.ts';
import { type LineDraft, NO_LINE } from './orderDraft.ts';

const words = texts.orders.form;
const fleet = texts.fleet.form;

export type LineProps = {
  line: LineDraft;
  number: number;
  isNew: boolean;
  /** Whether the fields that few orders need are shown. */
  isMore: boolean;
  change(change: Partial<LineDraft>): void;
  /** Removes the line. Undefined if it is the only one. */
  remove: (() => void) | undefined;
};

/** A line of a new order. Shows its article, and what the line will not do. */
export function OrderLine({
  show,
  ...props
}: LineProps & {
  /** Called when the line has shown which article a text means, or that it means none. */
  show(typed: string, article: Article | undefined): void;
}) {
  const { line, isNew, isMore, change } = props;
  const field = fieldsOf(line, change, line.id);
  const found = useFoundArticles(line.article);
  const hasArticles = useHasArticles();
  const isLit = useIsLit();
  const { text, isKnown, meant } = found;
  const isShown = hasArticles === false || (isKnown && hasArticles === true);
  const told = useLatest(show);
  useEffect(() => {
    if (isShown) told.current(text, meant);
  }, [isShown, text, meant, told]);
  const row = useRef<HTMLLIElement>(null);
  const facts = { typed: text, found, place: line.place.trim(), hasArticles: hasArticles ?? false, isLit };
  const notice = isShown ? lineNotice(facts) : '';

  return (
    <LineRow
      {...props}
      row={row}
      place={
        // Without a place that lights, somebody has to name one.
        (isMore || line.place !== '' || notice !== '') && (
          <PlaceField chooses="place" {...field('place')} label={words.place} />
        )
      }
      more={
        <div className={`${parts.column2} ${rows.wide}`} role="status">
          {meant !== undefined && <ArticleCard article={meant} />}
          {notice !== '' && <p className={parts.care}>{notice}</p>}
        </div>
      }
    >
      <ArticleField
        {...field('article')}
        label={words.article}
        found={found}
        autoFocus={isNew}
        onEntered={() => row.current?.scrollIntoView({ block: 'nearest' })}
        onChoose={({ sku }, pieces) => {
          // A pack's barcode counts its pieces. A quantity that somebody has entered stays.
          const isPack = pieces > 1 && line.quantity === NO_LINE.quantity;
          change({ article: sku, ...(isPack ? { quantity: String(pieces) } : {}) });
        }}
      />
    </LineRow>
  );
}

/** A line for another station, which finds the article and the place itself. */
export function LineElsewhere(props: LineProps) {
  const { line, isNew, change } = props;
  const field = fieldsOf(line, change, line.id);
  return (
    <LineRow {...props} place={<LineField {...field('place')} label={fleet.place} autoComplete="off" />}>
      <LineField
        {...field('article')}
        label={fleet.article}
        placeholder={fleet.articleHint}
        autoComplete="off"
        autoFocus={isNew}
      />
    </LineRow>
  );
}

type RowProps = LineProps & { row?: Ref<HTMLLIElement>; place: ReactNode; more?: ReactNode; children: ReactNode };

function LineRow({ row, line, number, isMore, change, remove, place, more, children }: RowProps) {
  const field = fieldsOf(line, change, line.id);
  return (
    <li
      ref={row}
      className={`${parts.panel} ${rows.row}`}
      aria-label={words.item(number)}
      data-columns={isMore ? 'item' : 'few'}
    >
      {children}
      <NumberLine {...field('quantity')} label={words.quantity} />
      {isMore && place}
      {isMore && <LineField {...field('shipment')} label={words.shipment} autoComplete="off" />}
      <div className={rows.end}>
        <Button
          icon={X}
          look="icon"
          aria-label={words.removeItem(number)}
          isDisabled={remove === undefined}
          onPress={() => remove?.()}
        />
      </div>
      {!isMore && place !== false && <div className={rows.wide}>{place}</div>}
      {more}
    </li>
  );
}

/** Returns whether a device has this label, alias or DeviceID. */
function useIsLit(): (name: string) => boolean {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases);
  return useMemo(() => {
    const names = [
      ...places.flatMap(({ deviceid, name }) => [deviceid, name]),
      ...(aliases ?? []).map(({ name }) => name),
    ];
    const known = new Set(names.map(nameKey));
    return (name) => known.has(nameKey(name));
  }, [places, aliases]);
}
