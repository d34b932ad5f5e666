/**
 * Returns a script for the page that types keys at the speed of a scanner, because keys from outside the browser arrive too slowly. `^]` is
 * Ctrl+].
 */
export function typing(keys: string): string {
  return `new Promise((done) => setTimeout(done, 600)).then(() => {
    for (const each of ${JSON.stringify(keys.split(' '))}) {
      const [key, code] = each.split(':');
      const ctrlKey = key.startsWith('^');
      const shiftKey = /^[A-Z]$/.test(key);
      document.body.dispatchEvent(new KeyboardEvent('keydown', {
        key: ctrlKey ? key.slice(1) : key, code, ctrlKey, shiftKey, bubbles: true, cancelable: true }));
    }
  })`;
}
