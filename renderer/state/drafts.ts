/** What was typed into a record's form and not saved yet, on the version that it began from. */
export interface Draft {
  readonly subject: string;
  readonly text: string;
  readonly version: number;
}

/** Held by the window alone and gone with it: unsaved words are written nowhere. */
const drafts = new Map<number, Draft>();

export function keptDraft(id: number): Draft | null {
  return drafts.get(id) ?? null;
}

export function keepDraft(id: number, draft: Draft): void {
  drafts.set(id, draft);
}

export function dropDraft(id: number): void {
  drafts.delete(id);
}

/** When the archive is closed or another is opened. */
export function forgetDrafts(): void {
  drafts.clear();
}
