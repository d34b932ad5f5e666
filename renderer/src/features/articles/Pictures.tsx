import { ImagePlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components';
import type { Article } from '#shared/api/article.ts';
import { useRight } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { PICTURE_TYPES, PictureEditor } from '../../shop/PictureEditor.tsx';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import styles from './Pictures.module.css';
import { PicturesDialog } from './PicturesDialog.tsx';

const words = texts.articles.pictures;

/** The picture of an article. People with the right to edit can upload, replace and remove it. */
export function ArticlePicture({ article: { sku, name, picture } }: { article: Article }) {
  const { api } = useServices();
  return (
    <PictureEditor
      picture={picture}
      alt={words.of(name ?? sku)}
      words={words}
      mayEdit={useRight('edit_stock')}
      set={(file) => api.setArticlePicture({ path: { sku }, body: file })}
      remove={() => api.removeArticlePicture({ path: { sku } })}
    />
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
        acceptedFileTypes={PICTURE_TYPES}
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
