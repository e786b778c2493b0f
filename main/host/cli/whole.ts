import type { Client, LedgerRow, StoredRecord } from "#contract";

/** Every live record, page by page. */
export async function allRecords(client: Client): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { records: StoredRecord[]; next: number | null } = await client.call("records.page", {
      after,
      limit: 500,
    });
    all.push(...page.records);
    after = page.next;
  }
  return all;
}

/** Every row of an import's ledger. */
export async function wholeLedger(client: Client, importId: number): Promise<LedgerRow[]> {
  const all: LedgerRow[] = [];
  for (;;) {
    const { rows, total } = await client.call("imports.ledger", { importId, offset: all.length, limit: 500 });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}
