type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A text field, with its content at one point in time. */
export type TypedField = {
  readonly element: TextField;
  /** Removes everything that was typed since then. */
  restore(): void;
};

const NO_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Returns the focused text field, or undefined if no text field has the focus. */
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
      // `selectionStart` is null in number inputs.
      if (selectionStart !== null) element.setSelectionRange(selectionStart, selectionEnd);
    },
  };
}

/** Inserts text at the cursor, as if a person had typed it. */
export function typeInto(field: TextField, text: string): void {
  const { value, selectionStart, selectionEnd } = field;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  setValue(field, value.slice(0, from) + text + value.slice(to));
  if (selectionStart !== null) field.setSelectionRange(from + text.length, from + text.length);
}

/** Sets the value with the native setter and an input event, because React ignores changes made by its own setter. */
function setValue(element: TextField, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set;
  setter?.call(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
