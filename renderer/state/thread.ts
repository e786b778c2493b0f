/**
 * A thread of questions is its own name: the questions in order. It stands in the address, so that going back, forward or
 * loading anew finds the same conversation.
 */

/** ASCII's separator of units: nobody types it. */
const between = "\u001f";

export const questionsOf = (thread: string): string[] => thread.split(between);

/** The last question of a thread. */
export const questionOf = (thread: string): string => questionsOf(thread).at(-1) ?? "";

/** The thread before its last question; null for a first one. */
export function threadBefore(thread: string): string | null {
  const at = thread.lastIndexOf(between);
  return at < 0 ? null : thread.slice(0, at);
}

/** The thread that a question goes on with. */
export function threadAfter(thread: string | null, question: string): string {
  const own = question.replaceAll(between, " ");
  return thread === null ? own : `${thread}${between}${own}`;
}
