import { runCommandLine } from "./program.ts";

// A reader that has seen enough (`understory audit export | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
process.exitCode = await runCommandLine(process.argv.slice(2));
