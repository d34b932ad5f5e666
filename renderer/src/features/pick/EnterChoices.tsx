import { useState } from 'react';
import { ENTER_RULES } from '#shared/lib/picking/enterRules.ts';
import { SwitchField } from '../../kit/field/fields.tsx';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import styles from './Pick.module.css';
import { chooseEnter, enterChoice } from './session/enterRule.ts';

const words = texts.pick.enterChoice;

/** Chooses what Enter confirms in this browser, such as at a kiosk, and switches it off for the signed-in person. */
export function EnterChoices() {
  const person = useStationState(({ station }) => station?.user.name ?? '');
  const [here, setHere] = useState(() => enterChoice('here'));
  const [mine, setMine] = useState(() => enterChoice({ person }));
  return (
    <>
      <SwitchField
        label={words.mine}
        value={mine === 'never'}
        onChange={(isOff) => {
          const rule = isOff ? 'never' : undefined;
          chooseEnter({ person }, rule);
          setMine(rule);
        }}
      />
      <p className={styles.says}>{words.here}</p>
      {[undefined, ...ENTER_RULES].map((rule) => (
        <BigButton
          key={rule ?? 'shop'}
          look={rule === here ? 'main' : 'plain'}
          onPress={() => {
            chooseEnter('here', rule);
            setHere(rule);
          }}
        >
          {rule === undefined ? words.shop : words.rules[rule]}
        </BigButton>
      ))}
    </>
  );
}
