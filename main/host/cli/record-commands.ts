import { type AskResult, howFound, type RecordDetail, type RecordKind, UnderstoryError } from "#contract";
import { type CommonOptions, withArchive } from "./context.ts";
import { explainLines } from "./explain.ts";
import { count, type ExitCode, exitCodes, oneLine, plain, recordText, timeText } from "./output.ts";

/** Commands about records: finding, asking, showing, deleting and taking back. */

export interface SearchOptions extends CommonOptions {
  readonly kind?: RecordKind[];
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export async function search(words: readonly string[], options: SearchOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, signal, print }) => {
    const { kind, from, to, limit } = options;
    const filter = {
      ...(kind === undefined ? {} : { kinds: kind }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    const found = await client.call("library.search", { query: words.join(" "), filter, limit }, { signal });
    print(found, () =>
      found.hits.length === 0
        ? ["Nothing found."]
        : found.hits.flatMap((hit) => [recordText(hit.record), `         ${oneLine(hit.passage, 100)}`]),
    );
    return found.hits.length > 0 ? exitCodes.ok : exitCodes.nothingFound;
  });
}

export interface AskOptions extends CommonOptions {
  /** How the answer was found instead of the answer alone. */
  readonly explain?: true;
}

export async function ask(words: readonly string[], options: AskOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, signal, print }) => {
    let last: AskResult | null = null;
    for await (const event of client.stream("ask.ask", { question: words.join(" ") }, { signal })) {
      if (event.type === "result") last = event.result;
    }
    if (!last) throw new UnderstoryError("internal", "The question ended without an answer.");
    const result = last;
    if (options.explain) print(howFound(result), () => explainLines(result));
    else print(result, () => answerLines(result));
    return result.outcome === "answered" ? exitCodes.ok : exitCodes.nothingFound;
  });
}

/** The claims with numbers, then the records that the numbers stand for. */
export function answerLines(result: AskResult): string[] {
  const cited = [...new Set(result.claims.flatMap((claim) => claim.citations.map((one) => one.recordId)))];
  const lines = result.claims.map((claim) => {
    const marks = [...new Set(claim.citations.map((one) => `[${cited.indexOf(one.recordId) + 1}]`))];
    const standing = claim.standing === "current" ? "" : ` (${claim.standing})`;
    return `${plain(claim.text)} ${marks.join("")}${standing}`;
  });
  const sources = cited.map((id, i) => {
    const record = result.records.find((one) => one.id === id);
    return `[${i + 1}] ${record ? recordText(record) : id}`;
  });
  return [
    ...(lines.length > 0 ? lines : [plain(result.answer)]),
    ...(sources.length > 0 ? ["", ...sources] : []),
    ...result.notes.map(plain),
  ];
}

export async function show(id: number, options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const detail = await client.call("records.get", { id });
    print(detail, () => detailLines(detail));
    return exitCodes.ok;
  });
}

function detailLines({ record, related, versions, provenance }: RecordDetail): string[] {
  const people = record.participants.map((one) => one.name ?? one.address).filter((name) => name !== null);
  const field = (name: string, value: string | null | undefined) =>
    value ? [`${name.padEnd(10)} ${oneLine(value, 200)}`] : [];
  return [
    `${record.kind} ${record.id}${record.trashedAt ? " (in the trash)" : ""}`,
    ...field("When", `${timeText(record.time)}${record.time ? `, from ${record.time.source}` : ""}`),
    ...field("From", record.author?.name ?? record.author?.address),
    ...field("With", people.join(", ")),
    ...field("In", record.container?.title),
    ...field(
      "Place",
      record.place?.name ?? (record.place?.lat == null ? null : `${record.place.lat}, ${record.place.lon}`),
    ),
    ...field("Subject", record.subject),
    ...field("Attached", record.props.attachments?.map((one) => one.name ?? "unnamed").join(", ")),
    ...(record.text ? ["", ...plain(record.text).split("\n")] : []),
    "",
    ...provenance.map(({ location, root }) => `Read from ${plain(location.path)} in ${plain(root)}`),
    ...(versions.length > 1 ? [count(versions.length, "version")] : []),
    ...related.map(({ relation, record: other }) => `${relation.replaceAll("_", " ")}: ${recordText(other).trim()}`),
  ];
}

export async function remove(ids: readonly number[], options: CommonOptions & { now?: true }): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    await client.call("records.trash", { ids: [...ids] });
    if (options.now) await client.call("records.erase", { ids: [...ids] });
    print({ ids, state: options.now ? "erased" : "trashed" }, () => [
      options.now
        ? `${count(ids.length, "record")} deleted for good, with all that was made from them.`
        : `${count(ids.length, "record")} moved to the trash. To take back: understory restore ${ids.join(" ")}`,
    ]);
    return exitCodes.ok;
  });
}

export async function restore(ids: readonly number[], options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    await client.call("records.restore", { ids: [...ids] });
    print({ ids, state: "restored" }, () => [`${count(ids.length, "record")} taken back from the trash.`]);
    return exitCodes.ok;
  });
}
