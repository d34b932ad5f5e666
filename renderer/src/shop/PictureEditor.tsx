import { ImagePlus, Trash2 } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';
import { useAct } from '../useAct.ts';
import { Button } from '../kit/button/Button.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import styles from './PictureEditor.module.css';

/** The types of pictures that the station accepts. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

type Props = {
  /** Address of the picture, or null if there is none. */
  picture: string | null;
  /** Text that replaces the picture. */
  alt: string;
  words: { one: string; add: string; replace: string; remove: string };
  mayEdit: boolean;
  set(file: File): Promise<unknown>;
  remove(): Promise<unknown>;
};

/** A picture with its name, and buttons to upload, replace and remove it. */
export function PictureEditor({ picture, alt, words, mayEdit, set, remove }: Props) {
  const change = useAct(async (file: File | undefined) => (file === undefined ? remove() : set(file)));
  if (picture === null && !mayEdit) return null;
  return (
    <section aria-label={words.one} className={styles.edit}>
      {picture !== null && <img className={styles.picture} src={picture} alt={alt} />}
      {mayEdit && (
        <>
          <FileTrigger
            acceptedFileTypes={PICTURE_TYPES}
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
