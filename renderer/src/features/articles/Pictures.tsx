import { ImagePlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components';
import type { Article } from '#shared/api/article.ts';
import { useRight } from '../../station/context.ts';
import { useAct } from '../../useAct.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import styles from './Pictures.module.css';
import { PicturesDialog } from './PicturesDialog.tsx';

const words = texts.articles.pictures;
const TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** The picture of an article. People with the right to edit can upload, replace and remove it. */
export function ArticlePicture({ article: { sku, name, picture } }: { article: Article }) {
  const { api } = useServices();
  const mayEdit = useRight('edit_stock');
  /** Uploads a picture, or removes the current one if `file` is undefined. */
  const change = useAct(async (file: File | undefined) =>
    file === undefined
      ? api.removeArticlePicture({ path: { sku } })
      : api.setArticlePicture({ path: { sku }, body: file }),
  );

  if (picture === null && !mayEdit) return null;
  return (
    <section aria-label={words.one} className={styles.edit}>
      {picture !== null && <img className={styles.picture} src={picture} alt={words.of(name ?? sku)} />}
      {mayEdit && (
        <>
          <FileTrigger
            acceptedFileTypes={TYPES}
            onSelect={(files) => {
              const [file] = files ?? [];
              if (file !== undefined) change.run(file);
            }}
          >
            <Button icon={ImagePlus} words={picture === null ? words.add : words.replace} busy={change.busy} />
          </FileTrigger>
          {picture !== null && (
            <Button icon={Trash2} words={words.remove} isDisabled={change.busy} onPress={() => change.run(undefined)} />
          )}
        </>
      )}
      <Failure>{change.status === 'failed' && change.failure}</Failure>
    </section>
  );
}

/** An area on which picture files can be dropped. Dropped files open the dialog that uploads them. */
export function PictureDrop({ children }: { children: ReactNode }) {
  const mayEdit = useRight('edit_stock');
  const [files, setFiles] = useState<readonly File[]>();
  if (!mayEdit) return children;
  return (
    <>
      <DropZone
        className={styles.drop ?? ''}
        aria-label={words.drop}
        onDrop={({ items }) => {
          void Promise.all(items.filter(isFileDropItem).map((item) => item.getFile())).then((dropped) => {
            if (dropped.length > 0) setFiles(dropped);
          });
        }}
      >
        {children}
      </DropZone>
      {files !== undefined && <PicturesDialog files={files} close={() => setFiles(undefined)} />}
    </>
  );
}

/** A button that chooses picture files and opens the dialog that uploads them. */
export function AddPictures() {
  const mayEdit = useRight('edit_stock');
  const [files, setFiles] = useState<readonly File[]>();
  if (!mayEdit) return null;
  return (
    <>
      <FileTrigger
        acceptedFileTypes={TYPES}
        allowsMultiple
        onSelect={(chosen) => {
          if (chosen !== null && chosen.length > 0) setFiles([...chosen]);
        }}
      >
        <Button icon={ImagePlus} words={words.several} />
      </FileTrigger>
      {files !== undefined && <PicturesDialog files={files} close={() => setFiles(undefined)} />}
    </>
  );
}
