import styles from './ScannerPage.module.css';

/** Names of the ASCII characters 0 to 31. */
const NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );
// oxlint-disable-next-line no-control-regex -- finds the characters to show by name
const CONTROL = /([\0-\x1f])/;

/** A text in which control characters are replaced by their names. */
export function Shown({ text }: { text: string }) {
  return text.split(CONTROL).map((part, index) =>
    CONTROL.test(part) ? (
      <span key={index} className={styles.control}>
        {NAMES[part.charCodeAt(0)]}
      </span>
    ) : (
      part
    ),
  );
}
