/**
 * Gives a function that remembers its last answers by their text: of a mailbox, the same few senders, dates and separators
 * come again and again. Texts above `longest` characters are worked out each time. Answers are shared: nobody changes them.
 */
export function lately<T>(most: number, longest: number, work: (text: string) => T): (text: string) => T {
  const answers = new Map<string, { readonly value: T }>();
  return (text) => {
    if (text.length > longest) return work(text);
    const known = answers.get(text);
    if (known) return known.value;
    const value = work(text);
    if (answers.size >= most) answers.clear();
    answers.set(text, { value });
    return value;
  };
}
