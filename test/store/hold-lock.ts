import { acquireLock } from "#main/records/archive.ts";

/** Run as a process of its own: holds the lock of the archive in its first argument until it is killed. */
acquireLock(process.argv[2] ?? "");
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
