import { vi } from 'vitest';
import type { WedgeKey } from '../../../renderer/src/scan/wedge.ts';

/**
 * Presses keys as a browser does. A key types into the focused field or presses the focused button, unless a handler
 * prevents that.
 */
export function pressKeys(keys: readonly WedgeKey[]): void {
  for (const key of keys) {
    vi.advanceTimersByTime(Math.max(0, key.at - Date.now()));
    const target = document.activeElement ?? document.body;
    const isTyped = target.dispatchEvent(eventOf('keydown', key));
    if (isTyped) act(target, key);
    target.dispatchEvent(eventOf('keyup', key));
  }
  vi.advanceTimersByTime(1_000);
}

function eventOf(kind: 'keydown' | 'keyup', key: WedgeKey): KeyboardEvent {
  const event = new KeyboardEvent(kind, {
    key: key.key,
    code: key.code,
    shiftKey: key.shift,
    ctrlKey: key.ctrl,
    altKey: key.alt,
    metaKey: key.meta,
    repeat: key.repeat,
    bubbles: true,
    cancelable: true,
  });
  Object.defineProperty(event, 'timeStamp', { value: key.at });
  const modifiers: Record<string, boolean> = { CapsLock: key.capsLock, AltGraph: key.altGraph };
  event.getModifierState = (name: string) => modifiers[name] ?? false;
  return event;
}

function act(target: Element, { key, ctrl }: WedgeKey): void {
  const isField =
    (target instanceof HTMLInputElement && target.type !== 'radio') || target instanceof HTMLTextAreaElement;
  if (isField && key.length === 1 && !ctrl) insert(target, key);
  else if (target instanceof HTMLButtonElement && (key === 'Enter' || key === ' ')) target.click();
  else if (target instanceof HTMLInputElement && key === 'Enter') target.form?.requestSubmit();
}

function insert(field: HTMLInputElement | HTMLTextAreaElement, char: string): void {
  if (field.type === 'number' && !/\d/.test(char)) return;
  const { value } = field;
  const from = field.selectionStart ?? value.length;
  const to = field.selectionEnd ?? value.length;
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  setter?.call(field, value.slice(0, from) + char + value.slice(to));
  if (field.type !== 'number') field.setSelectionRange(from + 1, from + 1);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
