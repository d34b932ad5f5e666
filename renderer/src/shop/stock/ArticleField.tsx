import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Article } from '#shared/api/article.ts';
import type { FoundArticles } from '../../station/foundArticles.ts';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
import type { Common } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { useLatest } from '../../kit/useLatest.ts';
import * as texts from '../../words/texts.ts';
import styles from './ArticleField.module.css';
import { Thumb } from './Thumb.tsx';

const words = texts.articleField;

type Props = Common & {
  value: string;
  /** What `value` finds, from `useFoundArticles`. */
  found: FoundArticles;
  onChange(typed: string): void;
  /** Called when the person has chosen an article, or has left the field with a text that means one. `pieces` counts those of a pack. */
  onChoose(article: Article, pieces: number): void;
  /** Called after Enter, once it is known that the text means one article, or that nothing contains it. */
  onEntered?(): void;
  autoFocus?: boolean;
};

/**
 * A field that finds an article by SKU, barcode or name. Enter and leaving the field replace a text that means an
 * article by its SKU, even if the station answers later, as after a scan. Other text stays. Enter never submits the
 * form, because scanners send it.
 */
export function ArticleField({ found, onChange, onChoose, onEntered, ...field }: Props) {
  const { value } = field;
  /** Why the text is final: the person pressed Enter or left the field. Undefined while the person types. */
  const [end, setEnd] = useState<'enter' | 'left'>();
  const choose = useLatest(onChoose);
  const { isKnown, meant, pieces, articles, text } = found;
  const only = end === 'enter' && isKnown && articles.length === 1 ? articles[0] : undefined;
  const chosen = end === undefined || text === '' ? undefined : (meant ?? only);
  useEffect(() => {
    if (chosen !== undefined && chosen.sku !== value) choose.current(chosen, pieces);
  }, [chosen, pieces, value, choose]);
  const isEntered = end === 'enter' && isKnown && (chosen !== undefined || articles.length === 0);
  const entered = useLatest(onEntered);
  useEffect(() => {
    if (isEntered) entered.current?.();
  }, [isEntered, entered]);

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== 'Enter') return setEnd(undefined);
    event.preventDefault();
    // An option that has the focus is chosen by the list.
    if (event.target instanceof Element && event.target.hasAttribute('aria-activedescendant')) return;
    event.stopPropagation();
    setEnd('enter');
  }

  const hasPictures = articles.some(({ picture }) => picture !== null);
  return (
    <SuggestionField
      {...field}
      placeholder={words.placeholder}
      opensOnTyping
      onChange={(typed) => {
        if (typed !== value) onChange(typed);
      }}
      onFocusChange={(isFocused) => setEnd(isFocused ? undefined : 'left')}
      onKey={onKey}
      // Without options, the list closes.
      choices={
        chosen === undefined
          ? articles.map((article) => ({
              id: article.sku,
              text: article.sku,
              ...(hasPictures ? { picture: <Thumb picture={article.picture} /> } : {}),
              content: <ArticleWords article={article} />,
            }))
          : []
      }
    />
  );
}

/** Shows which article a text means: picture, SKU, name, places and stock. */
export function ArticleCard({ article }: { article: Article }) {
  return (
    <div className={styles.card}>
      {article.picture !== null && <Thumb picture={article.picture} />}
      <ArticleWords article={article} />
    </div>
  );
}

/** Number of places to show. */
const MAX_PLACES = 3;

function ArticleWords({ article: { sku, name, places } }: { article: Article }) {
  const shown = places.slice(0, MAX_PLACES).map(({ location, on_hand: pieces }) => words.at(location, pieces));
  const more = places.length - shown.length;
  return (
    <span className={styles.words}>
      <span>
        <span className={parts.strong}>{sku}</span> {name}
      </span>
      <span className={parts.quiet}>
        {places.length === 0 ? words.noPlace : [...shown, ...(more > 0 ? [words.more(more)] : [])].join(', ')}
      </span>
    </span>
  );
}
