import { useEffect, useState } from 'react';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';

const words = texts.scanner.choice;

type Choice = { id: string; name: string };

/** Functions that electron/preload/preload.ts exposes. Browsers show their own dialog instead. */
type Shell = {
  handleScannerChoice(choose: (choices: readonly Choice[]) => void): () => void;
  /** Chooses the scanner with this id. An empty id cancels the choice. */
  chooseScanner(id: string): void;
};

/** Dialog of the desktop window in which a person chooses a scanner. */
export function ScannerChoice() {
  const [choices, setChoices] = useState<readonly Choice[]>();
  const { pickstation: shell }: { pickstation?: Shell } = window as object;
  useEffect(() => shell?.handleScannerChoice(setChoices), [shell]);
  if (shell === undefined || choices === undefined) return null;

  function choose(id: string): void {
    setChoices(undefined);
    shell?.chooseScanner(id);
  }

  return (
    <Dialog title={words.title} isOpen onClose={() => choose('')}>
      {choices.length === 0 && <p>{words.none}</p>}
      <ul className={parts.column2}>
        {choices.map(({ id, name }) => (
          <li key={id} className={parts.column1}>
            <Button onPress={() => choose(id)}>{name}</Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
