import parts from './parts.module.css';

/** A text in which numbers such as `SO-1026` break at their hyphen only if they are wider than the line. */
export function Unbroken({ children: text }: { children: string }) {
  if (!text.includes('-')) return text;
  return (
    <span>
      {text.split(/(\s+)/).map((word, at) =>
        word.includes('-') ? (
          <span key={at} className={parts.unbroken}>
            {word}
          </span>
        ) : (
          word
        ),
      )}
    </span>
  );
}
