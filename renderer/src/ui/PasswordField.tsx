import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { LineField } from './fields.tsx';
import { texts } from './texts.ts';

type Props = {
  label: string;
  help?: string;
  name: string;
  value: string;
  onChange(value: string): void;
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
};

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Props) {
  const [visible, setVisible] = useState(false);
  return (
    <LineField {...props} type={visible ? 'text' : 'password'}>
      <Button
        look="icon"
        aria-label={visible ? texts.password.hide : texts.password.show}
        onPress={() => setVisible(!visible)}
      >
        {visible ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
      </Button>
    </LineField>
  );
}
