import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import { Progress } from '../../kit/feedback/Progress.tsx';
import parts from '../../kit/parts.module.css';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import styles from './Pictures.module.css';
import { namePictures, type NamedPicture } from './pictureNames.ts';

const words = texts.articles.pictures;

type Matched = Extract<NamedPicture, { replaces: boolean }>;
type Refused = { name: string; why: string };

const isMatched = (each: NamedPicture): each is Matched => 'replaces' in each;

function whyNot(picture: Exclude<NamedPicture, Matched>): string {
  return picture.why === 'twice' ? words.twice(picture.sku) : words[picture.why];
}

/**
 * Shows the article that each file names, and uploads the pictures after confirmation. Closing the dialog stops the
 * upload after the current picture.
 */
export function PicturesDialog({ files, close }: { files: readonly File[]; close(): void }) {
  const { api, toasts } = useServices();
  const [named, setNamed] = useState<readonly NamedPicture[]>();
  const [failure, setFailure] = useState('');
  const [sent, setSent] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [added, setAdded] = useState(0);
  const isClosed = useRef(false);

  useEffect(() => {
    isClosed.current = false;
    namePictures(api, files).then(setNamed, (error: unknown) => setFailure(sentenceOf(error)));
    return () => {
      isClosed.current = true;
    };
  }, [api, files]);

  const matched = (named ?? []).filter(isMatched);
  const others = (named ?? []).flatMap((each) =>
    isMatched(each) ? [] : [{ name: each.file.name, why: whyNot(each) }],
  );

  async function send(): Promise<void> {
    const failed: Refused[] = [];
    for (const [index, { file, sku }] of matched.entries()) {
      if (isClosed.current) return;
      setSent(index);
      try {
        await api.setArticlePicture({ path: { sku }, body: file });
      } catch (error) {
        failed.push({ name: file.name, why: sentenceOf(error) });
      }
    }
    const done = matched.length - failed.length;
    if (failed.length === 0 && others.length === 0) {
      toasts.show(words.done(done));
      return close();
    }
    // Show the result here, because the open dialog would hide a toast.
    setAdded(done);
    setRefused(failed);
    setNamed((before) => before?.filter((each) => !isMatched(each)));
    setSent(undefined);
  }

  const rows = [...refused, ...others];
  const replaced = matched.filter(({ replaces }) => replaces).length;
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={close}
      size="large"
      actions={
        <>
          <Button words={matched.length === 0 ? texts.frame.close : texts.frame.cancel} onPress={close} />
          {matched.length > 0 && (
            <Button
              words={words.use(matched.length)}
              look="primary"
              busy={sent !== undefined}
              onPress={() => void send()}
              autoFocus
            />
          )}
        </>
      }
    >
      <Failure>{failure}</Failure>
      {added > 0 && <p role="status">{words.done(added)}</p>}
      {named === undefined && failure === '' && <p className={parts.quiet}>{words.looking}</p>}
      {matched.length > 0 && sent === undefined && (
        <p>
          {words.matched(matched.length)} {replaced > 0 && words.replaced(replaced)}
        </p>
      )}
      {sent !== undefined && <Progress label={words.sending} value={sent} max={matched.length} />}
      {rows.length > 0 && (
        <section className={parts.stack2} aria-label={words.notUsed(rows.length)}>
          <h3 className={parts.title}>{words.notUsed(rows.length)}</h3>
          <ul className={styles.notUsed}>
            {rows.map(({ name, why }, index) => (
              // Two files can have the same name.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={`${index} ${name}`}>
                <span className={parts.strong}>{name}</span> <span className={parts.small}>{why}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
