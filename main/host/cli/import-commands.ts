import { type CommonOptions, followJob, withArchive } from "./context.ts";
import { count, type ExitCode, exitCodes, plain } from "./output.ts";

/** Commands about imports that there were. */

export async function importsList(options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const { runs } = await client.call("imports.list", {});
    print({ runs }, () =>
      runs.map(
        ({ id, startedAt, status, counts, roots }) =>
          `${id}  ${startedAt}  ${status}  ${count(counts.imported, "record")}  ${roots.map(plain).join(", ")}`,
      ),
    );
    return runs.length > 0 ? exitCodes.ok : exitCodes.nothingFound;
  });
}

/** What the import brought lies in the trash afterwards, unless another import brought it too. */
export async function importsUndo(importId: number, options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async (context) => {
    const { client, print } = context;
    const { trash, stay } = await client.call("imports.undoPreview", { importId });
    const { jobId } = await client.call("imports.undo", { importId });
    await followJob(context, jobId, { rest: true });
    print({ importId, trash, stay }, () => [
      `Import ${importId} is undone: ${count(trash, "record")} moved to the trash, ${stay} stay because another import has them too.`,
    ]);
    return exitCodes.ok;
  });
}
