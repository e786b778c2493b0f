import { numberIn, type Row, textIn } from "./database.ts";

/**
 * The sentence of a message with `item_type` ≠ 0: what happened in the conversation. `who` did it, `other` is whom it was
 * done to. The meaning of the numbers is observed, not published.
 */
export function noticeText(row: Row, who: string, other: string | null): string {
  const [item, action] = [numberIn(row, "item_type"), numberIn(row, "group_action_type")];
  const whom = other ?? "someone";
  if (item === 1)
    return action === 1 ? `${who} removed ${whom} from the conversation` : `${who} added ${whom} to the conversation`;
  if (item === 2) {
    const title = textIn(row, "group_title");
    return title === null
      ? `${who} removed the name from the conversation`
      : `${who} named the conversation “${title}”`;
  }
  if (item === 3) return groupAction(action, who);
  if (item === 4) {
    return numberIn(row, "share_status") === 1 ? `${who} stopped sharing location` : `${who} started sharing location`;
  }
  if (item === 5) return `${who} kept an audio message`;
  if (item === 6) return `${who} started a call`;
  return `${who} changed something in the conversation`;
}

function groupAction(action: number, who: string): string {
  if (action === 0) return `${who} left the conversation`;
  if (action === 1) return `${who} changed the group photo`;
  if (action === 2) return `${who} removed the group photo`;
  return `${who} changed the look of the conversation`;
}
