import type { ComponentChildren } from 'preact';

/** A text whose email addresses break before the @ and dots, where there is no room for them. */
export function breakable(words: string): ComponentChildren {
  return words
    .split(/(\s)/)
    .flatMap((word) =>
      word.includes('@') ? word.split(/(?=[@.])/).flatMap((part) => [<wbr key={part} />, part]) : [word],
    );
}
