type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A field that is typed into, as it was at one moment. */
export type TypedField = {
  readonly element: TextField;
  /** Removes what was typed since. */
  restore(): void;
};

const NO_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** The field with the focus; undefined: what is typed goes nowhere. */
export function findTypedField(document: Document): TypedField | undefined {
  const element = document.activeElement;
  const { HTMLInputElement: Input, HTMLTextAreaElement: Area } = document.defaultView ?? window;
  const isText = element instanceof Area || (element instanceof Input && !NO_TEXT.has(element.type));
  return isText && !element.readOnly ? remember(element) : undefined;
}

function remember(element: TextField): TypedField {
  const { value, selectionStart, selectionEnd } = element;
  return {
    element,
    restore() {
      if (element.value === value) return;
      setValue(element, value);
      // A field for numbers has no selection.
      if (selectionStart !== null) element.setSelectionRange(selectionStart, selectionEnd);
    },
  };
}

/** Types a text where the cursor is, as a person does. */
export function typeInto(field: TextField, text: string): void {
  const { value, selectionStart, selectionEnd } = field;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  setValue(field, value.slice(0, from) + text + value.slice(to));
  if (selectionStart !== null) field.setSelectionRange(from + text.length, from + text.length);
}

/** As if it was typed: React sees only what goes past its own setter. */
function setValue(element: TextField, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set;
  setter?.call(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
